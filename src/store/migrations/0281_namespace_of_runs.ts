import { type Kysely, sql } from 'kysely'

/**
 * The id of the namespace in Temporal to which the runs of this database belong. A namespace that is made anew has another id and no runs,
 * so that everything that is open gets one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table engine_reports add column namespace_id text').execute(db)
}
