import { type Kysely, sql } from 'kysely'

/**
 * What a create writes about its orders is checked against a list, not by a search for each row: the sight of a create also names the new orders, in
 * a third setting that is signed together with the tenants that the transaction acts for. Every other statement is checked as before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(FUNCTION).execute(db)
  for (const table of ['order_records', 'order_events', 'order_uploads'])
    await sql.raw(`alter policy tenant_insert on ${table} with check (${OF_NEW_OR_OWN_ORDER})`).execute(db)
}

const FUNCTION = `
create function creating_orders() returns text[] language sql stable as $$
  select case when pg_catalog.current_setting('marketplace.creating', true) operator(pg_catalog.<>) '' then
    public.sight_in(pg_catalog.current_setting('marketplace.creating', true),
      'creating:' operator(pg_catalog.||) pg_catalog.left(pg_catalog.current_setting('marketplace.acting', true), 64) operator(pg_catalog.||) ':') end
$$;
`

const OF_NEW_OR_OWN_ORDER = 'order_id = any((select creating_orders())::text[]) or is_party(order_id, (select acting_tenants()))'
