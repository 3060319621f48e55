import { type Kysely, sql } from 'kysely'

/**
 * The foundation: tenants and their credentials, what sellers publish, the order log with its feed, and the outbox.
 *
 * The database itself enforces Append-only (architecture, Append-only): the application works as the role `marketplace_app`, which owns nothing and
 * may only select and insert what is a record; triggers refuse update, delete and truncate to everybody else as well.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [ROLE, TENANTS, PLATFORM, PUBLISHED, ORDERS, OUTBOX, APPEND_ONLY, GRANTS]) await sql.raw(statement).execute(db)
}

const ROLE = `
-- Asked for before it is done: a user who may neither make nor grant roles can be given this one beforehand.
do $$ begin
  if not exists (select from pg_roles where rolname = 'marketplace_app') then
    create role marketplace_app nologin;
  end if;
exception when duplicate_object or unique_violation then null; -- roles belong to the cluster: another database has just made it
end $$;
do $$ begin
  if not pg_has_role('marketplace_app', 'usage') then
    grant marketplace_app to current_user; -- who makes a role may administer it, and from PostgreSQL 16 on not yet take it
  end if;
end $$;
`

const TENANTS = `
create table tenants (
  entity      text primary key,
  side        text not null check (side in ('buyer', 'seller')),
  name        text not null,
  created_at  timestamptz not null default now()
);

create table credentials (
  credential_id text primary key,
  entity        text not null references tenants,
  side          text not null check (side in ('buyer', 'seller')),
  token_sha256  bytea not null unique,
  last_four     text not null,
  scopes        text[] not null,
  gate          text not null default 'api' check (gate in ('api', 'console')),
  created_at    timestamptz not null default now(),
  expires_at    timestamptz,
  revoked_at    timestamptz
);
create index credentials_by_entity on credentials (entity);
`

const PLATFORM = `
-- Secrets of the installation itself: cursors signed by one process are read by another, and outlive restarts.
create table platform_keys (name text primary key, value bytea not null);
insert into platform_keys values ('cursor', sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea));
`

const PUBLISHED = `
create table sellers (
  seller           text primary key references tenants,
  currency         text not null default 'USD',
  taxonomy_version text,
  profile          jsonb not null,
  uses_api         boolean not null default false
);

create table products (
  seller       text not null references sellers,
  product_id   text not null,
  external_ref text,
  body         json not null,
  updated_at   timestamptz not null default now(),
  primary key (seller, product_id)
);
create unique index products_external_ref on products (seller, external_ref) where external_ref is not null;

create table rate_commits (
  seller         text not null references sellers,
  commit         text not null,
  commit_no      bigint generated always as identity unique,
  agreement_id   text,
  effective      daterange not null,
  body_sha256    bytea not null,
  reply          text not null,
  published_at   timestamptz not null default now(),
  primary key (seller, commit)
);

create table rate_entries (
  locked_rate_id         text primary key,
  seller                 text not null,
  commit                 text not null,
  commit_no              bigint not null references rate_commits (commit_no),
  agreement_id           text,
  visible_to             text,
  product_id             text not null,
  week                   text not null,
  market_class           text not null,
  advertiser_class       text not null,
  spot_length            integer not null,
  buy_type               text not null,
  clearance_tier         text,
  gross_rate_unit        numeric,
  gross_rate_cpm         numeric,
  currency               text not null,
  guaranteed_impressions bigint,
  audience_code          text,
  window_opens           timestamptz,
  window_closes          timestamptz,
  quote_expires_at       timestamptz,
  check (num_nonnulls(gross_rate_unit, gross_rate_cpm) = 1)
);
-- One key of the card, newest commit first: the current price, the avails read and the drift check are all this index.
create index rate_entries_by_key on rate_entries
  (seller, product_id, week, spot_length, market_class, advertiser_class, buy_type, clearance_tier, commit_no desc);

create table avails (
  seller     text not null references sellers,
  product_id text not null,
  grain      text not null check (grain in ('day', 'week', 'month')),
  start      text not null,
  state      text not null check (state in ('available', 'unavailable', 'projected')),
  body       json not null,
  updated_at timestamptz not null default now(),
  primary key (seller, product_id, grain, start)
);
`

const ORDERS = `
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
  settled           boolean not null default false,
  -- the snapshot as served, in two parts: a list item is the first one alone
  snapshot_head     text not null,
  snapshot_lines    text not null,
  unique (buyer_entity, external_order_id)
);
create index orders_of_buyer on orders (buyer_entity, order_id);
create index orders_of_seller on orders (seller, order_id);
create index orders_open_of_buyer on orders (buyer_entity, status, order_id) where status not in ('placed', 'canceled', 'rejected', 'failed');
create index orders_open_of_seller on orders (seller, status, order_id) where status not in ('placed', 'canceled', 'rejected', 'failed');
create index orders_due on orders (due_at) where due_at is not null;

-- What never changes: the create request with its raw hash, the platform's create-time facts, and the stored reply of the create.
create table order_records (
  order_id       text primary key,
  request_sha256 bytea not null,
  request        text not null,
  facts          text not null,
  reply          text not null
);

create table order_events (
  order_id    text not null,
  seq         integer not null,
  command_id  text not null,
  ordinal     smallint not null,
  occurred_at timestamptz not null,
  body        text not null,
  primary key (order_id, seq),
  unique (order_id, command_id, ordinal)
);

-- What a command answered, kept with its append: a repeat of the same command id reads it and writes nothing.
create table order_outcomes (
  order_id   text not null,
  command_id text not null,
  -- names an exact repeat of an API call: same caller, same canonical body
  repeat_key text,
  last_seq   integer not null,
  outcome    text not null,
  primary key (order_id, command_id)
);

-- Events that are not of one order's life (a card published, a window opened): the envelope as its recipient reads it.
create table notices (
  event_id text not null,
  tenant   text not null,
  body     text not null,
  primary key (event_id, tenant)
);

-- Who may see an event is written when the event is: one narrow row per tenant. Read in (txid, position) below the oldest open transaction.
create table feed (
  tenant     text not null,
  txid       xid8 not null default pg_current_xact_id(),
  position   bigint generated always as identity,
  event_type text not null,
  status     text,
  order_id   text,
  seq        integer,
  event_id   text,
  primary key (tenant, txid, position)
);
`

const OUTBOX = `
create table outbox (
  outbox_id     bigint generated always as identity primary key,
  kind          text not null check (kind in ('order')),
  target        text not null,
  attempts      integer not null default 0,
  claimable_at  timestamptz not null default now(),
  created_at    timestamptz not null default now()
);
create index outbox_claimable on outbox (claimable_at, outbox_id);
`

const APPEND_ONLY = `
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % is refused', tg_table_name, tg_op using errcode = 'insufficient_privilege';
end $$;

${['order_records', 'order_events', 'order_outcomes', 'notices', 'feed']
  .map(
    (table) => `
create trigger ${table}_append_only before update or delete on ${table} for each row execute function refuse_change();
create trigger ${table}_never_truncated before truncate on ${table} for each statement execute function refuse_change();
`,
  )
  .join('')}
`

const GRANTS = `
grant usage on schema public to marketplace_app;
grant select on platform_keys to marketplace_app;
grant select, insert on order_records, order_events, order_outcomes, notices, feed, rate_commits, rate_entries to marketplace_app;
grant select, insert, update on tenants, credentials, sellers, products, avails, orders to marketplace_app;
grant select, insert, update, delete on outbox to marketplace_app;
`
