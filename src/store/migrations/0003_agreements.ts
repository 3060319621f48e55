import { type Kysely, sql } from 'kysely'

/** Relationships between sellers and buyers: agreements, and who may order at all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table agreements (
  agreement_id text primary key,
  seller       text not null references sellers,
  buyer_entity text not null,
  status       text not null check (status in ('active', 'ended')),
  effective    daterange not null,
  external_ref text,
  body         json not null,
  updated_at   timestamptz not null default now()
);
create unique index agreements_external_ref on agreements (seller, external_ref) where external_ref is not null;
create index agreements_of_seller on agreements (seller, agreement_id);
create index agreements_of_buyer on agreements (buyer_entity, seller, agreement_id);

create table seller_buyers (
  seller       text not null references sellers,
  buyer_entity text not null,
  status       text not null check (status in ('active', 'suspended')),
  allowlisted  boolean not null,
  updated_at   timestamptz not null default now(),
  primary key (seller, buyer_entity)
);

alter table orders add column agreement_id text, add column gross numeric not null default 0;
create index orders_under_agreement on orders (agreement_id, status) where agreement_id is not null;

grant select, insert, update on agreements, seller_buyers to marketplace_app;
`)
    .execute(db)
}
