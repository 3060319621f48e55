import { type Kysely, sql } from 'kysely'
import { appendOnly, CHANGING, GROWING, ofOrder, own, ownAny, PARTY, QUEUE, rowSecurity } from './policies.ts'

/** Orders: the head, the append-only record and log, and the outbox that wakes their runs and those of the platform's other work. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [HEADS, INDEXES, PARTIES, LOG, OUTBOX, MOVED]) await sql.raw(statement).execute(db)
}

const HEADS = `
-- The head of an order: its current state, and the snapshot as served. Everything here is a projection of order_records and order_events.
create table orders (
  order_id          text primary key,
  seller            text not null,
  buyer_entity      text not null,
  external_order_id text not null,
  workflow          text not null,
  status            text not null,
  substatus         text,
  last_seq          integer not null,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  parked_since      timestamptz,
  decide_by         timestamptz,
  due_at            timestamptz,
  closed            boolean not null default false, -- nothing is left to be done
  -- the snapshot as served, in two parts: a list item is the first one alone
  snapshot_head     text not null,
  snapshot_lines    text not null,
  agreement_id      text,
  -- a line that waits for the answer to a counter counts at the higher of the two amounts
  exposure          numeric not null default 0,
  supersedes        text, -- the order that it revises, which is canceled as superseded when the revision is placed
  gate_due          text, -- which gate its workflow is to ask before people decide
  notify_endpoint   text, -- the endpoint that its create named as notify_url: it gets the order's events whatever its filters
  stuck_reason      text,
  elapsed_s         integer not null default 0, -- how far its own clock is ahead, in a sandbox
  root              text, -- an order and all that revises it are a family, named by its first order: of them at most one remains placed
  placed_at         timestamptz, -- whatever has become of it since: the stamp of the event that placed it
  drawn             numeric not null default 0, -- on the credit of its agreement
  settled_gross     numeric not null default 0, -- of invoices that were paid, and of credit notes
  invoice_due_at    timestamptz, -- when it is to be looked at for an invoice; null when nothing is left to be billed
  -- what lists filter by and show beside the head
  advertiser_id     text,
  line_count        integer not null default 0,
  units             bigint not null default 0,
  first_air_date    date,
  -- The months of products that it books by month lines: keys of seller, buyer, product and month, by which a create finds the buyer's other orders that
  -- book a week of its own months. Null for an order that has ended or has no such line.
  month_lines       jsonb,
  -- The rarer half first: with the buyer in front the planner could take any index of the buyer's orders for it, and on tables that were never analyzed
  -- it did: each create then walked all orders of its buyer.
  constraint orders_external_key unique (external_order_id, buyer_entity)
) with (${CHANGING});
${rowSecurity('orders', { select: PARTY, insert: own('buyer_entity'), update: PARTY })}
grant select, insert, update on orders to marketplace_app;
`

const OPEN = "status not in ('placed', 'canceled', 'rejected', 'failed')"

const INDEXES = `
create index orders_of_buyer on orders (buyer_entity, order_id);
create index orders_of_seller on orders (seller, order_id);
create index orders_open_of_buyer on orders (buyer_entity, status, order_id) where ${OPEN};
create index orders_open_of_seller on orders (seller, status, order_id) where ${OPEN};
create index orders_due on orders (due_at) where due_at is not null;
create index orders_under_agreement on orders (agreement_id, status) where agreement_id is not null;
create index orders_queue on orders (seller, decide_by, order_id) where status = 'seller_review';
create index orders_of_root on orders (root) where root is not null;
-- With the parties, for which the policies of the table ask: without them a sum in the name of a tenant reads each order itself.
create index orders_drawn on orders (agreement_id, root) include (drawn, status, seller, buyer_entity) where drawn <> 0;
create index orders_invoice_due on orders (invoice_due_at, order_id) include (seller) where invoice_due_at is not null;
-- What a tenant shares with an advertiser or with a party, so that no plan walks all orders of the tenant instead.
create index orders_advertiser_of_seller on orders ((seller || '/' || advertiser_id), order_id);
create index orders_advertiser_of_buyer on orders ((buyer_entity || '/' || advertiser_id), order_id);
create index orders_between on orders ((seller || '/' || buyer_entity), order_id);
-- Prefixes of the buyer's own ids, in any collation.
create index orders_named_of_seller on orders (seller, external_order_id text_pattern_ops);
create index orders_named_of_buyer on orders (buyer_entity, external_order_id text_pattern_ops);
create index orders_month_lines on orders using gin (month_lines) where month_lines is not null;
-- What operators list of every tenant.
create index orders_open on orders (status, order_id) where ${OPEN};
create index orders_deciding on orders (decide_by, order_id) where status = 'seller_review';
create index orders_stuck on orders (order_id) where stuck_reason is not null;
`

/** Volatile, so that they see the order that the same statement has just made, as no subquery does. */
const PARTIES = `
create function is_party(wanted text, tenants text[]) returns boolean language plpgsql volatile security definer as $$
begin
  return exists (select from public.orders o where o.order_id operator(pg_catalog.=) wanted and array[o.seller, o.buyer_entity] operator(pg_catalog.&&) tenants);
end $$;
create function are_parties(wanted text, its_seller text, its_buyer text, tenants text[]) returns boolean language plpgsql volatile security definer as $$
begin
  return exists (select from public.orders o where o.order_id operator(pg_catalog.=) wanted
    and array[o.seller, o.buyer_entity] operator(pg_catalog.&&) tenants
    and o.seller operator(pg_catalog.=) its_seller and o.buyer_entity operator(pg_catalog.=) its_buyer);
end $$;
revoke execute on function is_party, are_parties from public;
grant execute on function is_party, are_parties to marketplace_app;
`

