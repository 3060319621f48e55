import type pg from 'pg'
import { statement } from './statement.ts'

/**
 * Works in a transaction that holds an advisory lock. Takes the lock first, since the lock takes no transaction id: the feed, which is
 * ordered by transaction id, then cannot invert an order's own seq (architecture, Lock first).
 */
export async function lockedTransaction<T>(pool: pg.Pool, lock: pg.QueryConfig, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    await client.query(lock)
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((lost: Error) => {
      broken = lost
    })
    throw error
  } finally {
    client.release(broken)
  }
}

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
