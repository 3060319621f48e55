import { type Kysely, sql } from 'kysely'

/**
 * The date from which on a canceled order books nothing, in the time zone of its products. Rows whose reference several orders of a family
 * share go to the one that is in force on their date. Null for orders that are not canceled, and for those that earlier releases have booked.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table booked_orders add column ends_on date').execute(db)
}
