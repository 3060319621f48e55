import { type Kysely, sql } from 'kysely'
import { own, ownAny, PARTY, rowSecurity, whole, writtenBy } from './policies.ts'

/**
 * Rate cards: a commit with its prices, what is priced at all, windows that have yet to open, and quotes that ended.
 *
 * A large card is written in many short transactions under a commit number that no commit has yet, since the feed waits for the oldest transaction that
 * is open; the last one makes the commit. A published price never goes: what is taken away is only what a killed publish left under a number that never
 * became a commit.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [COMMITS, ENTRIES, PUBLISHED, PRICED, WINDOWS, QUOTES]) await sql.raw(statement).execute(db)
}

const OWN_AGREEMENT = `(${own('seller')} or agreement_id = any((select agreed_ids())::text[]))`

/** What everybody may see is said first: then nothing is asked about whose the transaction is. */
const SEES_PRICE = `(visible_to is null and agreement_id is null)
  or ((visible_to is null or ${ownAny('seller, visible_to')}) and (agreement_id is null or ${OWN_AGREEMENT}))`

const COMMITS = `
create table rate_commits (
  seller         text not null references sellers,
  commit         text not null,
  commit_no      bigint generated always as identity unique,
  agreement_id   text,
  effective      daterange not null,
  body_sha256    bytea not null,
  reply          text not null,
  published_at   timestamptz not null default now(),
  visible_to     text, -- set on a quote commit: it is no version of the card
  order_id       text, -- in answer to which order a quote commit was published: there is none without an order
  primary key (seller, commit),
  constraint rate_commits_quote check ((order_id is null) = (visible_to is null))
);
create index rate_commits_of_seller on rate_commits (seller, commit_no desc);
create index rate_commits_of_order on rate_commits (order_id) where order_id is not null;
${rowSecurity('rate_commits', { ...writtenBy('seller'), select: SEES_PRICE })}
grant select, insert on rate_commits to marketplace_app;
grant update (body_sha256, reply) on rate_commits to marketplace_app; -- the answer to a commit is that to what was sent of it last
grant usage on sequence rate_commits_commit_no_seq to marketplace_app;

-- What a commit had refused may be sent again under its name, and is published then: its further prices are written under a number of their own, like
-- those of any publish, and belong to the commit once the number is a part of it.
create table rate_commit_parts (
  commit_no    bigint primary key, -- of the part's prices
  seller       text not null references sellers,
  completes    bigint not null references rate_commits (commit_no),
  completed_at timestamptz not null default now()
);
create index rate_commit_parts_of_commit on rate_commit_parts (completes);
${rowSecurity('rate_commit_parts', { select: own('seller'), insert: own('seller') })}
grant select, insert on rate_commit_parts to marketplace_app;
`

const ENTRIES = `
create table rate_entries (
  locked_rate_id         text primary key,
  seller                 text not null,
  commit                 text not null,
  commit_no              bigint not null, -- without a reference: a large card is written before its commit
  agreement_id           text,
  visible_to             text,
  product_id             text not null,
  week                   text not null,
  market_class           text not null,
  advertiser_class       text not null,
  spot_length            integer not null,
  buy_type               text not null,
  clearance_tier         text,
  gross_rate_unit        numeric,
  gross_rate_cpm         numeric,
  currency               text not null,
  guaranteed_impressions bigint,
  audience_code          text,
  window_opens           timestamptz,
  window_closes          timestamptz,
  quote_expires_at       timestamptz,
  quote_id               text, -- a quote of several weeks is several prices: the first of them names it
  check (num_nonnulls(gross_rate_unit, gross_rate_cpm) = 1)
);
-- One key of the card, newest commit first: the current price, the avails read and the drift check are all this index.
create index rate_entries_by_key on rate_entries
  (seller, product_id, week, spot_length, market_class, advertiser_class, buy_type, clearance_tier, commit_no desc);
create index rate_entries_of_commit on rate_entries (commit_no, locked_rate_id);
${rowSecurity('rate_entries', { ...writtenBy('seller'), select: SEES_PRICE })}
grant select, insert, delete on rate_entries to marketplace_app;
`

const PUBLISHED = `
create function refuse_delete_of_published() returns trigger language plpgsql as $$
begin
  if exists (select from public.rate_commits c where c.commit_no = old.commit_no)
    or exists (select from public.rate_commit_parts p where p.commit_no = old.commit_no) then
    raise exception 'a published price is never deleted' using errcode = 'insufficient_privilege';
  end if;
  return old;
end $$;
create trigger rate_entries_published before delete on rate_entries for each row execute function refuse_delete_of_published();
`

const PRICED = `
-- Which values of a product any entry prices, so that unpriced[] never scans a card.
create table priced_values (
  seller       text not null references sellers,
  product_id   text not null,
  agreement_id text not null default '', -- the scope; '' is the open card
  member       text not null check (member in ('buy_type', 'spot_length', 'advertiser_class', 'currency', 'market_class', 'clearance_tier')),
  value        text not null,
  commit_no    bigint not null, -- of the first commit that prices the value
  primary key (seller, product_id, agreement_id, member, value)
);
create index priced_values_of_commit on priced_values (commit_no);
${rowSecurity('priced_values', { ...writtenBy('seller'), select: `agreement_id = '' or ${OWN_AGREEMENT}` })}
grant select, insert, delete on priced_values to marketplace_app;
`

const WINDOWS = `
-- Windows that have yet to open: what is announced when its time comes. They are written before their commit is, those that are open from the start among
-- them: entry_opens is null for these, as in their prices.
create table rate_windows (
  opens        timestamptz not null,
  seller       text not null references sellers,
  commit_no    bigint not null,
  product_id   text not null,
  week         text not null,
  market_class text not null,
  closes       timestamptz not null,
  entry_opens  timestamptz,
  primary key (opens, seller, commit_no, product_id, week, market_class, closes)
);
create index rate_windows_of_commit on rate_windows (commit_no);
${rowSecurity('rate_windows', whole(own('seller')))}
grant select, insert, update, delete on rate_windows to marketplace_app;
`

const QUOTES = `
-- Quotes that ended before they lapsed.
create table ended_quotes (
  ended_id     text primary key references rate_entries (locked_rate_id),
  seller       text not null,
  buyer_entity text not null,
  reason       text not null,
  ended_at     timestamptz not null default now()
);
${rowSecurity('ended_quotes', { select: PARTY, insert: PARTY })}
grant select, insert on ended_quotes to marketplace_app;
`
