import type { Kysely } from 'kysely'
import type { Product } from '../../contract/product.ts'
import type { KnownProduct } from '../../domain/publish/stageCatalog.ts'
import { batchesOfIds } from '../connection/batches.ts'
import type { Database } from '../connection/database.ts'
import type { Reading } from '../connection/snapshot.ts'
import { anyOf, statement } from '../connection/statement.ts'
import type { Tables } from '../connection/tables.ts'
import { runOn } from '../connection/txOn.ts'
import { isInForce } from './unpublished.ts'

/** A catalog without its products. `rate_version` is the newest open commit, or that of the presented agreement. */
export interface CatalogHead {
  readonly seller: string
  readonly name: string
  readonly taxonomy_version: string | null
  readonly rate_version: string | null
}

/** Reads a seller with the newest commit of its open card or of one agreement. */
const HEAD = statement(
  'read-catalog-head',
  ['seller', 'agreement_id'],
  `select s.seller, t.name, s.taxonomy_version,
      (select c.commit from rate_commits c
        where c.seller = s.seller and c.visible_to is null and (c.agreement_id is null or c.agreement_id = :agreement_id)
        order by c.commit_no desc limit 1) as rate_version
    from sellers s join tenants t on t.entity = s.seller
    where s.seller = :seller`,
)

/** Returns the head of a seller's catalog; undefined if there is no such seller. */
export async function readCatalogHead(
  { pool }: Pick<Reading, 'pool'>,
  seller: string,
  agreementId?: string,
): Promise<CatalogHead | undefined> {
  const { rows } = await pool.query<CatalogHead>(HEAD.bind({ seller, agreement_id: agreementId ?? null }))
  return rows[0]
}

/** A product as its seller has it in the catalog. */
export type CatalogProduct = Product & {
  /** The only buyer that the product was made for, and that sees it. */
  readonly minted_for?: string
}

/**
 * SQL: the first of the rows that a statement finds, by product_id, until their stored bodies take 256 KiB together; at least one. `found` is
 * the number of rows that the statement found. The stored size of a body is known without reading it; as text it may be ten times as large.
 */
const page = (rows: string) => `select body, minted_for, found from (
      select *, count(*) over ()::int as found, row_number() over (order by product_id) as place,
        sum(pg_column_size(body)) over (order by product_id rows unbounded preceding) as bytes
      from (select product_id, body, minted_for from products p where ${rows} order by product_id limit :limit) sized
    ) measured where place = 1 or bytes <= ${256 * 1024} order by product_id`

/** Reads a page of all of a seller's products. */
const PRODUCTS = statement(
  'read-products',
  ['seller', 'after', 'limit'],
  page(`seller = :seller and ${isInForce('p', ':seller')} and product_id > :after`),
)

/** Reads a page of the products that a buyer may see and that are still sold. */
const PRODUCTS_FOR_BUYER = statement(
  'read-products-for-buyer',
  ['seller', 'buyer', 'today', 'after', 'limit'],
  page(`seller = :seller and ${isInForce('p', ':seller')} and reader = any(array['', :buyer::text]) and sold_until >= :today
        and product_id > :after`),
)

/** Yields every product of a seller by product_id, of any visibility, in pages of up to so many products. */
export function readProductPages({ pool }: Pick<Reading, 'pool'>, seller: string, max: number): AsyncGenerator<CatalogProduct[], void> {
  return pagesOf(pool, max, (place) => PRODUCTS.bind({ seller, ...place }))
}

/** Yields the products that a buyer may see and that are still sold, in pages. */
export function readProductPagesFor(
  { pool }: Pick<Reading, 'pool'>,
  seller: string,
  buyer: string,
  max = PAGE,
): AsyncGenerator<Product[], void> {
  const today = new Date().toISOString().slice(0, 10)
  return pagesOf(pool, max, (place) => PRODUCTS_FOR_BUYER.bind({ seller, buyer, today, ...place }))
}

