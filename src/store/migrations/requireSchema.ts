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
  refuseUnreleased(applied)
  const missing = Object.keys(migrations).filter((name) => !applied.has(name))
  if (missing.length === 0) return
  throw new SchemaError(
    `The database lacks ${missing.length === 1 ? 'the migration' : `${missing.length} migrations, the first of which is`} ${missing[0]}: ` +
      'migrate it first (npm run migrate), or correct DATABASE_URL.',
  )
}

/** Fails with a SchemaError for a database of before the first release: the numbers of the migrations began anew with it. */
export function refuseUnreleased(applied: ReadonlySet<string>): void {
  const [first = ''] = Object.keys(migrations)
  if (applied.size === 0 || applied.has(first)) return
  throw new SchemaError(
    'The database was made before the first release and cannot be migrated: move the data directory (DATA_DIR, .data) away, or name an empty database in DATABASE_URL.',
  )
}

async function appliedMigrations(db: Database['sql']): Promise<ReadonlySet<string>> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
    return new Set(rows.map(({ name }) => name))
  } catch (error) {
    // The first migration lets processes read this table.
    if ((error as { code?: unknown }).code === INSUFFICIENT_PRIVILEGE) return new Set()
    throw error
  }
}

const INSUFFICIENT_PRIVILEGE = '42501'
