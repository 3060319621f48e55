import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'

/** Takes steps of migrations again, as the owner of the tables, on a database that a test has put back to what it was before them. */
export async function migrateAgain(owner: pg.Pool, ...steps: readonly ((db: Kysely<unknown>) => Promise<unknown>)[]): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: owner }) })
  for (const up of steps) await up(db)
}
