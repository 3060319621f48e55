import { type Kysely, sql } from 'kysely'
import { appendOnly, own, PARTY, QUEUE, rowSecurity } from './policies.ts'

/**
 * Reconciliations: the result of each order as a head with its lines, which the platform writes, what both parties say of variances, and which orders are
 * due to be reconciled (choices, Reconciliation).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [RESULTS, ACTIONS, FOUND, DISPUTED, TRIGGERS, DUE, MARK]) await sql.raw(statement).execute(db)
}

const RESULTS = `
create table reconciliations (
  order_id         text primary key,
  seller           text not null references sellers,
  buyer_entity     text not null,
  agreement_id     text,
  currency         text not null,
  revision         integer not null default 1 check (revision > 0), -- 1 up at each change that a reader sees
  result           integer not null default 1, -- which lines are current: those of other results are being written or deleted
  state            text not null check (state in ('reconciled', 'too_large')),
  coverage         json not null,
  totals           json not null,
  guarantees       json not null,
  codes            text[] not null, -- the distinct codes of its variances
  broadcast_months text[] not null, -- of its lines
  digest           bytea not null, -- of all that is computed, lines included
  reconciled_at    timestamptz not null default now(), -- when the result changed last
  changed_txid     xid8 not null default feed_txid() -- read below feed_horizon(), as the feed is
);
create index reconciliations_of_buyer on reconciliations (buyer_entity, changed_txid, order_id);
create index reconciliations_of_seller on reconciliations (seller, changed_txid, order_id);
-- A tenant that acts on a variance moves the revision of its order.
${rowSecurity('reconciliations', { select: PARTY, update: PARTY })}
grant select on reconciliations to marketplace_app;
grant update (revision, changed_txid) on reconciliations to marketplace_app;
grant insert, update, delete on reconciliations to marketplace_platform;

create table reconciliation_lines (
  order_id        text not null,
  result          integer not null, -- of reconciliations
  line            integer not null check (line > 0), -- its place in the result
  seller          text not null,
  buyer_entity    text not null,
  unit_id         text,
  network         text not null,
  air_date        date not null,
  broadcast_month text not null,
  codes           text[] not null,
  body            json not null, -- as it is read, with its variances
  primary key (order_id, result, line)
);
${rowSecurity('reconciliation_lines', { select: PARTY })}
grant select on reconciliation_lines to marketplace_app;
grant insert, update, delete on reconciliation_lines to marketplace_platform;
`

const OWN_SIDE = `case side when 'buyer' then buyer_entity else seller end = any((select acting_tenants())::text[])`

const ACTIONS = `
create table variance_actions (
  order_id        text not null references reconciliations,
  variance_id     text not null,
  n               integer not null check (n > 0),
  seller          text not null,
  buyer_entity    text not null,
  action          text not null check (action in ('accept', 'dispute', 'credit', 'uphold')),
  side            text not null check (side in ('buyer', 'seller')),
  actor           text not null,
  note            text,
  amount          numeric,
  invoice_id      text references invoices, -- the credit note of a credit
  code            text not null, -- what the variance was when it was acted on, since later data may end it
  unit_id         text,
  network         text not null,
  air_date        date not null,
  broadcast_month text not null,
  units           integer not null,
  gross           numeric not null,
  at              timestamptz not null default now(),
  disputed        numeric not null default 0 check (disputed >= 0), -- of the invoice, until the next action
  request_key     text, -- with body_hash how it was sent, so that a retry is known
  body_hash       bytea,
  -- The same of all variances of a line that were about one spot: of an order that has become too large to be matched no result tells it any more.
  spot            text,
  primary key (order_id, variance_id, n)
);
create index variance_actions_of_line on variance_actions (order_id, network, air_date);
${appendOnly('variance_actions')}
${rowSecurity('variance_actions', { select: PARTY, insert: OWN_SIDE })}
grant select, insert on variance_actions to marketplace_app;
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

const SELLERS_OWN = `('RATE_MISMATCH', 'BILLED_NOT_RUN', 'RUN_NOT_ORDERED', 'DUPLICATE')`

/**
 * What is under dispute of an invoice, counted by the database whatever writes the actions, results and invoices that it depends on.
 *
 * A dispute counts while the result has its variance with the figures that it is about. It counts what is left of its spot: variances of a line that are
 * found in the same rows are about one spot, and the n-th of each code about the n-th. Of a line no more counts than is left of the spots that vary. Of an
 * order that is too large to have a result, too, a spot counts once, by its last actions, and of a line no more than is left of what it books. The row of
 * the reconciliation is locked first: a new result, an action and an invoice of one order each see what the one before did.
 */
const DISPUTED = `
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
revoke execute on function recount_disputed from public;
`

const TRIGGERS = `
create function count_disputed() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  if exists (select from public.variance_actions where order_id = new.order_id) then
    perform public.recount_disputed(new.order_id);
  end if;
  return null;
end $$;
create trigger disputed_by_action after insert on variance_actions for each row execute function count_disputed();
create trigger disputed_by_result after update of result on reconciliations for each row
  when (old.result <> new.result) execute function count_disputed();
create trigger disputed_at_issue after insert on invoices for each row when (new.kind = 'invoice' and new.n = 1) execute function count_disputed();
`

const DUE = `
-- Orders that are due to be reconciled. They have a time from which they are, so that one whose recompute fails is tried again later.
create table reconcile_due (
  order_id  text primary key,
  seller    text not null,
  marked_at timestamptz not null default now(),
  due_at    timestamptz not null default now(),
  attempts  integer not null default 0, -- that failed
  fault     text -- of the last one
) with (${QUEUE});
create index reconcile_due_of_seller on reconcile_due (seller, due_at, order_id);
${rowSecurity('reconcile_due')}
grant select on reconcile_due to marketplace_app;
grant insert, update, delete on reconcile_due to marketplace_platform;
`

const MARK = `
-- An agreement says within how many minutes spots and rows match. A change of them leaves one row, however many orders are under it: the run of the seller
-- marks these, some at a time.
create table agreements_due (
  agreement_id text primary key references agreements,
  seller       text not null references sellers,
  after_order  text not null default '', -- its orders up to this one are marked
  marked_at    timestamptz not null default now()
);
create index agreements_due_of_seller on agreements_due (seller);
${rowSecurity('agreements_due')}
create policy tenant on agreements_due to marketplace_app using (${own('seller')}) with check (${own('seller')});
grant select, insert, update on agreements_due to marketplace_app;
grant delete on agreements_due to marketplace_platform;

create function mark_agreement_due(changed text, asking text) returns void language sql security invoker set search_path = pg_catalog as $$
  insert into public.agreements_due (agreement_id, seller) values (changed, asking)
  on conflict (agreement_id) do update set after_order = excluded.after_order, marked_at = excluded.marked_at;
  insert into public.outbox (kind, target, claimable_at) values ('reconcile', asking, now() + interval '2 s')
$$;
revoke execute on function mark_agreement_due from public;
grant execute on function mark_agreement_due to marketplace_app, marketplace_platform;
`
