import { type Kysely, sql } from 'kysely'

/** When an order was placed, whatever has become of it since: the stamp of the event that placed it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table orders add column placed_at timestamptz;

update orders set placed_at = e.occurred_at
from feed f join order_events e on e.order_id = f.order_id and e.seq = f.seq
where f.status = 'placed' and f.order_id = orders.order_id and f.tenant = orders.seller;
`)
    .execute(db)
}
