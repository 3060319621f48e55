import { type Kysely, sql } from 'kysely'

/** Products that a plan had made for one buyer: of the seller's catalog like any other, and in sight of that buyer alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table products add column minted_for text').execute(db)
}
