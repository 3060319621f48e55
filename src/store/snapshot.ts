import type { Database } from './database.ts'
import { kyselyOn } from './txOn.ts'

/** What reads are asked of: the pool, or a snapshot of it. */
export interface Reading {
  readonly sql: Database['sql']
  readonly pool: Pick<Database['pool'], 'query'>
}

/** Several reads of one moment: whatever is published meanwhile, all of them see what was there at the first. */
export async function inSnapshot<T>(db: Pick<Database, 'pool'>, read: (snapshot: Reading) => Promise<T>): Promise<T> {
  const { snapshot, end } = await openSnapshot(db)
  let isWhole = false
  try {
    const answer = await read(snapshot)
    isWhole = true
    return answer
  } finally {
    await end(isWhole)
  }
}

/** The same for what is read part by part. The snapshot and its connection last until the reader has taken the last part, or leaves. */
export async function* partsOfSnapshot<T>(db: Pick<Database, 'pool'>, read: (snapshot: Reading) => AsyncGenerator<T>): AsyncGenerator<T> {
  const { snapshot, end } = await openSnapshot(db)
  let isWhole = false
  try {
    yield* read(snapshot)
    isWhole = true
  } finally {
    await end(isWhole)
  }
}

async function openSnapshot({ pool }: Pick<Database, 'pool'>): Promise<{ snapshot: Reading; end(isWhole: boolean): Promise<void> }> {
  const client = await pool.connect()
  const end = async (isWhole: boolean) => {
    const ended = await client.query(isWhole ? 'commit' : 'rollback').catch((error: Error) => error)
    client.release(ended instanceof Error)
  }
  try {
    await client.query('begin isolation level repeatable read read only')
  } catch (error) {
    await end(false)
    throw error
  }
  return { snapshot: { pool: client, sql: kyselyOn(client) }, end }
}
