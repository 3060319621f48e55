import { type Kysely, sql } from 'kysely'

/**
 * What each seller offers at all, a few rows per seller, kept with every change of its catalog: the sellers list reads these instead of products.
 * And until when a product is sold, as a column of its own, so that an index leaves out what is withdrawn or past its time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [PRODUCTS, OFFERS, FIRST, GRANTS]) await sql.raw(statement).execute(db)
}

const PRODUCTS = `
alter table products
  add column visibility text generated always as (body->>'visibility') stored,
  -- The last date as text, which sorts as the date does; withdrawn is before every date, without an end after every one.
  add column sold_until text collate "C" generated always as (
    case when body->>'status' = 'withdrawn' then '' else coalesce(body->'effective'->>'end', '9999-12-31') end) stored,
  add column reader text generated always as (coalesce(minted_for, '')) stored; -- the one buyer that sees it; '' is everyone

create index products_on_sale on products (seller, reader, sold_until);
${['day', 'week', 'month']
  .map(
    (grain) => `
create index products_by_${grain} on products (seller, reader, visibility, sold_until) where body->>'grains' like '%"${grain}"%';`,
  )
  .join('')}
`

const OFFERS = `
create table seller_offers (
  seller     text not null references sellers,
  reader     text not null, -- the one buyer that the products were made for; '' is everyone
  visibility text not null,
  grain      text not null,
  sold_until text collate "C" not null, -- the longest that any of them is sold
  primary key (seller, reader, visibility, grain)
);
`

const FIRST = `
insert into seller_offers (seller, reader, visibility, grain, sold_until)
select seller, reader, visibility, grain, max(sold_until)
from products cross join lateral json_array_elements_text(body->'grains') as of(grain)
group by seller, reader, visibility, grain;
`

const GRANTS = `
grant select, insert, delete on seller_offers to marketplace_app;
`
