import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/**
 * Listens to the notifications of all processes on its own connection, which it replaces when it breaks. Calls `onNotify` with each
 * notification's payload, and without one whenever it starts to listen, since it may have missed a notification.
 */
export function listen(databaseUrl: string, channel: string, onNotify: (payload?: string) => void): { close(): Promise<void> } {
  const closing = new AbortController()
  const listening = (async () => {
    while (!closing.signal.aborted) {
      await listenOnce(databaseUrl, channel, onNotify, closing.signal).catch(() => undefined)
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

/** Listens on one connection until that ends. */
async function listenOnce(databaseUrl: string, channel: string, onNotify: (payload?: string) => void, closing: AbortSignal): Promise<void> {
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
  try {
    await client.connect()
    await client.query(`listen ${channel}`)
    onNotify() // covers commits made before this connection listened
    await ended
  } finally {
    closing.removeEventListener('abort', end) // removed because the signal outlives each connection
    await client.end().catch(() => undefined)
  }
}
