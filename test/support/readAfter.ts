import type pg from 'pg'
import { txOn } from '../../src/store/connection/txOn.ts'

type Undone = { readonly pool: pg.Pool; readonly sql: ReturnType<typeof txOn> }

/**
 * Returns what is read after changes that are undone again. As the owner, without triggers and references, so that any row may be another
 * tenant's or in another state for one read.
 */
export async function readAfter<T>(pool: pg.Pool, changes: string, read: (db: Undone) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set local role none')
    await client.query('set local session_replication_role = replica')
    await client.query(changes)
    return await read({ pool: client as unknown as pg.Pool, sql: txOn(client) })
  } finally {
    await client.query('rollback')
    client.release()
  }
}
