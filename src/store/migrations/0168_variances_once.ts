import { type Kysely, sql } from 'kysely'

/**
 * Actions on variances keep how they were sent, so that a retry is known. A variance is found by an index. What is disputed of an invoice counts what was
 * credited of a spot for any of its variances, and of an order that has become too large to be matched what was disputed before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [SENT, FOUND, COUNT, TRIGGER, RECOUNT]) await sql.raw(statement).execute(db)
}

const SENT = `
alter table variance_actions add column request_key text, add column body_hash bytea;
create index variance_actions_of_line on variance_actions (order_id, network, air_date);
`

/** Row security would keep the condition on ids from an index: the function returns a place in the lines of an order, and nothing of them. */
const FOUND = `
create function variance_ids(body json) returns text[] language sql immutable parallel safe as $$
  select array(select variance->>'variance_id' from json_array_elements(body->'variances') as variance)
$$;
create index reconciliation_lines_of_variance on reconciliation_lines using gin (variance_ids(body)) where cardinality(codes) > 0;
create function line_of_variance(reconciled text, variance text) returns integer language sql stable security definer
  set search_path = pg_catalog, public as $$
  select l.line from reconciliations r join reconciliation_lines l using (order_id, result)
  where r.order_id = reconciled and cardinality(l.codes) > 0 and variance_ids(l.body) @> array[variance] limit 1
$$;
revoke execute on function line_of_variance from public;
grant execute on function line_of_variance to marketplace_app, marketplace_platform;
`

/**
 * A dispute counts while the result has its variance with the figures that it is about, or the order is too large to have a result. It counts what is left
 * of its spot: variances of a line that are found in the same rows are about one spot, and the n-th of each code about the n-th. Of a line no more counts
 * than is left of the spots that vary. The row of the reconciliation is locked first: a new result, an action and an invoice of one order each see what the
 * one before did.
 */
const COUNT = `
create function recount_disputed(reconciled text) returns void language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform from reconciliations r where r.order_id = reconciled for update;
  with acted as materialized (
    select distinct on (variance_id) a.*, sum(amount) over (partition by variance_id) as credited from variance_actions a
    where order_id = reconciled order by variance_id, n desc
  ), lines as materialized (
    select distinct on (l.line) l.line, l.unit_id, l.network, l.air_date, l.broadcast_month, l.body
    from acted a join reconciliations r using (order_id)
      join reconciliation_lines l on l.order_id = reconciled and l.result = r.result and l.line = line_of_variance(reconciled, a.variance_id)
    where a.disputed > 0
  ), variances as materialized (
    select l.line, v->>'variance_id' as id, (v->>'units')::int as units, (v->>'gross')::numeric as gross, case when v->>'rows' = '[]' then v->>'variance_id'
      else (v->>'rows') || row_number() over (partition by l.line, v->>'code', v->>'rows' order by place) end as spot
    from lines l cross join json_array_elements(l.body->'variances') with ordinality as listed (v, place)
    where v->>'code' not in ('RATE_MISMATCH', 'BILLED_NOT_RUN', 'RUN_NOT_ORDERED', 'DUPLICATE')
  ), spots as (
    select v.line, max(v.gross) as gross, greatest(max(v.gross) - coalesce(sum(a.credited), 0), 0) as remaining,
      coalesce(max(a.disputed) filter (where a.units = v.units and a.gross = v.gross), 0) as disputed
    from variances v left join acted a on a.variance_id = v.id group by v.line, v.spot
  ), varying as (
    select line, sum(gross) as gross, sum(least(disputed, remaining)) as disputed from spots group by line
  ), counted as (
    select l.broadcast_month, greatest(least(v.disputed, least(v.gross, (l.body->>'ordered_gross')::numeric) - coalesce((
        select sum(a.credited) from acted a where a.unit_id is not distinct from l.unit_id and a.network = l.network and a.air_date = l.air_date
          and a.code not in ('RATE_MISMATCH', 'BILLED_NOT_RUN', 'RUN_NOT_ORDERED', 'DUPLICATE')), 0)), 0) as disputed
    from varying v join lines l using (line)
    union all
    select a.broadcast_month, a.disputed from acted a join reconciliations r using (order_id) where r.state = 'too_large'
  )
  update invoices i set disputed = m.disputed
  from (
    select n.invoice_id, least(n.gross, coalesce((select sum(c.disputed) from counted c where c.broadcast_month = n.broadcast_month), 0)) as disputed
    from invoices n where n.order_id = reconciled and n.kind = 'invoice' and n.n = 1 -- the first bills the spots
  ) m
  where i.invoice_id = m.invoice_id and i.disputed <> m.disputed;
end $$;
revoke execute on function recount_disputed from public;
`

const TRIGGER = `
create or replace function count_disputed() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  if exists (select from public.variance_actions where order_id = new.order_id) then
    perform public.recount_disputed(new.order_id);
  end if;
  return null;
end $$;
`

const RECOUNT = 'select recount_disputed(order_id) from (select distinct order_id from variance_actions order by order_id) acted'
