import { type Kysely, sql } from 'kysely'

/**
 * Marks the booked orders under an agreement to be reconciled, and wakes the run of their seller: the agreement says within how many minutes spots and rows
 * match. A function of the owner, because who changes an agreement may not write the platform's own tables.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [INDEX, MARK]) await sql.raw(statement).execute(db)
}

const INDEX = 'create index booked_orders_under_agreement on booked_orders (agreement_id) where agreement_id is not null'

const MARK = `
create function mark_agreement_due(changed text, asking text) returns void language sql security definer set search_path = pg_catalog as $$
  with due as (
    insert into public.reconcile_due (order_id, seller)
    select order_id, seller from public.booked_orders where agreement_id = changed and seller = asking order by order_id
    on conflict (order_id) do update set marked_at = excluded.marked_at, due_at = excluded.due_at returning order_id
  ), waits as materialized (
    select from public.outbox where kind = 'reconcile' and target = asking and attempts = 0 limit 1 for update skip locked
  )
  insert into public.outbox (kind, target, claimable_at) select 'reconcile', asking, now() + interval '2 s'
  where exists (select from due) and not exists (select from waits)
$$;
revoke execute on function mark_agreement_due from public;
grant execute on function mark_agreement_due to marketplace_app, marketplace_platform;
`
