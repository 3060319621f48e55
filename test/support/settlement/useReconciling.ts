import { beforeAll } from '@jest/globals'
import { type UsedDatabase, useDatabase } from '../useDatabase.ts'
import { type Recompute, recomputeOf } from './reconciling.ts'

/** Provides a database with one seller, and the recompute of its orders. */
export function useReconciling(seller: string): { readonly db: UsedDatabase; readonly recompute: Recompute } {
  const db = useDatabase()
  beforeAll(async () => {
    await db.owner().query(`insert into tenants (entity, side, name) values ($1, 'seller', $1)`, [seller])
    await db.owner().query(`insert into sellers (seller, profile) values ($1, '{}')`, [seller])
  })
  return { db, recompute: (...asked) => recomputeOf({ databaseUrl: db.url })(...asked) }
}
