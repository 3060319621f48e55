import { type Kysely, sql } from 'kysely'

/**
 * A change of the minutes of an agreement leaves one row, however many orders are under it: the run of the seller marks these, some at a time. Row security
 * allows a seller its own rows alone, so that the function no longer runs with the rights of its owner.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [TABLE, POLICIES, INDEX, MARK]) await sql.raw(statement).execute(db)
}

const TABLE = `
create table agreements_due (
  agreement_id text primary key references agreements,
  seller       text not null references sellers,
  after_order  text not null default '', -- its orders up to this one are marked
  marked_at    timestamptz not null default now()
);
create index agreements_due_of_seller on agreements_due (seller);
grant select, insert, update on agreements_due to marketplace_app;
grant delete on agreements_due to marketplace_platform;
`

const OWN = 'seller = any((select acting_tenants())::text[])'
const POLICIES = `
alter table agreements_due enable row level security;
create policy platform on agreements_due to marketplace_platform using (true) with check (true);
create policy tenant on agreements_due to marketplace_app using (${OWN}) with check (${OWN});
`

const INDEX = `
create index booked_orders_of_agreement on booked_orders (agreement_id, order_id) where agreement_id is not null;
drop index booked_orders_under_agreement;
`

const MARK = `
create or replace function mark_agreement_due(changed text, asking text) returns void language sql security invoker set search_path = pg_catalog as $$
  insert into public.agreements_due (agreement_id, seller) values (changed, asking)
  on conflict (agreement_id) do update set after_order = excluded.after_order, marked_at = excluded.marked_at;
  insert into public.outbox (kind, target, claimable_at) values ('reconcile', asking, now() + interval '2 s')
$$;
`
