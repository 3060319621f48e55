import { type Kysely, sql } from 'kysely'

/**
 * A large rate card is written in many short transactions under a commit number that no commit has yet, since the feed waits for the oldest
 * transaction that is open; the last one makes the commit. Nothing is laid down elsewhere any more. A published price still never goes: what is taken
 * away is only what a killed publish left under a number that never became a commit.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [NUMBERS, WINDOWS, PUBLISHED, STAGING]) await sql.raw(statement).execute(db)
}

const NUMBERS = `
alter table sellers add column unpublished_commit_no bigint; -- of the card that is being written, if one is
alter table priced_values add column commit_no bigint;       -- of the first commit that prices the value; null before this was kept
create index priced_values_of_commit on priced_values (commit_no) where commit_no is not null;
create index rate_windows_of_commit on rate_windows (commit_no);
grant usage on sequence rate_commits_commit_no_seq to marketplace_app;
grant delete on rate_entries, priced_values to marketplace_app;
`

const WINDOWS = `
-- Windows are written before their commit is, those that are open from the start among them: entry_opens is null for these, as in their prices.
alter table rate_windows drop constraint rate_windows_commit_no_fkey, add column entry_opens timestamptz;
update rate_windows set entry_opens = opens;
`

const PUBLISHED = `
create function refuse_delete_of_published() returns trigger language plpgsql as $$
begin
  if exists (select from public.rate_commits c where c.commit_no = old.commit_no) then
    raise exception 'a published price is never deleted' using errcode = 'insufficient_privilege';
  end if;
  return old;
end $$;
create trigger rate_entries_published before delete on rate_entries for each row execute function refuse_delete_of_published();
`

const STAGING = `
drop table avails_staging, rates_staging;
`
