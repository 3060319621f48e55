import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { statement } from '../connection/statement.ts'

/** Stages rows of delivery posts for the settlement tables: one slice of a file at a time, in temporary tables of its connection. */

type Client = Pick<PoolClient, 'query'>

/**
 * Why a row is refused: it names no order of the seller, orders of several families, an order by one reference and not by another, another
 * currency, or a line of no such order.
 */
export type PostFault = 'unknown_order' | 'several_orders' | 'other_order' | 'currency' | 'unit_id' | 'makegood_for_unit_id'

export interface RefusedPost {
  readonly row: number
  readonly fault: PostFault
  readonly field: string
  readonly value: string
}

/** The outcome of a slice. */
export interface StagedPosts {
  readonly refused_count: number
  /** The number of log rows that name no order and whose copy does not belong to exactly one order. */
  readonly unattached: number
  /** The orders that the rows name and whose spots are not written yet. */
  readonly unbooked: readonly string[]
}

/** Prepares a connection for slices. A temporary table costs half the CPU of a shared one; it is empty again after each transaction. */
export async function preparePosts(client: Client): Promise<void> {
  const { rows } = await client.query(HAS_TABLES)
  if (rows[0].has_tables !== true) await client.query(TABLES)
}

/** Reads a slice, one JSON object per line, and finds the order of each row. */
export async function stagePosts(client: PoolClient, seller: string, slice: Readable): Promise<StagedPosts> {
  await pipeline(slice, client.query(copyFrom(COPY)))
  await client.query(RESOLVE.bind({ seller }))
  const { rows } = await client.query<StagedPosts>(SUMMARY)
  return rows[0] as StagedPosts
}

/** Returns the first refused rows. */
export async function refusedPosts(client: Client, max: number): Promise<RefusedPost[]> {
  const { rows } = await client.query<RefusedPost>(REFUSED.bind({ max }))
  return rows
}

/** The columns of an entry as it is sent, with what the reader adds: whether a spot ran, and its broadcast date. */
const ENTRY = `
  record_type text, order_id text, seller_order_id text, external_order_id text, network text, air_date date, broadcast_date date, air_time text,
  clock text, spot_length integer, isci text, unit_id text, makegood_for_unit_id text, makegood_for_date date, makegood_for jsonb, is_bonus boolean, is_adu boolean, is_credit boolean, seller_line_id text,
  ran boolean, revision bigint,
  status text, reason text, log_id text, invoice_number text, invoice_date date, broadcast_month text, currency text, rate numeric,
  invoice_gross numeric, invoice_commission numeric, invoice_net numeric, invoice_spot_count integer,
  audience_code text, stream text, impressions numeric, final boolean`

const HAS_TABLES = { name: 'has-post-tables', text: `select to_regclass('pg_temp.staged_posts') is not null as has_tables` }
const TABLES = `
create temporary table post_lines (line json not null) on commit delete rows;
create temporary table staged_posts (row bigint, fault text, field text, own_order_id text, noted jsonb, ${ENTRY}) on commit delete rows;
`

/** Reads lines as they are: JSON has no control characters. */
const COPY = `copy post_lines (line) from stdin (format csv, delimiter e'\\x02', quote e'\\x01')`

/** SQL: the names by which a row identifies its order; null for a row without any. */
const REF = `case when coalesce(order_id, seller_order_id, external_order_id) is not null
  then json_build_array(order_id, seller_order_id, external_order_id)::text end`
/** SQL: the first of them, by which its order is looked up. */
const FIRST = `case when order_id is not null then 'order_id' when seller_order_id is not null then 'seller_order_id' else 'external_order_id' end`
/** SQL: whether the order `b` has the further names of `n`, without outer spaces, which a table's cells lose. */
const ALSO_NAMED = ['seller_order_id', 'external_order_id']
  .map((name) => `n.${name} is null or btrim(b.${name}) = btrim(n.${name}) as has_${name}`)
  .join(', ')

/**
 * Finds the order of each row: by its names, all of which must be those of one order, or, for a log row without one, by its copy within a day of its broadcast date. Of an order and
 * its revisions, which may share a name or copy, picks the one that has the line or is in force on the date. Finds what is wrong with rows.
 */
