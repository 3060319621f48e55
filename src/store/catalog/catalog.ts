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

/** Reads a page of all of a seller's products, by product_id. */
const PRODUCTS = statement(
  'read-products',
  ['seller', 'after', 'limit'],
  `select body, minted_for from products p where seller = :seller and ${isInForce('p', ':seller')} and product_id > :after
    order by product_id limit :limit`,
)

/** Yields every product of a seller by product_id, of any visibility, one page at a time. */
export async function* readProductPages(
  { pool }: Pick<Reading, 'pool'>,
  seller: string,
  size: number,
): AsyncGenerator<CatalogProduct[], void> {
  let page: CatalogProduct[] = []
  do {
    const { rows } = await pool.query<ProductRow>(PRODUCTS.bind({ seller, after: page.at(-1)?.product_id ?? '', limit: size }))
    page = rows.map(catalogProduct)
    yield page
  } while (page.length === size)
}

/** Reads those of the named products that a buyer may see and that are still sold. */
const NAMED_FOR_BUYER = statement(
  'read-named-products-for-buyer',
  ['seller', 'buyer', 'today', 'product_ids'],
  `select body from products p
    where seller = :seller and ${isInForce('p', ':seller')} and reader = any(array['', :buyer::text]) and sold_until >= :today
      and product_id = ${anyOf('product_ids')}`,
)

/** Returns those of the named products that take orders, without those made for another buyer. */
export async function readNamedProductsFor(
  { pool }: Pick<Reading, 'pool'>,
  seller: string,
  buyer: string,
  productIds: readonly string[],
): Promise<Product[]> {
  const today = new Date().toISOString().slice(0, 10)
  const { rows } = await pool.query<{ body: Product }>(NAMED_FOR_BUYER.bind({ seller, buyer, today, product_ids: productIds }))
  return rows.map(({ body }) => body)
}

/** Reads a page of the products that a buyer may see and that are still sold, by product_id. */
const SOME_FOR_BUYER = statement(
  'read-some-products-for-buyer',
  ['seller', 'buyer', 'today', 'after', 'from', 'limit'],
  `select body from products p
    where seller = :seller and ${isInForce('p', ':seller')} and reader = any(array['', :buyer::text]) and sold_until >= :today
      and product_id > :after and product_id >= :from
    order by product_id limit :limit`,
)

/** A position in a seller's products: after one of them, at one (or the first after it), or both. */
export interface ProductPlace {
  readonly after?: string | undefined
  readonly from?: string | undefined
}

/** Returns the next of the products that a buyer may see and that are still sold, by product_id. */
export async function readSomeProductsFor(
  { pool }: Pick<Reading, 'pool'>,
  seller: string,
  buyer: string,
  { after = '', from = '' }: ProductPlace,
  most: number,
): Promise<Product[]> {
  const today = new Date().toISOString().slice(0, 10)
  const { rows } = await pool.query<{ body: Product }>(SOME_FOR_BUYER.bind({ seller, buyer, today, after, from, limit: most }))
  return rows.map(({ body }) => body)
}

/** Yields the same products in pages, so that work on one page never blocks the process for long. */
export async function* readProductPagesFor(
  db: Pick<Reading, 'pool'>,
  seller: string,
  buyer: string,
  size = PAGE,
): AsyncGenerator<Product[], void> {
  let page: Product[] = []
  do {
    page = await readSomeProductsFor(db, seller, buyer, { after: page.at(-1)?.product_id }, size)
    yield page
  } while (page.length === size)
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
