import { type Kysely, sql } from 'kysely'

/**
 * Actions on variances keep the spot that the variance was about: of an order that has become too large to be matched no result tells it any more, and
 * a spot that is disputed under several codes counts once. Actions of earlier releases have none; then each variance is a spot of its own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [SPOT, COUNT]) await sql.raw(statement).execute(db)
}

const SPOT = `
alter table variance_actions add column spot text; -- the same of all variances of a line that were about one spot
`

const SELLERS_OWN = `('RATE_MISMATCH', 'BILLED_NOT_RUN', 'RUN_NOT_ORDERED', 'DUPLICATE')`

/**
 * As before (migration 0168), but for orders that are too large to have a result: of these, too, a spot counts once, by its last actions, at most what is
 * left of it, and of a line no more than is left of what it books.
 */
const COUNT = `
create or replace function recount_disputed(reconciled text) returns void language plpgsql security definer set search_path = pg_catalog, public as $$
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
    where v->>'code' not in ${SELLERS_OWN}
  ), spots as (
    select v.line, max(v.gross) as gross, greatest(max(v.gross) - coalesce(sum(a.credited), 0), 0) as remaining,
      coalesce(max(a.disputed) filter (where a.units = v.units and a.gross = v.gross), 0) as disputed
    from variances v left join acted a on a.variance_id = v.id group by v.line, v.spot
  ), varying as (
    select line, sum(gross) as gross, sum(least(disputed, remaining)) as disputed from spots group by line
  ), large_spots as (
    select a.unit_id, a.network, a.air_date, a.broadcast_month, max(a.gross) as gross, coalesce(sum(a.credited), 0) as credited,
      least(max(a.disputed), greatest(max(a.gross) - coalesce(sum(a.credited), 0), 0)) as disputed
    from acted a join reconciliations r using (order_id)
    where r.state = 'too_large' and a.code not in ${SELLERS_OWN}
    group by a.unit_id, a.network, a.air_date, a.broadcast_month, coalesce(a.spot, a.variance_id)
  ), large_lines as (
    select unit_id, network, air_date, broadcast_month, sum(gross) as gross, sum(credited) as credited, sum(disputed) as disputed
    from large_spots group by unit_id, network, air_date, broadcast_month
  ), counted as (
    select l.broadcast_month, greatest(least(v.disputed, least(v.gross, (l.body->>'ordered_gross')::numeric) - coalesce((
        select sum(a.credited) from acted a where a.unit_id is not distinct from l.unit_id and a.network = l.network and a.air_date = l.air_date
          and a.code not in ${SELLERS_OWN}), 0)), 0) as disputed
    from varying v join lines l using (line)
    union all
    select l.broadcast_month, greatest(least(l.disputed, least(l.gross, (
        select coalesce(sum(b.gross), 0) from booked_spots b
        where b.order_id = reconciled and b.unit_id = l.unit_id and b.network = l.network and b.air_date = l.air_date)) - l.credited), 0)
    from large_lines l
  )
  update invoices i set disputed = m.disputed
  from (
    select n.invoice_id, least(n.gross, coalesce((select sum(c.disputed) from counted c where c.broadcast_month = n.broadcast_month), 0)) as disputed
    from invoices n where n.order_id = reconciled and n.kind = 'invoice' and n.n = 1 -- the first bills the spots
  ) m
  where i.invoice_id = m.invoice_id and i.disputed <> m.disputed;
end $$;
`
