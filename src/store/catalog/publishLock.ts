import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { fairTurns } from '../../domain/fairTurns.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Database, Tx } from '../connection/database.ts'
import { allowSilence } from '../connection/silentConnections.ts'
import type { Tables } from '../connection/tables.ts'
import { EVERYONE, sharedClient } from '../connection/tenantScope.ts'
import { kyselyOn } from '../connection/txOn.ts'
import { clearUnpublished, deleteReplaced } from './unpublished.ts'

/** One publish, with its seller's state at the start. */
export interface Publishing {
  readonly seller: string
  readonly currency: string
  readonly uses_api: boolean
  /** The connection for reads. They may take long: the feed waits only for transactions that have written. */
  readonly sql: Kysely<Tables>
  /** The same connection, for COPY. */
  readonly client: pg.PoolClient
  /** Writes in its own transaction, which must be short: the feed waits for the oldest open one. */
  commit<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

type Held = Pick<Publishing, 'seller' | 'currency' | 'uses_api'> & { unpublished_commit_nos: string[]; has_replaced: boolean }

/** The publishes that one process runs concurrently. Each holds a connection. */
const MAX_CONCURRENT = 8
const turns = fairTurns({ permits: MAX_CONCURRENT, perTenant: 1 })

/** The wait for another process, or a read of a large card, may take longer than the pool's statement timeout. */
const STATEMENT_MS = 60_000

/**
 * Runs one publish. A seller's publishes run one after another across all processes, and do not delay other sellers. The lock belongs to
 * the session, not to a transaction, so that a large publish may write in many short ones; it ends with the connection. First clears what a
 * killed publish left unpublished.
 */
export async function withPublishLock<T>(db: Database, seller: string, work: (publishing: Publishing) => Promise<T>): Promise<T> {
  const release = await turns.take(seller)
  try {
    // The connection deals with everyone, since a publish notifies every buyer who may see it.
    return await onConnection(db.withCounterparty(EVERYONE), async (client) => {
      const connection = kyselyOn(client)
      await sql`select set_config('statement_timeout', ${String(STATEMENT_MS)}, false)`.execute(connection)
      await sql`select pg_advisory_lock(hashtextextended(${`publish:${seller}`}, 0))`.execute(connection)
      const { rows } = await sql<Held>`
        select seller, currency, uses_api, unpublished_commit_nos,
          exists (select from products p where p.seller = s.seller and p.replaced_by <> 0) as has_replaced
        from sellers s where seller = ${seller}`.execute(connection)
      const [held] = rows
      if (held === undefined) throw new Refusal('NOT_FOUND', `There is no seller ${seller}.`)
      const publishing: Publishing = { ...held, sql: connection, client, commit: (write) => connection.transaction().execute(write) }
      for (const number of held.unpublished_commit_nos) await clearUnpublished(publishing, number)
      if (held.has_replaced) await deleteReplaced(publishing)
      return work(publishing)
    })
  } finally {
    release()
  }
}

/** Runs work on a connection and resets it afterwards. If the reset fails, closes the connection, which also releases its lock. */
async function onConnection<T>({ pool, url }: Pick<Database, 'pool' | 'url'>, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  const restoreLimit = allowSilence(sharedClient(client), url, STATEMENT_MS)
  try {
    return await work(client)
  } finally {
    restoreLimit()
    const reset = await client
      .query(
        `select pg_advisory_unlock_all(), set_config('statement_timeout', reset_val, false) from pg_settings where name = 'statement_timeout'`,
      )
      .catch((error: Error) => error)
    client.release(reset instanceof Error)
  }
}

/** Remembers that a seller publishes or decides over the API (choices, Level). */
export async function markUsesApi(tx: Tx, { seller, uses_api }: Pick<Publishing, 'seller' | 'uses_api'>): Promise<void> {
  if (!uses_api) await sql`update sellers set uses_api = true where seller = ${seller}`.execute(tx)
}
