import { type Kysely, sql } from 'kysely'

/**
 * A file drop publishes several cards together, so a seller may have several that are written and not yet published. Processes of the release before
 * may still run, and know the column that names one: a trigger keeps both alike, so that neither reads a single card early, and each clears what a
 * killed process of the other left. Of several cards they know the first. The column goes with a later release.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(SEVERAL).execute(db)
}

const SEVERAL = `
alter table sellers add column unpublished_commit_nos bigint[] not null default '{}'; -- of the cards that are being written
update sellers set unpublished_commit_nos = array[unpublished_commit_no] where unpublished_commit_no is not null;

create function keep_unpublished_alike() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if new.unpublished_commit_nos is distinct from old.unpublished_commit_nos then
    new.unpublished_commit_no := new.unpublished_commit_nos[array_lower(new.unpublished_commit_nos, 1)];
  elsif new.unpublished_commit_no is distinct from old.unpublished_commit_no then
    new.unpublished_commit_nos := array_remove(new.unpublished_commit_nos, old.unpublished_commit_no) || array_remove(array[new.unpublished_commit_no], null);
  end if;
  return new;
end $$;
create trigger sellers_unpublished before update of unpublished_commit_no, unpublished_commit_nos on sellers
  for each row execute function keep_unpublished_alike();
`
