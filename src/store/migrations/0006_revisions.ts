import { type Kysely, sql } from 'kysely'

/** The order that an order revises; it is canceled as superseded when the revision is placed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table orders add column supersedes text').execute(db)
}
