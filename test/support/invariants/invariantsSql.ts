/** The invariants that the database itself can check; every row of an answer is one violation. */

interface LogInvariant {
  invariant: `I${number}`
  text: string
}

const APPEND_ONLY = ['order_records', 'order_events', 'order_outcomes', 'notices', 'feed', 'security_events']
const LITERALS = APPEND_ONLY.map((table) => `'${table}'`).join(', ')

const IN_THIS_ERA = 'txid::text::bigint >= (select max(begins) from feed_eras)'

export const LOG_INVARIANTS: readonly LogInvariant[] = [
  {
    invariant: 'I1',
    text: `select min(order_id) as order_id, count(*) || ' orders under ' || buyer_entity || ' ' || external_order_id as problem
      from orders group by buyer_entity, external_order_id having count(*) > 1`,
  },
  {
    invariant: 'I2',
    text: `select order_id, 'an order without a request' as problem from orders where order_id not in (select order_id from order_records)
      union all select order_id, 'a request without an order' from order_records where order_id not in (select order_id from orders)
      union all select distinct order_id, 'events without an order' from order_events where order_id not in (select order_id from orders)`,
  },
  {
    invariant: 'I2',
    text: `select order_id, 'event ' || e.seq || ' names ' || concat_ws(' and ', e.order_buyer, e.order_seller) || ' as the parties' as problem
      from order_events e join orders o using (order_id) where (e.order_buyer, e.order_seller) is distinct from (o.buyer_entity, o.seller)
        and coalesce(e.order_buyer, e.order_seller) is not null`,
  },
  {
    invariant: 'I3',
    text: `select order_id, 'the event in place ' || seq || ' says that it is ' || (body::json->>'seq') as problem from order_events
      where (body::json->>'seq')::int <> seq or body::json->>'order_id' <> order_id`,
  },
  {
    invariant: 'I4',
    text: `select order_id, command_id || ' has ordinals ' || array_agg(ordinal order by ordinal)::text as problem from order_events
      group by order_id, command_id having min(ordinal) <> 0 or max(ordinal) <> count(*) - 1 or count(distinct ordinal) <> count(*)`,
  },
  {
    invariant: 'I4',
    text: `select order_id, command_id || ' appended and kept no outcome' as problem from order_events e where seq > 1 and not exists
      (select from order_outcomes o where o.order_id = e.order_id and o.command_id = e.command_id)`,
  },
  {
    invariant: 'I6',
    text: `select order_id, seq || ' is stamped ' || occurred_at || ' beside a body that says ' || (body::json->>'occurred_at') as problem
      from order_events where (body::json->>'occurred_at')::timestamptz <> occurred_at`,
  },
  {
    invariant: 'I8',
    text: `with expected as (
        select e.order_id, e.seq, e.body::json->>'status' as status, tenant
        from order_events e join orders o using (order_id), unnest(array[o.buyer_entity, o.seller]) as tenant
      ), shown as (
        select order_id, seq, status, tenant, count(*) as times from feed where order_id is not null group by order_id, seq, status, tenant
      )
      select coalesce(e.order_id, s.order_id) as order_id,
        coalesce(e.tenant, s.tenant) || ' has ' || coalesce(e.seq, s.seq) || ' in its feed ' || coalesce(s.times, 0) || ' times, as ' ||
          coalesce(s.status, 'nothing') || '; the event is ' || coalesce(e.status, 'not there for it') as problem
      from expected e full join shown s using (order_id, seq, tenant) where s.times is distinct from 1 or e.status is distinct from s.status`,
  },
  {
    invariant: 'I8',
    text: `select order_id, tenant || ' reads ' || seq || ' after ' || before as problem from (
        select order_id, tenant, seq, lag(seq) over (partition by tenant, order_id order by txid, position) as before
        from feed where order_id is not null) as read where before >= seq`,
  },
  {
    invariant: 'I8',
    text: `select null as order_id, tenant || ' is shown ' || event_id || 'without a notice of it' as problem from feed f
      where order_id is null and not exists (select from notices n where n.event_id = f.event_id and n.tenant = f.tenant)`,
  },
  // A row keeps the version that its own transaction wrote, since the feed names that transaction. A restore writes the rows of earlier
  // eras again.
  {
    invariant: 'I11',
    text: `select e.order_id, 'event ' || e.seq || ' was rewritten after its append' as problem from order_events e
      join feed f on f.order_id = e.order_id and f.seq = e.seq
      where e.xmin::text::bigint <> (f.txid::text::bigint & 4294967295) and f.${IN_THIS_ERA} group by e.order_id, e.seq`,
  },
  {
    invariant: 'I11',
    text: `select r.order_id, 'the request was rewritten after its create' as problem from order_records r
      join order_events e on e.order_id = r.order_id and e.seq = 1 where r.xmin::text <> e.xmin::text
        and exists (select from feed f where f.order_id = r.order_id and f.seq = 1 and f.${IN_THIS_ERA})`,
  },
  {
    invariant: 'I11',
    text: `select null as order_id, guarded || ' can be changed: ' || count(t.tgname) || ' of 2 triggers are enabled' as problem
      from unnest(array[${LITERALS}]) as guarded
        left join pg_trigger t on t.tgrelid = guarded::regclass and t.tgfoid = 'refuse_change'::regproc and t.tgenabled in ('O', 'A')
      group by guarded having count(t.tgname) < 2`,
  },
  {
    invariant: 'I11',
    text: `select null as order_id, 'the application may ' || privilege || ' ' || guarded as problem
      from unnest(array[${LITERALS}]) as guarded, unnest(array['update', 'delete', 'truncate']) as privilege
      where has_table_privilege('marketplace_app', guarded, privilege)`,
  },
  {
    invariant: 'I12',
    text: `select d.order_id, 'delivery ' || delivery_no || ' to ' || endpoint_id || ' says ' || made || ' attempts, ' || count(a.*) ||
        ' are written, the last ' || round(extract(epoch from max((a.try->>'at')::timestamptz) - min((a.try->>'at')::timestamptz)), 1) || ' s after the first' as problem
      from deliveries d left join lateral json_array_elements(d.attempts::json) as a (try) on true
      group by endpoint_id, delivery_no
      having made > 3 or made <> count(a.*) or max((a.try->>'at')::timestamptz) - min((a.try->>'at')::timestamptz) > interval '25.5 s'`,
  },
  {
    invariant: 'I12',
    text: `select order_id, 'delivery ' || delivery_no || ' to ' || endpoint_id || ' is ' || status || ' after ' || attempts as problem
      from deliveries, json_array_length(attempts::json) as tries,
        lateral (select (attempts::json->(tries - 1)->>'status_code')::int between 200 and 299 as well) as last
      where (status = 'delivered') is distinct from coalesce(well, false) or (status = 'pending' and tries > 2)`,
  },
  {
    invariant: 'I14',
    text: `select root as order_id, string_agg(order_id, ' and ' order by order_id) || ' of one family are placed' as problem
      from orders where status = 'placed' and root is not null group by root having count(*) > 1`,
  },
  {
    invariant: 'I14',
    text: `select o.order_id, 'it is of the family ' || coalesce(o.root, 'of none') || '; the order that it revises is of ' || coalesce(prior.root, 'none') as problem
      from orders o join orders prior on prior.order_id = o.supersedes where o.root is distinct from prior.root or o.root is null
      union all select order_id, 'it revises nothing, and is of the family ' || root from orders where supersedes is null and root <> order_id`,
  },
  {
    invariant: 'I16',
    text: `with shown as (
        select f.tenant, n.body::json->'data'->>'invoice_id' as invoice_id, count(*) as times
        from feed f join notices n on n.event_id = f.event_id and n.tenant = f.tenant where f.event_type = 'settlement.invoice_issued' group by 1, 2
      ), issued as (
        select invoice_id, order_id, tenant from invoices, unnest(array[buyer_entity, seller]) as tenant
      )
      select order_id, tenant || ' has ' || coalesce(times, 0) || ' notices of ' || invoice_id as problem
      from issued full join shown using (tenant, invoice_id) where times is distinct from 1 or order_id is null`,
  },
]
