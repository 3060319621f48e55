import { type Kysely, sql } from 'kysely'

/** A request to process files again is found by its manifest while its run is open. Runs from before are never found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table drops add column manifest_sha256 text').execute(db)
}
