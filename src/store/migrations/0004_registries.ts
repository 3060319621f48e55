import { type Kysely, sql } from 'kysely'

/** The buyer's registries: creatives that lines refer to, and uploads that orders are attached. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table creatives (
  creative_id    text primary key,
  buyer_entity   text not null,
  creative_code  text not null,
  name           text not null,
  length_seconds integer not null,
  status         text not null default 'active' check (status in ('active', 'archived')),
  created_at     timestamptz not null
);
create index creatives_of_buyer on creatives (buyer_entity, creative_id);

create table uploads (
  upload_id    text primary key,
  buyer_entity text not null,
  filename     text not null,
  format       text not null check (format in ('pdf', 'xlsx', 'csv')),
  size_bytes   bigint not null,
  -- receiving: its one PUT is under way; read as pending
  status       text not null check (status in ('pending', 'receiving', 'uploaded', 'rejected', 'expired')),
  sha256       text,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  claimed_at   timestamptz
);
create index uploads_of_buyer on uploads (buyer_entity, created_at);
create index uploads_to_lapse on uploads (expires_at) where status in ('pending', 'receiving', 'uploaded');

-- An upload that an order references never lapses.
create table order_uploads (
  order_id  text not null,
  upload_id text not null references uploads,
  primary key (upload_id, order_id)
);

grant select, insert, update on creatives, uploads to marketplace_app;
grant select, insert on order_uploads to marketplace_app;
`)
    .execute(db)
}
