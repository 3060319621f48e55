import { afterAll, beforeAll } from '@jest/globals'
import type pg from 'pg'
import { type Database, openDatabase } from '../../src/store/connection/database.ts'
import { type OrderLog, openOrderLog } from '../../src/store/orders/orderLog.ts'
import { type ClonedDatabase, cloneDatabase, ownerPool } from './engines/database.ts'

/** A database opened by `useDatabase`, with its connection string. */
export interface UsedDatabase extends Database {
  readonly url: string
  /** An order log that wakes nobody. */
  readonly log: OrderLog
  /** Returns the database as its owner, exempt from the policies of the tables, on one connection. */
  owner(): pg.Pool
  /** Registers work for after the last test, while the database is still open. */
  beforeStop(work: () => unknown): void
}

/**
 * Provides a migrated database for the tests of a file or a describe: opened before the first, dropped after the last. Nothing of it can
 * be read before it is open.
 */
export function useDatabase(options?: Parameters<typeof openDatabase>[1]): UsedDatabase {
  const works: (() => unknown)[] = []
  let pool: pg.Pool | undefined
  let cloned: ClonedDatabase | undefined
  const used = {
    owner: () => (pool ??= ownerPool(used.url)),
    beforeStop: (work) => void works.unshift(work),
  } as UsedDatabase
  beforeAll(async () => {
    cloned = await cloneDatabase()
    const db = openDatabase(cloned.url, options)
    Object.assign(used, db, { url: cloned.url, log: openOrderLog(db, () => undefined) })
  })
  afterAll(async () => {
    try {
      for (const work of works) await work()
    } finally {
      await pool?.end()
      await used.close()
      await cloned?.drop()
    }
  })
  return used
}
