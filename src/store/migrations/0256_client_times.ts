import { type Kysely, sql } from 'kysely'

/** When a file was last changed before it was sent, as its client has said, and the tag of the object that this applies to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table drop_files add column client_changed_at timestamptz, add column client_changed_tag text').execute(db)
}
