import { type Kysely, sql } from 'kysely'

/** A file drop publishes several cards together, so a seller may have several that are written and not yet published. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(SEVERAL).execute(db)
}

const SEVERAL = `
alter table sellers add column unpublished_commit_nos bigint[] not null default '{}'; -- of the cards that are being written
update sellers set unpublished_commit_nos = array[unpublished_commit_no] where unpublished_commit_no is not null;
alter table sellers drop column unpublished_commit_no;
`
