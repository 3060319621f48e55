import type { Database } from './database.ts'
import { kyselyOn } from './txOn.ts'

/** What reads are asked of: the pool, or a snapshot of it. */
export interface Reading {
  readonly sql: Database['sql']
  readonly pool: Pick<Database['pool'], 'query'>
}

/** Several reads of one moment: whatever is published meanwhile, all of them see what was there at the first. */
export async function inSnapshot<T>({ pool }: Pick<Database, 'pool'>, read: (snapshot: Reading) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let isWhole = false
  try {
    await client.query('begin isolation level repeatable read read only')
    const answer = await read({ pool: client, sql: kyselyOn(client) })
    isWhole = true
    return answer
  } finally {
    const ended = await client.query(isWhole ? 'commit' : 'rollback').catch((error: Error) => error)
    client.release(ended instanceof Error)
  }
}
