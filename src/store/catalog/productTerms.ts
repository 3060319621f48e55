import type { Kysely } from 'kysely'
import type { ProductTerms } from '../../domain/publish/productTerms.ts'
import { batchesOfIds } from '../connection/batches.ts'
import type { Reading } from '../connection/snapshot.ts'
import { anyOf, statement } from '../connection/statement.ts'
import type { Tables } from '../connection/tables.ts'
import { runOn } from '../connection/txOn.ts'
import { isInForce } from './unpublished.ts'

/** The terms of a product in the catalog. */
export type KnownTerms = ProductTerms & {
  /** The only buyer that the product was made for, and that sees it. */
  readonly minted_for?: string
}

/** Returns the terms of the named products by id. A card or an avails publish is checked against them. */
export async function findTerms(db: Kysely<Tables>, seller: string, productIds: Iterable<string>): Promise<Map<string, KnownTerms>> {
  const found = new Map<string, KnownTerms>()
  for (const product_ids of batchesOfIds(new Set(productIds))) {
    const { rows } = await runOn<{ terms: KnownTerms }>(db, NAMED.bind({ seller, product_ids }))
    for (const { terms } of rows) found.set(terms.product_id, terms.air_weeks === undefined ? { ...terms, air_weeks: undefined } : terms)
  }
  return found
}

/** The members of a product's terms that the body has under the same name, with their types. */
const MEMBERS = `product_id text, type text, status text, effective json, currencies json, buy_types json, grains json, visibility text,
      disclosure json, reporting_dayparts json, external_ref text, spot_lengths json, advertiser_classes json, mirror_product_id text`
const NAMES = MEMBERS.split(',').map((member) => member.trim().split(' ')[0])

/** Reads the terms of the named products. The database leaves out the rest, which may be hundreds of kilobytes of each product. */
const NAMED = statement(
  'read-named-terms',
  ['seller', 'product_ids'],
  `select json_strip_nulls(row_to_json(terms)) as terms
    from products p cross join json_to_record(p.body) as said (${MEMBERS}, definition json)
      cross join lateral (
        select ${NAMES.map((name) => `said.${name}`).join(', ')}, p.minted_for, case said.type when 'program' then (
          select json_agg(distinct to_char((aired->>'date')::date, 'IYYY"-W"IW')) from json_array_elements(said.definition->'occurrences') aired
        ) end as air_weeks
      ) terms
    where p.seller = :seller and ${isInForce('p', ':seller')} and p.product_id = ${anyOf('product_ids')}`,
)

/** The members of a product that the rules of avails read. */
export type SoldTerms = Pick<ProductTerms, 'product_id' | 'buy_types' | 'grains' | 'effective'>

/** Yields what every product of a seller is sold by, of any visibility, in pages by product_id. */
export async function* readSoldPages({ pool }: Pick<Reading, 'pool'>, seller: string): AsyncGenerator<SoldTerms[], void> {
  let page: SoldTerms[] = []
  do {
    const after = page.at(-1)?.product_id ?? ''
    page = (await pool.query<{ terms: SoldTerms }>(SOLD.bind({ seller, after, limit: PAGE }))).rows.map(({ terms }) => terms)
    yield page
  } while (page.length === PAGE)
}

const PAGE = 1_000

/** Reads a page of what products are sold by. */
const SOLD = statement(
  'read-sold-terms',
  ['seller', 'after', 'limit'],
  `select json_strip_nulls(row_to_json(sold)) as terms
    from products p cross join json_to_record(p.body) as sold (product_id text, buy_types json, grains json, effective json)
    where p.seller = :seller and ${isInForce('p', ':seller')} and p.product_id > :after
    order by p.product_id limit :limit`,
)

/** The members of a product that decide what a buyer reads of its avails. */
export type VisibleTerms = Pick<ProductTerms, 'product_id' | 'visibility' | 'disclosure' | 'effective'>

/** A position in a seller's products: after one of them, at one (or the first after it), or both. */
export interface ProductPlace {
  readonly after?: string | undefined
  readonly from?: string | undefined
}

const SIGHTED = `select json_strip_nulls(row_to_json(sighted)) as terms
    from products p cross join json_to_record(p.body) as sighted (product_id text, visibility text, disclosure json, effective json)
    where p.seller = :seller and ${isInForce('p', ':seller')} and p.reader = any(array['', :buyer::text]) and p.sold_until >= :today`

/** Reads those of the named products that a buyer may see and that are still sold. */
const NAMED_FOR_BUYER = statement(
  'read-named-products-for-buyer',
  ['seller', 'buyer', 'today', 'product_ids'],
  `${SIGHTED} and p.product_id = ${anyOf('product_ids')}`,
)

/** Returns those of the named products that take orders, without those made for another buyer. */
export async function readNamedFor(
  { pool }: Pick<Reading, 'pool'>,
  seller: string,
  buyer: string,
  productIds: readonly string[],
): Promise<VisibleTerms[]> {
  const today = new Date().toISOString().slice(0, 10)
  const { rows } = await pool.query<{ terms: VisibleTerms }>(NAMED_FOR_BUYER.bind({ seller, buyer, today, product_ids: productIds }))
  return rows.map(({ terms }) => terms)
}

/** Reads a page of the products that a buyer may see and that are still sold, by product_id. */
const SOME_FOR_BUYER = statement(
  'read-some-products-for-buyer',
  ['seller', 'buyer', 'today', 'after', 'from', 'limit'],
  `${SIGHTED} and p.product_id > :after and p.product_id >= :from
    order by p.product_id limit :limit`,
)

/** Returns the next of the products that a buyer may see and that are still sold, by product_id. */
export async function readSomeFor(
  { pool }: Pick<Reading, 'pool'>,
  seller: string,
  buyer: string,
  { after = '', from = '' }: ProductPlace,
  max: number,
): Promise<VisibleTerms[]> {
  const today = new Date().toISOString().slice(0, 10)
  const { rows } = await pool.query<{ terms: VisibleTerms }>(SOME_FOR_BUYER.bind({ seller, buyer, today, after, from, limit: max }))
  return rows.map(({ terms }) => terms)
}