const RESOLVE = statement(
  'resolve-posts',
  ['seller'],
  `
  insert into staged_posts
  with sent as materialized (
    select (line->>'row')::bigint as row, ${REF} as ref, entry.*
    from post_lines cross join lateral json_to_record(line->'entry') as entry (${ENTRY}) where line->'entry' is not null
  ), named as (
    select distinct ref, order_id, seller_order_id, external_order_id from sent where ref is not null
  ), matching as (
    select n.ref, b.order_id, b.currency, b.ends_on as booked_until, ${ALSO_NAMED}
    from named n join booked_orders b on b.seller = :seller and b.order_id = n.order_id
    union all
    select n.ref, b.order_id, b.currency, b.ends_on as booked_until, ${ALSO_NAMED}
    from named n join booked_orders b on b.seller = :seller and b.seller_order_id = n.seller_order_id where n.order_id is null
    union all
    select n.ref, b.order_id, b.currency, b.ends_on as booked_until, true, true
    from named n join booked_orders b on b.seller = :seller and b.external_order_id = n.external_order_id
    where n.order_id is null and n.seller_order_id is null
  ), members as (
    select m.*, coalesce(o.root, m.order_id) as family, o.placed_at,
      case when o.status = 'canceled' then coalesce(m.booked_until, (o.updated_at at time zone 'utc')::date) else 'infinity' end as ends_on
    from matching m left join orders o on o.order_id = m.order_id
    where m.has_seller_order_id and m.has_external_order_id
  ), found as (
    select ref, count(distinct family) as orders, count(*) as members, min(order_id) as order_id, min(currency) as currency from members group by ref
  ), shared as (
    select distinct on (s.ref, s.broadcast_date, s.unit_id) s.ref, s.broadcast_date, s.unit_id, m.order_id
    from (select distinct ref, broadcast_date, unit_id from sent) s join found f on f.ref = s.ref and f.members > 1 join members m on m.ref = s.ref
    order by s.ref, s.broadcast_date, s.unit_id,
      exists (select from booked_spots b where b.order_id = m.order_id and b.unit_id = s.unit_id) desc,
      s.broadcast_date < m.ends_on desc, case when s.broadcast_date < m.ends_on then m.placed_at end, m.placed_at desc
  ), copied as (
    select s.network, s.isci, s.broadcast_date, (array_agg(c.order_id order by abs(c.air_date - s.broadcast_date), c.air_date desc))[1] as order_id
    from (select distinct network, isci, broadcast_date from sent where ref is null and isci is not null) s
      join booked_copies c on c.seller = :seller and c.network = s.network and c.isci = s.isci
        and c.air_date between s.broadcast_date - 1 and s.broadcast_date + 1
      left join orders o on o.order_id = c.order_id
    group by 1, 2, 3 having count(distinct coalesce(o.root, c.order_id)) = 1
  ), owned as (
    select s.*, f.orders, f.currency as own_currency, coalesce(m.order_id, f.order_id, c.order_id) as own_order_id
    from sent s left join found f on f.ref = s.ref
      left join shared m on m.ref = s.ref and m.broadcast_date = s.broadcast_date and m.unit_id is not distinct from s.unit_id
      left join copied c on s.ref is null and c.network = s.network and c.isci = s.isci and c.broadcast_date = s.broadcast_date
  ), judged as (
    select case
        when ref is not null and orders is null and exists (select from matching m where m.ref = o.ref) then 'other_order'
        when ref is not null and orders is null then 'unknown_order'
        when orders > 1 then 'several_orders'
        when currency <> own_currency then 'currency'
        when unit_id is not null and own_order_id is not null
          and not exists (select from booked_spots b where b.order_id = own_order_id and b.unit_id = o.unit_id) then 'unit_id'
        when makegood_for_unit_id is not null and own_order_id is not null
          and not exists (select from booked_spots b where b.order_id = own_order_id and b.unit_id = o.makegood_for_unit_id) then 'makegood_for_unit_id'
      end as fault, o.*
    from owned o
  )
  select row, fault, case when fault in ('unknown_order', 'several_orders') then ${FIRST}
    when fault = 'other_order' then case
      when exists (select from matching m where m.ref = j.ref and m.has_seller_order_id) then 'external_order_id' else 'seller_order_id' end
    else fault end, own_order_id,
    nullif(jsonb_strip_nulls(jsonb_build_object('makegood_for', makegood_for, 'is_bonus', is_bonus, 'is_adu', is_adu, 'is_credit', is_credit, 'seller_line_id', seller_line_id)), '{}'),
    record_type, order_id, seller_order_id, external_order_id, network, air_date, broadcast_date, air_time, clock, spot_length, isci, unit_id,
    makegood_for_unit_id, makegood_for_date, makegood_for, is_bonus, is_adu, is_credit, seller_line_id, ran, coalesce(revision, 0), status, reason, coalesce(log_id, ''), invoice_number, invoice_date,
    broadcast_month, currency, rate, invoice_gross, invoice_commission, invoice_net, invoice_spot_count, audience_code, stream, impressions, final
  from judged j`,
)

/** Counts refused rows and rows without an order, and lists the orders that must be booked before their lines are known. */
const SUMMARY = {
  name: 'summarize-posts',
  text: `
  select count(*) filter (where fault is not null)::int as refused_count,
    count(*) filter (where fault is null and own_order_id is null)::int as unattached,
    coalesce((select json_agg(b.order_id) from (select distinct own_order_id from staged_posts) s
      join booked_orders b on b.order_id = s.own_order_id where b.booked_seq is null), '[]') as unbooked
  from staged_posts`,
}

/** Reads the first refused rows, by number. */
const REFUSED = statement(
  'read-refused-posts',
  ['max'],
  `select row::int, fault, field, case field
      when 'order_id' then order_id when 'seller_order_id' then seller_order_id when 'external_order_id' then external_order_id
      when 'currency' then currency when 'unit_id' then unit_id else makegood_for_unit_id
    end as value
  from staged_posts where fault is not null order by row limit :max`,
)
