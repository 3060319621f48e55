import { type Kysely, sql } from 'kysely'

/** What buyers ask of avails that are not published to them, and the periods that an answer discloses to the asker alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table avails_requests (
  request_id   text primary key,
  seller       text not null references sellers,
  buyer_entity text not null,
  product_id   text not null,
  grain        text not null,
  start        text not null,
  agreement_id text not null default '', -- presented with the request; '' is none
  note         text,
  requested_at timestamptz not null default now(),
  answered_at  timestamptz
);
-- One open request per question: asking again is the same request.
create unique index avails_requests_asked on avails_requests (seller, product_id, buyer_entity, grain, start, agreement_id)
  where answered_at is null;
create index avails_requests_of_seller on avails_requests (seller, request_id) where answered_at is null;
create index avails_requests_of_buyer on avails_requests (buyer_entity, seller) where answered_at is null;

create table avails_disclosed (
  seller       text not null references sellers,
  buyer_entity text not null,
  product_id   text not null,
  grain        text not null,
  start        text not null,
  primary key (seller, buyer_entity, product_id, grain, start)
);

grant select, insert, update on avails_requests to marketplace_app;
grant select, insert on avails_disclosed to marketplace_app;
`)
    .execute(db)
}
