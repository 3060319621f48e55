import { type Kysely, sql } from 'kysely'

/** When the catalog and the cards of a drop were checked: what has been published since, its refused rows have not been checked against. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table drops add column checked_at timestamptz').execute(db)
}
