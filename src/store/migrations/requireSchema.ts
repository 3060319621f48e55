import { sql } from 'kysely'
import type { Database } from '../connection/database.ts'
import { SchemaError } from '../connection/schemaError.ts'
import { migrations } from './list.ts'

/**
 * Fails with a SchemaError if the database lacks a migration of this version. It may have those of the next version: during an upgrade, and after going
 * back from one, processes work on the schema of the version that follows theirs.
 */
export async function requireSchema({ sql: db }: Pick<Database, 'sql'>): Promise<void> {
  const applied = await appliedMigrations(db)
  const missing = Object.keys(migrations).filter((name) => !applied.has(name))
  if (missing.length === 0) return
  throw new SchemaError(
    `The database lacks ${missing.length === 1 ? 'the migration' : `${missing.length} migrations, the first of which is`} ${missing[0]}: ` +
      'migrate it first (npm run migrate), or correct DATABASE_URL.',
  )
}

async function appliedMigrations(db: Database['sql']): Promise<ReadonlySet<string>> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
    return new Set(rows.map(({ name }) => name))
  } catch (error) {
    // The migration that lets processes read this table is itself missing.
    if ((error as { code?: unknown }).code === INSUFFICIENT_PRIVILEGE)
      return new Set(Object.keys(migrations).filter((name) => name < READABLE))
    throw error
  }
}

const INSUFFICIENT_PRIVILEGE = '42501'
const READABLE = '0176_readable_schema'
