import { type Kysely, sql } from 'kysely'

/**
 * The months of products that an order books by month lines, as every append writes them: keys of seller, buyer, product and month. Null for
 * an order that has ended or has no such line. By them a create finds the buyer's other orders that book a week of its own months.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [COLUMN, FILLED, INDEX]) await sql.raw(statement).execute(db)
}

const COLUMN = 'alter table orders add column month_lines jsonb'

const KEY = `'[' || to_json(seller) || ',' || to_json(buyer_entity) || ',' || (line->'product_id')::text || ',' || (line->'period'->'start')::text || ']'`

const FILLED = `
with standing as (
  select o.order_id, o.seller, o.buyer_entity, case o.snapshot_lines
      when '' then (select request::json->'line_items' from order_records r where r.order_id = o.order_id)
      else ('{' || substr(o.snapshot_lines, 2) || '}')::json->'line_items' end as lines
  from orders o where o.status not in ('canceled', 'rejected', 'failed')
), keys as (
  select order_id, jsonb_agg(distinct ${KEY}) as month_lines from standing, json_array_elements(coalesce(lines, '[]')) as line
  where line->'period'->>'grain' = 'month' and line->>'status' is distinct from 'rejected' group by order_id
)
update orders set month_lines = keys.month_lines from keys where orders.order_id = keys.order_id
`

const INDEX = 'create index orders_month_lines on orders using gin (month_lines) where month_lines is not null'
