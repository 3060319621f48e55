import { type Kysely, sql } from 'kysely'

/** Holds: inventory that a buyer keeps for a while. The outbox wakes more than orders from here on, so that its kinds are the code's to know. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table holds (
  hold_id      text primary key,
  seller       text not null references sellers,
  buyer_entity text not null,
  -- asking: the seller's API is being asked; refused: it said no. Neither is ever shown
  status       text not null check (status in ('asking', 'held', 'refused', 'released', 'expired', 'used')),
  lines        jsonb not null,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  order_id     text,
  -- the seller's API was asked to hold, and must hear of the end
  at_seller    boolean not null,
  -- nothing is left to be done
  closed       boolean not null default false
);
create index holds_open on holds (buyer_entity, seller) where status in ('asking', 'held');

alter table outbox drop constraint if exists outbox_kind_check;

grant select, insert, update on holds to marketplace_app;
`)
    .execute(db)
}