const ACTING = '(select acting_tenants())'
const OF_NEW_OR_OWN_ORDER = `order_id = any((select creating_orders())::text[]) or is_party(order_id, ${ACTING})`

const LOG = `
-- What never changes: the create request with its raw hash, the platform's create-time facts, and the stored reply of the create.
create table order_records (
  order_id       text primary key,
  request_sha256 bytea not null,
  request        text not null,
  facts          text not null,
  reply          text not null
);
${appendOnly('order_records')}
${rowSecurity('order_records', { select: ofOrder('order_records'), insert: OF_NEW_OR_OWN_ORDER })}
grant select, insert on order_records to marketplace_app;

create table order_events (
  order_id     text not null,
  seq          integer not null,
  command_id   text not null,
  ordinal      smallint not null,
  occurred_at  timestamptz not null,
  body         text not null,
  -- of the event before and of its own bytes (auditChain.ts says of what exactly)
  hash         bytea not null,
  -- The W3C trace context of what appended the event, where traces are on: its run, and its deliveries, go on in that trace. It stands here and not in the
  -- outbox, whose rows are gone once they are carried. It is no part of the record: no hash covers it.
  traceparent  text,
  -- The parties of the order, who never change, so that the policy needs no search for the order of each event. No table that a statement may join has
  -- columns of these names.
  order_seller text not null,
  order_buyer  text not null,
  primary key (order_id, seq),
  unique (order_id, command_id, ordinal)
) with (${GROWING});
${appendOnly('order_events')}
-- Who writes an event may name only the parties of its order; who begins the log of a new order, itself as the buyer.
${rowSecurity('order_events', {
  select: ownAny('order_seller, order_buyer'),
  insert: `(order_id = any((select creating_orders())::text[]) and ${own('order_buyer')}) or are_parties(order_id, order_seller, order_buyer, ${ACTING})`,
})}
grant select, insert on order_events to marketplace_app;

-- What a command answered, kept with its append: a repeat of the same command id reads it and writes nothing.
create table order_outcomes (
  order_id   text not null,
  command_id text not null,
  repeat_key text, -- names an exact repeat of an API call: same caller, same canonical body
  last_seq   integer not null,
  outcome    text not null,
  primary key (order_id, command_id)
);
${appendOnly('order_outcomes')}
${rowSecurity('order_outcomes', { select: ofOrder('order_outcomes'), insert: `is_party(order_id, ${ACTING})` })}
grant select, insert on order_outcomes to marketplace_app;
`

const OUTBOX = `
-- What is to be woken. Which kinds there are is the code's to know.
create table outbox (
  outbox_id     bigint generated always as identity primary key,
  kind          text not null,
  target        text not null,
  attempts      integer not null default 0,
  claimable_at  timestamptz not null default now(),
  created_at    timestamptz not null default now(),
  command       jsonb -- that left the row: the history of the order's run shows it by its name
) with (${QUEUE});
create index outbox_claimable on outbox (claimable_at, outbox_id);
-- Whether a row already waits to wake the reconciliation of a seller.
create index outbox_of_reconcile on outbox (target) where kind = 'reconcile';
-- A tenant that changes something wakes a run; only the platform reads which.
${rowSecurity('outbox', { insert: 'true' })}
grant select, insert, update, delete on outbox to marketplace_app;
`

/** What ends a statement because the world has moved on since it was read. Volatile, as is the default: neither is evaluated while it is planned. */
const MOVED = `
-- databaseFault.ts knows their codes.
create function order_moved() returns integer language plpgsql set search_path = pg_catalog as $$
begin
  raise exception 'the order has moved on since it was read' using errcode = 'OM001';
end $$;
create function order_outdated() returns integer language plpgsql set search_path = pg_catalog as $$
begin
  raise exception 'an upload or a hold that the order names has changed since it was read' using errcode = 'OM002';
end $$;
revoke execute on function order_moved, order_outdated from public;
grant execute on function order_moved, order_outdated to marketplace_app;
`
