import { Kysely, Migrator, PostgresDialect } from 'kysely'
import pg from 'pg'
import { SchemaError } from '../connection/schemaError.ts'
import { beginFeedEraIfMoved } from '../delivery/feedEra.ts'
import { migrations } from './list.ts'

/**
 * Brings a database to this version's schema, as the user of the URL (who becomes the owner). Safe to call from several processes at once. One that
 * has come from another cluster begins a new era of its feed. Returns the names of the migrations that it applied; all are applied, or none.
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const applied = await withMigrator(databaseUrl, async (migrator) => {
    const { error, results = [] } = await migrator.migrateToLatest()
    if (error !== undefined) throw error
    return results.map(({ migrationName }) => migrationName)
  })
  await beginFeedEraIfMoved(databaseUrl)
  return applied
}

/** The names of the migrations that `migrate` would apply; changes nothing. */
export function pendingMigrations(databaseUrl: string): Promise<string[]> {
  return withMigrator(databaseUrl, async (migrator) => {
    const known = await migrator.getMigrations()
    return known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name)
  })
}

async function withMigrator<T>(databaseUrl: string, work: (migrator: Migrator) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    await refuseLaterSchema(pool)
    // Numbers leave gaps, so a migration may come below those that a database has; none needs one of a higher number.
    return await work(new Migrator({ db, provider: { getMigrations: async () => migrations }, allowUnorderedMigrations: true }))
  } finally {
    await db.destroy()
  }
}

/** Kysely refuses it too, but by a complaint about corrupted migrations. */
async function refuseLaterSchema(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query(`select to_regclass('kysely_migration') is not null as migrated`)
  if (!rows[0].migrated) return
  const { rows: applied } = await pool.query<{ name: string }>('select name from kysely_migration order by name')
  const unknown = applied.find(({ name }) => !Object.hasOwn(migrations, name))
  if (unknown !== undefined)
    throw new SchemaError(
      `The database has the migration ${unknown.name}, which this version does not know; use the version that applied it.`,
    )
}
