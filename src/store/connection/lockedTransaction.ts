import type pg from 'pg'
import { statement } from './statement.ts'

/**
 * Works in a transaction that holds an advisory lock. The lock comes first: it takes no transaction id, so that the order of the feed, by transaction
 * id, cannot invert an order's own seq (architecture, Lock first).
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

/** The statement that takes the lock of this name. */
export function lockOn(name: string): pg.QueryConfig {
  return LOCK.bind({ name })
}

/** The expression that takes the lock of a name, until the transaction ends. */
export function takenLock(name: string): string {
  return `pg_advisory_xact_lock(hashtextextended(${name}, 0))`
}

/** Takes one lock. */
const LOCK = statement('lock-order', ['name'], `select ${takenLock(':name')}`)
