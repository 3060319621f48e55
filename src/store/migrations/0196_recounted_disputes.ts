import { type Kysely, sql } from 'kysely'

/**
 * Counts the disputes of orders that are too large to be matched as migration 0195 does. In a transaction of its own: it locks reconciliations, which
 * actions lock before they read the table that 0195 changes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`select recount_disputed(order_id) from reconciliations where state = 'too_large' order by order_id`.execute(db)
}
