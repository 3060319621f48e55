import { type Kysely, sql } from 'kysely'
import { own, ownAny, PARTY, rowSecurity, whole, writtenBy } from './policies.ts'

/** Sellers with their agreements, buyers and approval rules; what they publish of products and avails, and what buyers ask of avails. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [SELLERS, AGREEMENTS, PRODUCTS, OFFERS, AVAILS]) await sql.raw(statement).execute(db)
}

const SELLERS = `
create table sellers (
  seller                 text primary key references tenants,
  currency               text not null default 'USD',
  taxonomy_version       text,
  profile                jsonb not null,
  uses_api               boolean not null default false,
  approval_rules         json not null default '[]', -- in their order
  unpublished_commit_nos bigint[] not null default '{}' -- of the cards and catalogs that are being written
);
${rowSecurity('sellers', { select: 'true', update: own('seller') })}
grant select, insert, update on sellers to marketplace_app;

-- What each approval rule did, by day: written with the decision, so that no read looks through decisions.
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
${rowSecurity('approval_rule_days', whole(own('seller')))}
grant select, insert, update, delete on approval_rule_days to marketplace_app;
`

const AGREEMENTS = `
create table agreements (
  agreement_id text primary key,
  seller       text not null references sellers,
  buyer_entity text not null,
  status       text not null check (status in ('active', 'ended')),
  effective    daterange not null,
  external_ref text,
  body         json not null,
  updated_at   timestamptz not null default now()
);
create unique index agreements_external_ref on agreements (seller, external_ref) where external_ref is not null;
create index agreements_of_seller on agreements (seller, agreement_id);
create index agreements_of_buyer on agreements (buyer_entity, seller, agreement_id);
${rowSecurity('agreements', { ...writtenBy('seller'), select: PARTY })}
grant select, insert, update on agreements to marketplace_app;

-- Ids are unique over all sellers: whether another one has an id is asked without seeing whose agreement it is.
create function is_foreign_agreement(wanted text, asking text) returns boolean language sql stable security definer set search_path = pg_catalog as $$
  select exists (select from public.agreements a where a.agreement_id = wanted and a.seller <> asking)
$$;
revoke execute on function is_foreign_agreement from public;
grant execute on function is_foreign_agreement to marketplace_app, marketplace_platform;

-- The agreements of the buyers in whose names the transaction is, and the sellers whose products by agreement it sees: its own and theirs. Policies ask
-- for them once per statement, as an array, and not by a scan in each table of it.
create function agreed_ids() returns text[] language plpgsql stable as $$
declare
  acting pg_catalog.text[] := public.acting_tenants();
begin
  return array(select a.agreement_id from public.agreements a where a.buyer_entity operator(pg_catalog.=) any (acting));
end $$;
create function agreed_sellers() returns text[] language plpgsql stable as $$
declare
  acting pg_catalog.text[] := public.acting_tenants();
begin
  return acting operator(pg_catalog.||) array(select distinct a.seller from public.agreements a where a.buyer_entity operator(pg_catalog.=) any (acting));
end $$;

-- Who may order at all.
create table seller_buyers (
  seller       text not null references sellers,
  buyer_entity text not null,
  status       text not null check (status in ('active', 'suspended')),
  allowlisted  boolean not null,
  updated_at   timestamptz not null default now(),
  primary key (seller, buyer_entity)
);
${rowSecurity('seller_buyers', { ...writtenBy('seller'), select: PARTY })}
grant select, insert, update on seller_buyers to marketplace_app;
`

/** What everybody may see is said first: then nothing is asked about whose the transaction is. */
const SEES_PRODUCT = `(reader = '' and visibility <> 'by_agreement') or ((reader = '' or ${ownAny('seller, reader')})
  and (visibility <> 'by_agreement' or seller = any((select agreed_sellers())::text[])))`

