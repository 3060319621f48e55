import { type Kysely, sql } from 'kysely'

/**
 * From which date a placed order is in force in its family: what is before stays with the order placed before it, so that an air date of a family is
 * booked and billed once (choices, Invoices: basis, family). Receipts say it from now on. What is stored of orders that were placed before follows from
 * the logs of their families. Months that are invoiced already are looked at again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [TABLE, FOUND, SPOTS, COPIES, DRAWN]) await sql.raw(statement).execute(db)
}

const TABLE = `
create table earlier_in_force (
  order_id      text primary key references orders,
  in_force_from date not null
);
create trigger earlier_in_force_append_only before update or delete on earlier_in_force for each row execute function refuse_change();
create trigger earlier_in_force_never_truncated before truncate on earlier_in_force for each statement execute function refuse_change();
alter table earlier_in_force enable row level security;
create policy platform on earlier_in_force to marketplace_platform using (true) with check (true);
create policy tenant_select on earlier_in_force for select to marketplace_app
  using (exists (select from orders o where o.order_id = earlier_in_force.order_id offset 0));
grant select on earlier_in_force to marketplace_app;
`

/** The UTC date on which the last order of the family that was placed before ended. */
const FOUND = `
insert into earlier_in_force
select o.order_id, max((m.updated_at at time zone 'utc')::date)
from orders o join orders m on m.root = o.root and m.status = 'canceled' and (m.placed_at, m.order_id) < (o.placed_at, o.order_id)
where o.placed_at is not null group by o.order_id
`

const SPOTS = `
with emptied as (
  update booked_spots s set units = 0, gross = 0 from earlier_in_force e
  where s.order_id = e.order_id and s.air_date < e.in_force_from and s.units > 0 returning s.order_id, s.seller
)
insert into reconcile_due (order_id, seller) select distinct order_id, seller from emptied on conflict (order_id) do nothing
`

const COPIES = `
delete from booked_copies c using booked_spots s where s.order_id = c.order_id and s.air_date = c.air_date and s.units = 0
`

/** The units in force at their locked rates: rounded up to the last of them, less what is rounded up to the first. */
const DRAWN = `
with revisions as (
  select order_id, to_char(in_force_from, 'YYYY-MM-DD') as starts_on,
    case when status = 'canceled' then to_char(updated_at at time zone 'utc', 'YYYY-MM-DD') else '9999' end as ends_on,
    (snapshot_head || snapshot_lines || '}')::jsonb as snapshot
  from earlier_in_force join orders using (order_id) join order_records r using (order_id)
  where agreement_id is not null and r.facts::jsonb->>'settlement_mode' = 'cleared'
), bookings as (
  select order_id, jsonb_array_elements(r.facts::jsonb->'lines') as booking from revisions join order_records r using (order_id)
  union all
  select order_id, jsonb_array_elements(e.body::jsonb->'line_bookings') from revisions join order_events e using (order_id)
  where e.body like '%"line_bookings":%'
), lines as (
  select order_id, line->>'unit_id' as unit_id, (line->'rate'->>'unit_cost')::numeric as unit_cost, coalesce((line->'rate'->>'cpm')::numeric, 0) as cpm,
    (select coalesce(sum((aired->>'units')::numeric) filter (where aired->>'date' < starts_on), 0) from jsonb_array_elements(line->'allocation') aired) as before,
    (select coalesce(sum((aired->>'units')::numeric) filter (where aired->>'date' < greatest(starts_on, ends_on)), 0)
      from jsonb_array_elements(line->'allocation') aired) as up_to
  from revisions, jsonb_array_elements(snapshot->'line_items') as line where line->>'status' = 'accepted'
), priced as (
  select l.order_id, before, up_to, coalesce(unit_cost, cpm * coalesce((b.booking->>'impressions_per_unit')::numeric, 0) / 1000) as price
  from lines l left join bookings b on b.order_id = l.order_id and b.booking->>'unit_id' = l.unit_id
), billable as (
  select order_id, sum(round(price * up_to, 2) - round(price * before, 2)) as gross from priced group by order_id
)
update orders set drawn = greatest(coalesce(b.gross, 0) + coalesce((r.snapshot->'cancellation'->'notice'->>'fee_amount')::numeric, 0) - settled_gross, 0),
  invoice_due_at = least(invoice_due_at, now())
from revisions r left join billable b using (order_id) where orders.order_id = r.order_id
`
