import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { askWhileIdle } from '../connection/silentConnections.ts'

/** Thrown if a running process of this marketplace keeps files of the same kind elsewhere. */
export class UnsharedStoreFault extends Error {
  override name = 'UnsharedStoreFault'
}

/** The identities of the file stores that a process uses, by the setting that names each. */
export type StoreIdentities = Readonly<Record<string, string>>

/**
 * Tells the other processes which file stores this one uses, for as long as it runs, by shared advisory locks on a connection of its own.
 * Throws an UnsharedStoreFault if one of them uses another store under the same setting, since what a buyer uploads to one would be missing
 * for the other. Tells it again when the connection breaks, and calls `onUnshared` with a sentence if another has started elsewhere by then.
 */
export async function shareStores(
  databaseUrl: string,
  stores: StoreIdentities,
  onUnshared: (sentence: string) => void,
): Promise<{ close(): Promise<void> }> {
  const closing = new AbortController()
  const first = await openLocks(databaseUrl, stores)
  const sharing = (async () => {
    await keptUntilEnd(first, closing.signal)
    let told = false
    while (!closing.signal.aborted) {
      await openLocks(databaseUrl, stores).then(
        (client) => keptUntilEnd(client, closing.signal),
        (error) => {
          if (told || !(error instanceof UnsharedStoreFault)) return // the database is away, which other parts report
          told = true
          onUnshared(error.message)
        },
      )
      await sleep(RETRY_MS, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  })()
  return {
    close: () => {
      closing.abort()
      return sharing
    },
  }
}

const RETRY_MS = 5_000

/** Takes the locks, then looks for others, so that of two processes that start together at least one finds the other. */
async function openLocks(connectionString: string, stores: StoreIdentities): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    application_name: 'order-marketplace-stores',
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    for (const [setting, identity] of Object.entries(stores)) {
      await client.query(LOCK, [setting, identity])
      const { rowCount } = await client.query(OTHERS, [setting, identity])
      if (rowCount !== 0) throw new UnsharedStoreFault(sentenceOf(setting))
    }
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}

async function keptUntilEnd(client: pg.Client, closing: AbortSignal): Promise<void> {
  const stopAsking = askWhileIdle(client)
  if (!closing.aborted)
    await new Promise<void>((resolve) => {
      client.once('end', resolve)
      closing.addEventListener('abort', () => resolve(), { once: true })
    })
  stopAsking()
  await client.end().catch(() => undefined)
}

const LOCK = 'select pg_advisory_lock_shared(hashtext($1), hashtext($2))'

/** Returns the locks of processes that use another store under this setting. A lock of two numbers has them in classid and objid. */
const OTHERS = `select from pg_locks where locktype = 'advisory' and objsubid = 2 and granted
  and database = (select oid from pg_database where datname = current_database())
  and classid::bigint = hashtext($1)::bigint & 4294967295 and objid::bigint <> hashtext($2)::bigint & 4294967295`

function sentenceOf(setting: string): string {
  return (
    `Another process of this marketplace keeps its files elsewhere: set ${setting} of every process to one store that all reach, ` +
    'a bucket or a shared directory. To move a store, stop every process first.'
  )
}