const PRODUCTS = `
-- A large catalog is written in many short transactions and becomes visible with the last: until then a product may have two rows, the one in force and
-- the one that replaces it. Numbers are those of commits, of which sellers.unpublished_commit_nos names the unpublished ones.
create table products (
  seller       text not null references sellers,
  product_id   text not null,
  external_ref text,
  body         json not null,
  updated_at   timestamptz not null default now(),
  minted_for   text, -- the buyer for whom a plan made it
  -- Until when it is sold is a column, so that an index leaves out what is withdrawn or past its time: the last date as text, which sorts as the date does.
  -- Withdrawn is before every date, without an end after every one.
  visibility   text generated always as (body->>'visibility') stored,
  sold_until   text collate "C" generated always as (
    case when body->>'status' = 'withdrawn' then '' else coalesce(body->'effective'->>'end', '9999-12-31') end) stored,
  reader       text generated always as (coalesce(minted_for, '')) stored, -- the one buyer that sees it; '' is everyone
  added_by     bigint not null default 0, -- the large update that wrote the row; 0: it was written in one transaction
  replaced_by  bigint not null default 0, -- the large update that replaces the row; 0: none does
  primary key (seller, product_id, replaced_by)
);
create unique index products_external_ref on products (seller, external_ref, replaced_by) where external_ref is not null;
create index products_on_sale on products (seller, reader, sold_until);
create index products_replaced on products (seller) where replaced_by <> 0;
${['day', 'week', 'month']
  .map(
    (grain) => `
create index products_by_${grain} on products (seller, reader, visibility, sold_until) where body->>'grains' like '%"${grain}"%' and replaced_by = 0;`,
  )
  .join('')}
${rowSecurity('products', { ...writtenBy('seller'), select: SEES_PRODUCT })}
grant select, insert, update, delete on products to marketplace_app;

create function refuse_delete_in_force() returns trigger language plpgsql as $$
declare
  unpublished bigint[] := (select s.unpublished_commit_nos from public.sellers s where s.seller = old.seller);
begin
  if (old.added_by = 0 or old.added_by <> all(unpublished)) and (old.replaced_by = 0 or old.replaced_by = any(unpublished)) then
    raise exception 'a product in force is never deleted' using errcode = 'insufficient_privilege';
  end if;
  return old;
end $$;
create trigger products_in_force before delete on products for each row execute function refuse_delete_in_force();
`

const OFFERS = `
-- What each seller offers at all, a few rows per seller, kept with every change of its catalog: the sellers list reads these instead of products.
create table seller_offers (
  seller     text not null references sellers,
  reader     text not null, -- the one buyer that the products were made for; '' is everyone
  visibility text not null,
  grain      text not null,
  sold_until text collate "C" not null, -- the longest that any of them is sold
  primary key (seller, reader, visibility, grain)
);
${rowSecurity('seller_offers', { ...writtenBy('seller'), select: `reader = '' or ${ownAny('seller, reader')}` })}
grant select, insert, update, delete on seller_offers to marketplace_app;
`

const AVAILS = `
create table avails (
  seller     text not null references sellers,
  product_id text not null,
  grain      text not null check (grain in ('day', 'week', 'month')),
  start      text not null,
  state      text not null check (state in ('available', 'unavailable', 'projected')),
  body       json not null,
  updated_at timestamptz not null default now(),
  primary key (seller, product_id, grain, start)
);
${rowSecurity('avails', { ...writtenBy('seller'), select: 'true' })}
grant select, insert, update on avails to marketplace_app;

-- What buyers ask of avails that are not published to them, and the periods that an answer discloses to the asker alone.
create table avails_requests (
  request_id   text primary key,
  seller       text not null references sellers,
  buyer_entity text not null,
  product_id   text not null,
  grain        text not null,
  start        text not null,
  agreement_id text not null default '', -- presented with the request; '' is none
  note         text,
  requested_at timestamptz not null default now(),
  answered_at  timestamptz
);
-- One open request per question: asking again is the same request.
create unique index avails_requests_asked on avails_requests (seller, product_id, buyer_entity, grain, start, agreement_id)
  where answered_at is null;
create index avails_requests_of_seller on avails_requests (seller, request_id) where answered_at is null;
create index avails_requests_of_buyer on avails_requests (buyer_entity, seller) where answered_at is null;
${rowSecurity('avails_requests', { select: PARTY, insert: own('buyer_entity'), update: PARTY })}
grant select, insert, update on avails_requests to marketplace_app;

create table avails_disclosed (
  seller       text not null references sellers,
  buyer_entity text not null,
  product_id   text not null,
  grain        text not null,
  start        text not null,
  primary key (seller, buyer_entity, product_id, grain, start)
);
${rowSecurity('avails_disclosed', { select: PARTY, insert: own('seller') })}
grant select, insert on avails_disclosed to marketplace_app;
`
