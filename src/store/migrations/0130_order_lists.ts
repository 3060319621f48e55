import { type Kysely, sql } from 'kysely'

/**
 * What lists of orders filter by and show beside the head: advertiser, number of lines, units and first air date, as every append writes them. The
 * first two indexes are of what a tenant shares with an advertiser or with a party, so that no plan walks all orders of the tenant instead; the last
 * two find prefixes of the buyer's own ids in any collation.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [COLUMNS, FILLED, INDEXES]) await sql.raw(statement).execute(db)
}

const COLUMNS = `
alter table orders
  add column advertiser_id  text,
  add column line_count     integer not null default 0,
  add column units          bigint not null default 0,
  add column first_air_date date;
`

const FILLED = `
with shown as (
  select order_id, (snapshot_head || '}')::jsonb as head, (snapshot_head || snapshot_lines || '}')::jsonb as snapshot from orders
), lines as (
  select order_id, line->>'unit_id' as unit_id, line->'in_response_to' is not null as is_counter, (line->>'units')::bigint as units,
    line->'allocation' as allocation
  from shown, jsonb_array_elements(snapshot->'line_items') as line
), asked as (
  select order_id, count(*)::int as line_count, sum(units) as units from lines where not is_counter group by order_id
), accepted as (
  select order_id, min(aired->>'date') as first_date from lines, jsonb_array_elements(allocation) as aired group by order_id
), bookings as (
  select order_id, jsonb_array_elements(facts::jsonb->'lines') as booking from order_records
  union all
  select order_id, jsonb_array_elements(body::jsonb->'line_bookings') from order_events where body like '%"line_bookings":%'
), booked as (
  select b.order_id, min(date) as first_date
  from bookings b join lines l on l.order_id = b.order_id and l.unit_id = b.booking->>'unit_id' and not l.is_counter,
    jsonb_array_elements_text(b.booking->'booked_dates') as date
  group by b.order_id
)
update orders set advertiser_id = head->'buyer_metadata'->>'advertiser_id', line_count = coalesce(asked.line_count, 0),
  units = coalesce(asked.units, 0),
  first_air_date = coalesce(accepted.first_date, booked.first_date, head->'flight'->>'start', snapshot->'request'->'flight'->>'start')::date
from shown left join asked using (order_id) left join accepted using (order_id) left join booked using (order_id)
where orders.order_id = shown.order_id;
`

const INDEXES = `
create index orders_advertiser_of_seller on orders ((seller || '/' || advertiser_id), order_id);
create index orders_advertiser_of_buyer on orders ((buyer_entity || '/' || advertiser_id), order_id);
create index orders_between on orders ((seller || '/' || buyer_entity), order_id);
create index orders_named_of_seller on orders (seller, external_order_id text_pattern_ops);
create index orders_named_of_buyer on orders (buyer_entity, external_order_id text_pattern_ops);
`
