import { type Kysely, sql } from 'kysely'

/** Every process checks at its start that the database has the migrations that it needs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('grant select on kysely_migration to marketplace_app').execute(db)
}
