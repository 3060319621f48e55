import { type Kysely, sql } from 'kysely'

/**
 * A seller's approval rules, in their order; which gate an order's workflow is to ask before people decide; and the approval queue, which is
 * read by deadline.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table sellers add column approval_rules json not null default '[]';
alter table orders add column gate_due text;
create index orders_queue on orders (seller, decide_by, order_id) where status = 'seller_review';
`)
    .execute(db)
}
