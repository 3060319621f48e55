import { type Kysely, sql } from 'kysely'

/**
 * What the lines of an order guarantee of audiences is part of what it books. Stored orders are booked again when they are reconciled next. Whether an
 * outbox row already waits to wake the reconciliation of a seller is found by an index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [GUARANTEES, DUE, WAKES]) await sql.raw(statement).execute(db)
}

const GUARANTEES = `
alter table booked_orders add column guarantees json not null default '[]'; -- impressions per unit by line, with the stream that they are posted by
update booked_orders set booked_seq = null;
`

const DUE = `
insert into reconcile_due (order_id, seller) select order_id, seller from booked_orders on conflict (order_id) do nothing;
`

const WAKES = `
create index outbox_of_reconcile on outbox (target) where kind = 'reconcile';
`
