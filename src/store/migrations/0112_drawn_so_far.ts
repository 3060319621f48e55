import { type Kysely, sql } from 'kysely'

/**
 * What stored orders draw on the credit of their agreements, and when they are to be looked at for an invoice. Orders that were canceled after their
 * placement drew nothing so far; from now on what stays billable of them counts, with their late fee (choices, Pacing, credit).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [OPEN, ENDED, DUE]) await sql.raw(statement).execute(db)
}

const CLEARED = `agreement_id is not null
  and (select r.facts::jsonb->>'settlement_mode' from order_records r where r.order_id = orders.order_id) = 'cleared'`

const OPEN = `
update orders set drawn = gross where status not in ('canceled', 'rejected', 'failed') and gross <> 0 and ${CLEARED};
`

/** The units before the day of the cancellation at their locked rates, rounded once per line as months add up to it, and the fee. */
const ENDED = `
with ended as (
  select order_id, to_char(updated_at at time zone 'utc', 'YYYY-MM-DD') as canceled_on, (snapshot_head || snapshot_lines || '}')::jsonb as snapshot
  from orders where status = 'canceled' and placed_at is not null and ${CLEARED}
), bookings as (
  select order_id, jsonb_array_elements(r.facts::jsonb->'lines') as booking from ended join order_records r using (order_id)
  union all
  select order_id, jsonb_array_elements(e.body::jsonb->'line_bookings') from ended join order_events e using (order_id)
  where e.body like '%"line_bookings":%'
), lines as (
  select order_id, line->>'unit_id' as unit_id, (line->'rate'->>'unit_cost')::numeric as unit_cost, coalesce((line->'rate'->>'cpm')::numeric, 0) as cpm,
    (select coalesce(sum((aired->>'units')::numeric), 0) from jsonb_array_elements(line->'allocation') aired where aired->>'date' < canceled_on) as units
  from ended, jsonb_array_elements(snapshot->'line_items') as line where line->>'status' = 'accepted'
), billable as (
  select l.order_id, sum(round(coalesce(unit_cost * units, cpm * coalesce((b.booking->>'impressions_per_unit')::numeric, 0) * units / 1000), 2)) as gross
  from lines l left join bookings b on b.order_id = l.order_id and b.booking->>'unit_id' = l.unit_id group by l.order_id
)
update orders set drawn = coalesce(b.gross, 0) + coalesce((e.snapshot->'cancellation'->'notice'->>'fee_amount')::numeric, 0)
from ended e left join billable b using (order_id) where orders.order_id = e.order_id;
`

/** Monday 14:00 UTC after the last Sunday of the broadcast month of a date. */
const clearsAfter = (
  date: string,
) => `(date_trunc('week', date_trunc('month', date_trunc('week', ${date}) + interval '6 days') + interval '1 month')
  + interval '14 hours') at time zone 'utc'`

/** At the latest when the first month clears: to look too early does no harm. */
const DUE = `
update orders set invoice_due_at = least(
  (select ${clearsAfter(`min((aired->>'date')::timestamp)`)}
    from jsonb_array_elements((snapshot_head || snapshot_lines || '}')::jsonb->'line_items') as line, jsonb_array_elements(line->'allocation') as aired),
  case when status = 'canceled' then ${clearsAfter(`(updated_at at time zone 'utc')`)} end)
where placed_at is not null and status in ('placed', 'canceled') and ${CLEARED};
`
