import { type Kysely, sql } from 'kysely'

/**
 * An order's key is looked up by its rarer half first. With the buyer in front the planner could take any index of the buyer's orders for it,
 * and on tables that were never analyzed it did: each create then walked all orders of its buyer.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table orders
  drop constraint orders_buyer_entity_external_order_id_key,
  add constraint orders_external_key unique (external_order_id, buyer_entity);
`)
    .execute(db)
}
