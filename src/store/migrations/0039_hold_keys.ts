import { type Kysely, sql } from 'kysely'

/** Idempotency keys of holds: what each answered, so that a repeat answers the same. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table hold_keys (
  buyer_entity text not null,
  key          text not null,
  body_hash    bytea not null,
  hold_id      text not null references holds,
  reply        text, -- null while the seller's API is asked
  created_at   timestamptz not null default now(),
  primary key (buyer_entity, key)
);
create index hold_keys_age on hold_keys (created_at);
create index holds_of_buyer on holds (buyer_entity, hold_id);

grant select, insert, update, delete on hold_keys to marketplace_app;
`)
    .execute(db)
}
