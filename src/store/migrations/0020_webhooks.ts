import { type Kysely, sql } from 'kysely'

/** Webhook endpoints of both sides, and a row for each event that one is to be sent, with its attempts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table webhook_endpoints (
  endpoint_id     text primary key,
  tenant          text not null references tenants,
  url             text not null,
  events          text[],
  statuses        text[],
  topics          text[], -- what the two select together; null is everything
  status          text not null default 'active' check (status in ('active', 'disabled', 'deleted')),
  disabled_reason text,
  failing_since   timestamptz,
  secret          bytea not null, -- sealed, like the one before it, which counts until it lapses
  previous_secret bytea,
  previous_until  timestamptz,
  created_at      timestamptz not null default now()
);
create index webhook_endpoints_of_tenant on webhook_endpoints (tenant, endpoint_id) where status <> 'deleted';

create table deliveries (
  endpoint_id   text not null,
  delivery_no   bigint generated always as identity,
  event_type    text not null,
  order_id      text,
  seq           integer,
  event_id      text,
  status        text not null default 'pending' check (status in ('pending', 'delivered', 'dropped')),
  redelivery_of bigint,
  made          smallint not null default 0,
  first_at      timestamptz,
  due_at        timestamptz not null default now(),
  attempts      text not null default '[]', -- JSON as it is served
  created_at    timestamptz not null default now(),
  primary key (endpoint_id, delivery_no)
);
create index deliveries_pending on deliveries (endpoint_id, delivery_no) where status = 'pending';
create index deliveries_by_age on deliveries using brin (created_at);

-- The endpoint that a create named as its notify_url: it gets the order's events whatever its filters.
alter table orders add column notify_endpoint text;

-- What an outbox row may wake is the code's to know.
alter table outbox drop constraint if exists outbox_kind_check;

grant select, insert, update on webhook_endpoints to marketplace_app;
grant select, insert, update, delete on deliveries to marketplace_app;
`)
    .execute(db)
}
