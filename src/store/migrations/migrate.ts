import { Kysely, type Migration, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { SchemaError } from '../connection/schemaError.ts'
import { beginFeedEraIfMoved } from '../delivery/feedEra.ts'
import { migrations } from './list.ts'
import { refuseUnreleased } from './requireSchema.ts'

/**
 * Brings a database to this version's schema, as the user of the URL (who becomes the owner). Each migration is a transaction of its own, recorded with
 * what it did: one that fails, or is stopped, leaves those before it whole, and the next call goes on. Safe to call from several processes at once. A
 * database that has come from another cluster begins a new era of its feed. Calls `onApplied` after each commit; returns the names of all it applied.
 */
export async function migrate(databaseUrl: string, onApplied: (name: string) => void = () => undefined): Promise<string[]> {
  const applied: string[] = []
  await onOneConnection(databaseUrl, async (db) => {
    await lockForRun(db)
    await refuseLaterSchema(db)
    await createVersionTable(db)
    for (const [name, migration] of await pendingOf(db)) {
      await applyOne(db, name, migration)
      applied.push(name)
      onApplied(name)
    }
  })
  await beginFeedEraIfMoved(databaseUrl)
  return applied
}

/** The names of the migrations that `migrate` would apply; changes nothing. */
export function pendingMigrations(databaseUrl: string): Promise<string[]> {
  return onOneConnection(databaseUrl, async (db) => {
    await refuseLaterSchema(db)
    return (await pendingOf(db)).map(([name]) => name)
  })
}

async function applyOne(db: Kysely<unknown>, name: string, { up }: Migration): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await up(transaction)
    await sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(transaction)
  })
}

/** Numbers leave gaps, so a migration may come below those that a database has; none needs one of a higher number. */
async function pendingOf(db: Kysely<unknown>): Promise<[string, Migration][]> {
  const applied = await appliedOf(db)
  return Object.entries(migrations)
    .filter(([name]) => !applied.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1))
}

async function appliedOf(db: Kysely<unknown>): Promise<ReadonlySet<string>> {
  const { rows: tables } = await sql<{ present: boolean }>`select to_regclass('kysely_migration') is not null as present`.execute(db)
  if (!tables[0]?.present) return new Set()
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

async function refuseLaterSchema(db: Kysely<unknown>): Promise<void> {
  const applied = await appliedOf(db)
  refuseUnreleased(applied)
  const unknown = [...applied].sort().find((name) => !Object.hasOwn(migrations, name))
  if (unknown !== undefined)
    throw new SchemaError(`The database has the migration ${unknown}, which this version does not know; use the version that applied it.`)
}

/** As Kysely's own migrator makes it. */
async function createVersionTable(db: Kysely<unknown>): Promise<void> {
  await sql`create table if not exists kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(
    db,
  )
}

/** Who comes second waits, and then finds nothing to do. The end of the session frees the lock, however it ends. */
async function lockForRun(db: Kysely<unknown>): Promise<void> {
  // A limit that the database may set on waiting for locks is not meant for this one.
  await sql`select pg_advisory_lock(${sql.lit(MIGRATION_LOCK)}) from (select set_config('lock_timeout', '0', true)) as without_limit`.execute(
    db,
  )
}

/** The key that Kysely's migrator locks. The same in all releases, so that a migrate of another one waits for this one, and the reverse. */
const MIGRATION_LOCK = 3853314791062309107n

async function onOneConnection<T>(databaseUrl: string, work: (db: Kysely<unknown>) => Promise<T>): Promise<T> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: databaseUrl, max: 1 }) }) })
  try {
    return await db.connection().execute(work)
  } finally {
    await db.destroy()
  }
}