/** A page ends early where products are large, so that work on one page never blocks the process for long, nor fills its memory. */
async function* pagesOf(
  pool: Reading['pool'],
  limit: number,
  bind: (place: { after: string; limit: number }) => ReturnType<typeof PRODUCTS.bind>,
): AsyncGenerator<CatalogProduct[], void> {
  for (let after = '', isLast = false; !isLast; ) {
    const { rows } = await pool.query<ProductRow & { found: number }>(bind({ after, limit }))
    const products = rows.map(catalogProduct)
    isLast = rows.length === (rows[0]?.found ?? 0) && rows.length < limit
    after = products.at(-1)?.product_id ?? ''
    yield products
  }
}

const PAGE = 500

/** Returns those of the named products that were not made for another buyer. */
export async function findProductsFor(
  { sql: db }: Database,
  seller: string,
  buyer: string,
  productIds: Iterable<string>,
): Promise<Product[]> {
  const found = await findProducts(db, seller, productIds)
  return [...found.values()].filter(({ minted_for }) => minted_for === undefined || minted_for === buyer)
}

type ProductRow = { body: Product; minted_for: string | null }

function catalogProduct({ body, minted_for }: ProductRow): CatalogProduct {
  return minted_for === null ? body : { ...body, minted_for }
}

/** Reads the named products. */
const NAMED = statement(
  'read-named-products',
  ['seller', 'product_ids'],
  `select body, minted_for from products p where seller = :seller and ${isInForce('p', ':seller')} and product_id = ${anyOf('product_ids')}`,
)

/** Returns the named products by id. A card or an avails publish is checked against them. */
export async function findProducts(db: Kysely<Tables>, seller: string, productIds: Iterable<string>): Promise<Map<string, CatalogProduct>> {
  const found = new Map<string, CatalogProduct>()
  for (const product_ids of batchesOfIds(new Set(productIds))) {
    const { rows } = await runOn<ProductRow>(db, NAMED.bind({ seller, product_ids }))
    for (const row of rows) found.set(row.body.product_id, catalogProduct(row))
  }
  return found
}

const KNOWN_PRODUCT = `select product_id, external_ref, sold_until = '' as withdrawn from products p
    where seller = :seller and ${isInForce('p', ':seller')}`

/** Reads the named products. */
const KNOWN = statement('read-known-products', ['seller', 'product_ids'], `${KNOWN_PRODUCT} and product_id = any(:product_ids::text[])`)

/** Reads the products that have one of the references. */
const REFERENCED = statement(
  'read-referenced-products',
  ['seller', 'external_refs'],
  `${KNOWN_PRODUCT} and external_ref = any(:external_refs::text[])`,
)

/** Returns the part of the current catalog that an update touches: the products that it names, and those with a reference that it assigns. */
export async function knownProducts(
  tx: Kysely<Tables>,
  seller: string,
  products: readonly Pick<Product, 'product_id' | 'mirror_product_id' | 'external_ref'>[],
): Promise<KnownProduct[]> {
  const named = products.flatMap(({ product_id, mirror_product_id }) => [product_id, ...(mirror_product_id ? [mirror_product_id] : [])])
  const refs = products.flatMap(({ external_ref }) => external_ref ?? [])
  const known = new Map<string, KnownProduct>()
  const add = ({ rows }: { rows: readonly KnownProduct[] }) => {
    for (const product of rows) known.set(product.product_id, product)
  }
  for (const product_ids of batchesOfIds(new Set(named))) add(await runOn<KnownProduct>(tx, KNOWN.bind({ seller, product_ids })))
  for (const external_refs of batchesOfIds(new Set(refs))) add(await runOn<KnownProduct>(tx, REFERENCED.bind({ seller, external_refs })))
  return [...known.values()]
}

/** Counts the products that are not withdrawn, and all products, in one row. */
const COUNT = statement(
  'count-products',
  ['seller'],
  `select (count(*) filter (where sold_until <> ''))::int as available, count(*)::int as kept
    from products p where seller = :seller and ${isInForce('p', ':seller')}`,
)

/** Returns how many products a seller has: those that are not withdrawn, and all of them. */
export async function countProducts(tx: Kysely<Tables>, seller: string): Promise<{ available: number; kept: number }> {
  const { rows } = await runOn<{ available: number; kept: number }>(tx, COUNT.bind({ seller }))
  return rows[0] ?? { available: 0, kept: 0 }
}
