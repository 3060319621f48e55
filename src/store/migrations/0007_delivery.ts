import { type Kysely, sql } from 'kysely'
import { appendOnly, CHANGING, dealt, GROWING, own, QUEUE, rowSecurity, whole } from './policies.ts'

/**
 * How events reach tenants: the feed, notices, message queues, and webhooks.
 *
 * The feed is ordered by transaction ids, and those belong to a cluster: in a database that was restored elsewhere, or to an earlier time, they start
 * again, below cursors that readers hold. So a restore begins an era: from then on everything written lies above every place that any era before could
 * have given out, and everything older is history, whatever its ids say.
 *
 * `feed_txid()` is where a row is written, `feed_horizon()` what may be read; both are recreated by `begin_feed_era()`, with the era as a constant, so
 * that they cost nothing. Eras lie by the second of their beginning, 2^32 places to the second, since a second restore of one backup must not begin
 * where the first did. Their low 32 bits stay those of the row's xmin.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [ERAS, FIRST_ERA, FEED, QUEUES, WEBHOOKS, DELIVERIES]) await sql.raw(statement).execute(db)
}

const ERAS = `
create table feed_eras (
  begins   bigint primary key, -- the lowest place of the era
  begun_at timestamptz not null default now(),
  cluster  text not null       -- the system identifier of the cluster that it belongs to
);
grant select on feed_eras to marketplace_app;

create function feed_places_from(base bigint) returns void language plpgsql as $$
begin
  execute format('create or replace function feed_txid() returns xid8 language sql volatile as
    ''select (%s + pg_current_xact_id()::text::bigint)::text::xid8''', base);
  execute format('create or replace function feed_horizon() returns xid8 language sql stable as
    ''select (%s + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text::xid8''', base);
end $$;

create function begin_feed_era() returns bigint language plpgsql as $$
declare
  a_second constant bigint := 1::bigint << 32;
  seconds constant bigint := floor(extract(epoch from clock_timestamp() - timestamptz '2020-01-01T00:00:00Z'));
  begins bigint;
begin
  lock table feed in share row exclusive mode; -- who writes has committed, who wants to write will read the new functions
  select greatest(seconds, 1 + greatest((select max(txid::text::bigint) from feed), max(feed_eras.begins)) / a_second) * a_second
    into begins from feed_eras;
  perform feed_places_from(begins - (pg_current_xact_id()::text::bigint >> 32 << 32));
  insert into feed_eras (begins, cluster) select begins, system_identifier::text from pg_control_system();
  return begins;
end $$;
revoke execute on function feed_places_from, begin_feed_era from public;
`

const FIRST_ERA = `
select feed_places_from(0);
insert into feed_eras (begins, cluster) select 0, system_identifier::text from pg_control_system();
`

/** Every tenant reads its own rows, no matter who wrote them. */
const FEED = `
-- Who may see an event is written when the event is: one narrow row per tenant. Read in (txid, position) below the oldest open transaction.
create table feed (
  tenant     text not null,
  txid       xid8 not null default feed_txid(),
  position   bigint generated always as identity,
  event_type text not null,
  status     text,
  order_id   text,
  seq        integer,
  event_id   text,
  primary key (tenant, txid, position)
) with (${GROWING});
${appendOnly('feed')}
${rowSecurity('feed', { select: own('tenant'), insert: dealt('tenant') })}
grant select, insert on feed to marketplace_app;

-- Events that are not of one order's life (a card published, a window opened): the envelope as its recipient reads it.
create table notices (
  event_id text not null,
  tenant   text not null,
  body     text not null,
  primary key (event_id, tenant)
);
${appendOnly('notices')}
${rowSecurity('notices', { select: own('tenant'), insert: dealt('tenant') })}
grant select, insert on notices to marketplace_app;
`

