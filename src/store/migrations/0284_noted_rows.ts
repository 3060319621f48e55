import { type Kysely, sql } from 'kysely'

/** What rows of logs and invoices say besides: the seller's number of the line, whether the spot is a bonus, and the spots that it makes good. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['as_run_rows', 'as_run_rows_aside', 'billed_rows', 'billed_rows_aside'])
    await sql.raw(`alter table ${table} add column noted jsonb`).execute(db)
}
