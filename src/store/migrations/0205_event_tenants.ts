import { type Kysely, sql } from 'kysely'

/**
 * The parties of an order beside each of its events, so that the policy of events needs no search for the order of each. Events that earlier releases
 * have written, or still write during an upgrade, name none: for these it searches as before.
 *
 * The columns have names that no table has which a statement may join: it would not know which one is meant, that of an earlier release least of all.
 *
 * Who writes an event may name only the parties of its order, who never change; who begins the log of a new order (migration 0085), itself as the buyer.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [COLUMNS, ARE_PARTIES, POLICIES]) await sql.raw(statement).execute(db)
}

const COLUMNS = 'alter table order_events add column order_seller text, add column order_buyer text'

/** Volatile for the reason that `is_party` is (migration 0061). */
const ARE_PARTIES = `
create function are_parties(wanted text, its_seller text, its_buyer text, tenants text[]) returns boolean language plpgsql volatile security definer as $$
begin
  return exists (select from public.orders o where o.order_id operator(pg_catalog.=) wanted
    and array[o.seller, o.buyer_entity] operator(pg_catalog.&&) tenants
    and (its_buyer is null or (o.seller operator(pg_catalog.=) its_seller and o.buyer_entity operator(pg_catalog.=) its_buyer)));
end $$;
revoke execute on function are_parties from public;
grant execute on function are_parties to marketplace_app;
`

const ACTING = '(select acting_tenants())'

const POLICIES = `
alter policy tenant_select on order_events using (case when order_buyer is null
  then exists (select from orders o where o.order_id = order_events.order_id offset 0)
  else array[order_seller, order_buyer] && ${ACTING} end);
alter policy tenant_insert on order_events with check (
  (order_id = any((select creating_orders())::text[]) and (order_buyer is null or order_buyer = any(${ACTING}::text[])))
  or are_parties(order_id, order_seller, order_buyer, ${ACTING}));
`
