import type pg from 'pg'
import { type FairTurns, fairTurns } from '../../domain/fairTurns.ts'
import type { Database, Tx } from './database.ts'
import { statement } from './statement.ts'
import { sharedPool } from './tenantScope.ts'
import { runOn } from './txOn.ts'

/** A transaction that holds an advisory lock. Whoever began it closes it, whatever happens. */
export interface LockedTransaction {
  readonly client: pg.PoolClient
  commit(): Promise<void>
  /** Gives the connection back. Undoes what was not committed. */
  close(): Promise<void>
}

/**
 * Begins a transaction that holds an advisory lock. Takes the lock first, since the lock takes no transaction id: the feed, which is
 * ordered by transaction id, then cannot invert an order's own seq (architecture, Lock first).
 */
export async function beginLocked(pool: pg.Pool, lock: pg.QueryConfig): Promise<LockedTransaction> {
  const release = await turnOf(pool, lock)
  const client = await pool.connect().catch((error: unknown) => {
    release()
    throw error
  })
  let state: 'open' | 'committed' | 'closed' = 'open'
  const transaction: LockedTransaction = {
    client,
    async commit() {
      await client.query('commit')
      state = 'committed'
    },
    async close() {
      if (state === 'closed') return
      let broken: Error | undefined
      if (state === 'open') {
        await client.query('rollback').catch((lost: Error) => {
          broken = lost
        })
      }
      state = 'closed'
      client.release(broken)
      release()
    },
  }
  try {
    await client.query('begin')
    await client.query(lock)
    return transaction
  } catch (error) {
    await transaction.close()
    throw error
  }
}

/** Works in a transaction that holds an advisory lock, and commits it. */
export async function lockedTransaction<T>(pool: pg.Pool, lock: pg.QueryConfig, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const transaction = await beginLocked(pool, lock)
  try {
    const result = await work(transaction.client)
    await transaction.commit()
    return result
  } finally {
    await transaction.close()
  }
}

/** Works in a transaction of kysely that holds an advisory lock, and commits it. */
export async function lockedTx<T>(
  { pool, sql }: Pick<Database, 'pool' | 'sql'>,
  lock: pg.QueryConfig,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const release = await turnOf(pool, lock)
  try {
    return await sql.transaction().execute(async (tx) => {
      await runOn(tx, lock)
      return work(tx)
    })
  } finally {
    release()
  }
}

/**
 * Waits for the turn at a lock, and returns the function that ends it. Of those in this process who want one lock, one has a connection: a flood of requests
 * that exclude each other must not hold the connections of all others while they wait.
 */
function turnOf(pool: pg.Pool, { name, values }: pg.QueryConfig): Promise<() => void> {
  const shared = sharedPool(pool)
  const turns = turnsOf.get(shared) ?? fairTurns({ permits: Number.MAX_SAFE_INTEGER, perTenant: 1 })
  turnsOf.set(shared, turns)
  return turns.take(JSON.stringify([name, values]))
}
const turnsOf = new WeakMap<pg.Pool, FairTurns>()

/** Returns the statement that takes the lock with this name. */
export function lockOn(name: string): pg.QueryConfig {
  return LOCK.bind({ name })
}

/** Returns the expression that takes the lock of a name until the transaction ends. */
export function takenLock(name: string): string {
  return `pg_advisory_xact_lock(hashtextextended(${name}, 0))`
}

/** Takes a single lock. */
const LOCK = statement('lock-order', ['name'], `select ${takenLock(':name')}`)
