import { type Kysely, sql } from 'kysely'

/** Why a delivery was dropped. Those that were dropped before say nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table deliveries add column dropped_reason text').execute(db)
}
