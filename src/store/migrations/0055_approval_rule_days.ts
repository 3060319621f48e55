import { type Kysely, sql } from 'kysely'

/** What each approval rule did, by day: written with the decision, so that no read looks through decisions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table approval_rule_days (
  seller       text not null references sellers,
  rule_id      text not null,
  day          date not null,
  shard        smallint not null, -- orders that are decided at the same time seldom wait for each other
  approved     integer not null default 0,
  rejected     integer not null default 0,
  held         integer not null default 0,
  last_used_at timestamptz not null,
  primary key (seller, rule_id, day, shard)
);
grant select, insert, update, delete on approval_rule_days to marketplace_app;
`)
    .execute(db)
}
