import { type Kysely, sql } from 'kysely'

/**
 * Where a large publish of avails is laid down before the one short statement that merges it: unlogged, since what a crash takes of it is sent
 * again. And one check less for each price: entries are written with their commit, in its transaction, and neither is ever taken away.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create unlogged table avails_staging (
  publish_id uuid not null,
  staged_at  timestamptz not null default now(),
  product_id text not null,
  grain      text not null,
  start      text not null,
  state      text not null,
  body       text not null
);
grant select, insert, delete on avails_staging to marketplace_app;

alter table rate_entries drop constraint rate_entries_commit_no_fkey;
`)
    .execute(db)
}
