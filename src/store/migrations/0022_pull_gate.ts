import { type Kysely, sql } from 'kysely'

/** The pull gate: how far the asking of a seller's own API has come, order by order. Bookkeeping: no part of any record. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table orders add column stuck_reason text;

create table remote_asks (
  order_id    text primary key,
  -- the seller's API has said that it will decide: it is polled from then on
  accepted    boolean not null default false,
  asks        integer not null default 0,
  -- in a row, without any answer
  unreachable integer not null default 0,
  asked_at    timestamptz not null
);

grant select, insert, update on remote_asks to marketplace_app;
`)
    .execute(db)
}
