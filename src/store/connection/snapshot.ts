import type { Database } from './database.ts'
import { kyselyOn } from './txOn.ts'

/** The source of reads: the pool, or a snapshot of it. */
export interface Reading {
  readonly sql: Database['sql']
  readonly pool: Pick<Database['pool'], 'query'>
}

/**
 * Runs several reads of one moment, part by part: all of them see the state at the first read, despite concurrent publishes. The snapshot
 * and its connection last until the reader has taken the last part, or stops.
 */
export async function* partsOfSnapshot<T>(
  { pool }: Pick<Database, 'pool'>,
  read: (snapshot: Reading) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const client = await pool.connect()
  let isWhole = false
  try {
    await client.query('begin isolation level repeatable read read only')
    yield* read({ pool: client, sql: kyselyOn(client) })
    isWhole = true
  } finally {
    const ended = await client.query(isWhole ? 'commit' : 'rollback').catch((error: Error) => error)
    client.release(ended instanceof Error)
  }
}