/** Endpoints and queues are sent events on the authority of a credential: what it may read, for as long as it lives. */
const QUEUES = `
-- Tenants whose events go to a message queue: what they asked for, and the place in their feed up to which the broker has confirmed.
create table queue_deliveries (
  tenant           text primary key references tenants,
  events           text[],
  statuses         text[],
  txid             xid8 not null,
  position         bigint not null,
  created_at       timestamptz not null default now(),
  failing_since    timestamptz,
  failure          text,
  credential_id    text,
  authorized_until timestamptz,
  readable         text[] not null default '{}'
);
create index queue_deliveries_by_credential on queue_deliveries (credential_id);
${rowSecurity('queue_deliveries', whole(own('tenant')))}
grant select, insert, update, delete on queue_deliveries to marketplace_app;
`

const WEBHOOKS = `
create table webhook_endpoints (
  endpoint_id      text primary key,
  tenant           text not null references tenants,
  url              text not null, -- its host in lower case, as it is compared
  events           text[],
  statuses         text[],
  topics           text[], -- what the two select together; null is everything
  status           text not null default 'active' check (status in ('active', 'disabled', 'deleted')),
  disabled_reason  text,
  failing_since    timestamptz,
  secret           bytea not null, -- sealed
  created_at       timestamptz not null default now(),
  previous_secrets jsonb not null default '[]', -- [{sealed: base64, until: ISO UTC}], oldest first: each signs until its own time
  credential_id    text,
  authorized_until timestamptz,
  readable         text[] not null default '{}'
);
create index webhook_endpoints_of_tenant on webhook_endpoints (tenant, endpoint_id) where status <> 'deleted';
create index webhook_endpoints_by_credential on webhook_endpoints (credential_id) where status = 'active';
create index webhook_endpoints_lapsing on webhook_endpoints (authorized_until) where status = 'active' and authorized_until is not null;
create index webhook_endpoints_troubled on webhook_endpoints (endpoint_id) where status <> 'deleted' and (failing_since is not null or status = 'disabled');
${rowSecurity('webhook_endpoints', { ...whole(own('tenant')), select: dealt('tenant') })}
grant select, insert, update on webhook_endpoints to marketplace_app;

-- Which process sends to an endpoint, and until when unless it says again that it does. A row an endpoint, changed in place: woken is how another process,
-- which has found it taken, makes its sender look once more.
create table endpoint_senders (
  endpoint_id text primary key,
  sender      text not null,
  held_until  timestamptz not null,
  woken       boolean not null default false
) with (fillfactor = 50, ${QUEUE});
${rowSecurity('endpoint_senders')}
grant select, insert, update, delete on endpoint_senders to marketplace_app;
`

const ofEndpoint = (rule: string) =>
  `exists (select from webhook_endpoints w where w.endpoint_id = deliveries.endpoint_id and ${rule} offset 0)`
const OF_OWN_ENDPOINT = ofEndpoint(own('w.tenant'))

const DELIVERIES = `
-- A row for each event that an endpoint is to be sent, with its attempts.
create table deliveries (
  endpoint_id    text not null,
  delivery_no    bigint generated always as identity,
  event_type     text not null,
  order_id       text,
  seq            integer,
  event_id       text,
  status         text not null default 'pending' check (status in ('pending', 'delivered', 'dropped')),
  redelivery_of  bigint,
  made           smallint not null default 0,
  first_at       timestamptz,
  due_at         timestamptz not null default now(),
  attempts       text not null default '[]', -- JSON as it is served
  created_at     timestamptz not null default now(),
  dropped_reason text,
  primary key (endpoint_id, delivery_no)
) with (${CHANGING});
create index deliveries_pending on deliveries (endpoint_id, delivery_no) where status = 'pending';
create index deliveries_by_age on deliveries using brin (created_at);
${rowSecurity('deliveries', { select: ofEndpoint('true'), insert: ofEndpoint('true'), update: OF_OWN_ENDPOINT, delete: OF_OWN_ENDPOINT })}
grant select, insert, update, delete on deliveries to marketplace_app;
`
