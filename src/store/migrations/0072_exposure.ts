import { type Kysely, sql } from 'kysely'

/**
 * `orders.gross` of orders with countered lines, as every append writes it: an ask that waits for the answer to a counter counts at the higher of the
 * two amounts. Orders that were negotiating when this rule came counted too little until their next event.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
with countered as (
  select order_id, (snapshot_head || snapshot_lines || '}')::jsonb->'line_items' as line_items
  from orders where snapshot_lines like '%"status":"countered"%'
), bookings as (
  select order_id, jsonb_array_elements(r.facts::jsonb->'lines') as booking from countered join order_records r using (order_id)
  union all
  select order_id, jsonb_array_elements(e.body::jsonb->'line_bookings') from countered join order_events e using (order_id)
  where e.body like '%"line_bookings":%'
), lines as (
  select order_id, line->>'unit_id' as unit_id, line->>'status' as status, line->>'in_response_to' as in_response_to,
    (line->'rate'->>'unit_cost')::numeric as unit_cost, coalesce((line->'rate'->>'cpm')::numeric, 0) as cpm,
    (case line->>'status' when 'accepted' then line->>'num_accepted' when 'rejected' then '0' else line->>'units' end)::numeric as units
  from countered, jsonb_array_elements(line_items) as line
), amounts as (
  select l.*, round(coalesce(unit_cost * units, cpm * coalesce((b.booking->>'impressions_per_unit')::numeric, 0) * units / 1000), 2) as amount
  from lines l left join bookings b on b.order_id = l.order_id and b.booking->>'unit_id' = l.unit_id
), counters as (
  select order_id, in_response_to as unit_id, amount from amounts where in_response_to is not null and status = 'countered'
), exposures as (
  select a.order_id, sum(greatest(a.amount, c.amount)) as exposure
  from amounts a left join counters c on c.order_id = a.order_id and c.unit_id = a.unit_id and a.status = 'countered'
  where a.in_response_to is null or a.status <> 'countered' group by a.order_id
)
update orders set gross = exposure from exposures where orders.order_id = exposures.order_id and orders.gross <> exposure;
`)
    .execute(db)
}
