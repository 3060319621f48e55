import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'

/** Repeats steps of migrations, as the owner of the tables, on a database that a test has reset to the state before them. */
export async function migrateAgain(owner: pg.Pool, ...steps: readonly ((db: Kysely<unknown>) => Promise<unknown>)[]): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: owner }) })
  for (const up of steps) await up(db)
}
