import { type Kysely, sql } from 'kysely'

/**
 * The W3C trace context of what appended an event, where traces are on: its run, and the deliveries of the event, go on in that trace. It stands with
 * the event and not in the outbox, whose rows are gone once they are carried. It is no part of the record: no hash covers it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table order_events add column traceparent text').execute(db)
}
