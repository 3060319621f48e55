import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { askWhileIdle } from './silentConnections.ts'

/**
 * Listens to the notifications of all processes on its own connection, which it replaces when it breaks or the database no longer answers on
 * it, which it asks every `askMs` milliseconds. Calls `onNotify` with each
 * notification's payload, and without one whenever it starts to listen, since it may have missed a notification.
 */
export function listen(
  databaseUrl: string,
  channel: string,
  onNotify: (payload?: string) => void,
  { askMs }: { askMs?: number } = {},
): { close(): Promise<void> } {
  const closing = new AbortController()
  const listening = (async () => {
    while (!closing.signal.aborted) {
      await listenOnce({ databaseUrl, channel, onNotify, askMs }, closing.signal).catch(() => undefined)
      await sleep(500, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  })()
  return {
    close: async () => {
      closing.abort()
      await listening
    },
  }
}

interface Listening {
  readonly databaseUrl: string
  readonly channel: string
  readonly onNotify: (payload?: string) => void
  readonly askMs: number | undefined
}

/** Listens on one connection until that ends. */
async function listenOnce({ databaseUrl, channel, onNotify, askMs }: Listening, closing: AbortSignal): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    application_name: 'order-marketplace-relay',
  })
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  client.once('end', end)
  client.on('error', end)
  closing.addEventListener('abort', end)
  client.on('notification', ({ payload }) => onNotify(payload))
  let stopAsking = (): void => undefined
  try {
    await client.connect()
    stopAsking = askWhileIdle(client, askMs)
    await client.query(`listen ${channel}`)
    onNotify() // covers commits made before this connection listened
    await ended
  } finally {
    stopAsking()
    closing.removeEventListener('abort', end) // removed because the signal outlives each connection
    await client.end().catch(() => undefined)
  }
}
