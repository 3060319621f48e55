import { afterAll, beforeAll } from '@jest/globals'
import { Kysely, Migrator, PostgresDialect } from 'kysely'
import pg from 'pg'
import { migrations } from '../../src/store/migrations/list.ts'
import { type ClonedDatabase, emptyDatabase } from './engines/database.ts'

/** A database that the file migrates step by step. */
export interface OldDatabase {
  /** Connects as the owner of the tables. */
  readonly pool: pg.Pool
  rows(sql: string): Promise<Record<string, unknown>[]>
  migrateTo(migration: string): Promise<void>
  migrateToNow(): Promise<void>
}

export function useOldDatabase(): OldDatabase {
  const names = Object.keys(migrations)
  let database: ClonedDatabase
  let db: Kysely<unknown>
  const migrateTo = async (last = '') => {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations }, allowUnorderedMigrations: true })
    const { error } = await migrator.migrateTo(last)
    if (error !== undefined) throw error
  }
  const old = {
    rows: async (sql: string) => (await old.pool.query(sql)).rows,
    migrateTo,
    migrateToNow: () => migrateTo(names.at(-1)),
  } as OldDatabase & { pool: pg.Pool }
  beforeAll(async () => {
    database = await emptyDatabase()
    old.pool = new pg.Pool({ connectionString: database.url, max: 2 })
    old.pool.on('error', () => undefined) // dropping the database may end a connection that is still being closed
    db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: old.pool }) })
  })
  afterAll(async () => {
    await db.destroy()
    await database.drop()
  })
  return old
}
