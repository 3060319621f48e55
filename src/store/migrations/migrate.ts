import { Kysely, Migrator, PostgresDialect } from 'kysely'
import pg from 'pg'
import { beginFeedEraIfMoved } from '../delivery/feedEra.ts'
import { migrations } from './list.ts'

/**
 * Brings a database to this version's schema, as the user of the URL (who becomes the owner). Safe to call from several processes at once. One that
 * has come from another cluster begins a new era of its feed.
 */
export async function migrate(databaseUrl: string): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: databaseUrl, max: 1 }) }) })
  try {
    const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest()
    if (error !== undefined) throw error
  } finally {
    await db.destroy()
  }
  await beginFeedEraIfMoved(databaseUrl)
}
