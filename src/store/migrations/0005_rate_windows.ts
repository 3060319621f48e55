import { type Kysely, sql } from 'kysely'

/** Rate windows that have yet to open: what is announced when its time comes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table rate_windows (
  opens        timestamptz not null,
  seller       text not null references sellers,
  commit_no    bigint not null references rate_commits (commit_no),
  product_id   text not null,
  week         text not null,
  market_class text not null,
  closes       timestamptz not null,
  primary key (opens, seller, commit_no, product_id, week, market_class, closes)
);

grant select, insert, update, delete on rate_windows to marketplace_app;
`)
    .execute(db)
}
