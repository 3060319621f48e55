import { type Kysely, sql } from 'kysely'

/**
 * The feed is ordered by transaction ids, and those belong to a cluster: in a database that was restored elsewhere, or to an earlier time,
 * they start again, below cursors that readers hold. So a restore begins an era: from then on everything written lies above every place
 * that any era before could have given out, and everything older is history, whatever its ids say.
 *
 * `feed_txid()` is where a row is written, `feed_horizon()` what may be read; both are recreated by `begin_feed_era()`, with the era as a
 * constant, so that they cost nothing. Eras lie by the second of their beginning, 2^32 places to the second, since a second
 * restore of one backup must not begin where the first did. Their low 32 bits stay those of the row's xmin.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [ERAS, BEGIN, FIRST, GRANTS]) await sql.raw(statement).execute(db)
}

const ERAS = `
create table feed_eras (
  begins   bigint primary key, -- the lowest place of the era
  begun_at timestamptz not null default now(),
  cluster  text not null       -- the system identifier of the cluster that it belongs to
);
`

const BEGIN = `
create function feed_places_from(base bigint) returns void language plpgsql as $$
begin
  execute format('create or replace function feed_txid() returns xid8 language sql volatile as
    ''select (%s + pg_current_xact_id()::text::bigint)::text::xid8''', base);
  execute format('create or replace function feed_horizon() returns xid8 language sql stable as
    ''select (%s + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text::xid8''', base);
end $$;

create function begin_feed_era() returns bigint language plpgsql as $$
declare
  a_second constant bigint := 1::bigint << 32;
  seconds constant bigint := floor(extract(epoch from clock_timestamp() - timestamptz '2020-01-01T00:00:00Z'));
  begins bigint;
begin
  lock table feed in share row exclusive mode; -- who writes has committed, who wants to write will read the new functions
  select greatest(seconds, 1 + greatest((select max(txid::text::bigint) from feed), max(feed_eras.begins)) / a_second) * a_second
    into begins from feed_eras;
  perform feed_places_from(begins - (pg_current_xact_id()::text::bigint >> 32 << 32));
  insert into feed_eras (begins, cluster) select begins, system_identifier::text from pg_control_system();
  return begins;
end $$;
`

const FIRST = `
select feed_places_from(0);
insert into feed_eras (begins, cluster) select 0, system_identifier::text from pg_control_system();
alter table feed alter column txid set default feed_txid();
`

const GRANTS = `
revoke execute on function feed_places_from, begin_feed_era from public;
grant select on feed_eras to marketplace_app;
`
