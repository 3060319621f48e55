import { type Kysely, sql } from 'kysely'

/**
 * What the reads of a published card need: which values of a product any entry prices (so that unpriced[] never scans a card), whose quote a
 * commit is, and the entries of one commit.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [PRICED, COMMITS, GRANTS]) await sql.raw(statement).execute(db)
}

const PRICED = `
create table priced_values (
  seller       text not null references sellers,
  product_id   text not null,
  agreement_id text not null default '', -- the scope; '' is the open card
  member       text not null check (member in ('buy_type', 'spot_length', 'advertiser_class', 'currency', 'market_class')),
  value        text not null,
  primary key (seller, product_id, agreement_id, member, value)
);
`

const COMMITS = `
alter table rate_commits add column visible_to text; -- set on a quote commit: it is no version of the card
create index rate_commits_of_seller on rate_commits (seller, commit_no desc);
create index rate_entries_of_commit on rate_entries (commit_no, locked_rate_id);
`

const GRANTS = `
grant select, insert on priced_values to marketplace_app;
`
