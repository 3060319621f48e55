import { type Kysely, sql } from 'kysely'

/**
 * What a drop of delivery posts replaces is kept until the drop ends, since rows that are refused leave earlier ones in place: which rows it has
 * replaced, and what could be read of those that were refused. A drop whose rows a later one has replaced is no longer replayed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...ASIDE, REFUSED, REPLACED]) await sql.raw(statement).execute(db)
}

/** `replaced_in`: the registration of the drop that has replaced the row; null for a row that the drop in progress has set aside of its own. */
const ASIDE = [
  ['as_run_rows_aside', 'network, broadcast_date, log_id'],
  ['billed_rows_aside', 'invoice_number'],
].map(
  ([table, whole]) => `
alter table ${table} add column replaced_in bigint;
create index ${table}_replaced on ${table} (seller, replaced_in, ${whole}) where replaced_in is not null;
`,
)

const REFUSED = `
create table refused_posts (
  seller         text not null references sellers,
  registration   bigint not null,
  file           text not null,
  row            bigint not null, -- 0: some row of the file of which nothing could be read, or the whole file
  record_type    text,
  network        text,
  broadcast_date date,
  log_id         text,
  invoice_number text,
  air_date       date,
  air_time       text,
  isci           text,
  primary key (seller, registration, file, row)
);
alter table refused_posts enable row level security;
create policy platform on refused_posts to marketplace_platform using (true) with check (true);
grant select on refused_posts to marketplace_app;
grant insert, delete on refused_posts to marketplace_platform;
`

const REPLACED = 'alter table drops add column is_replaced boolean not null default false'
