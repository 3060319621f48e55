import type { Product } from '../../contract/product.ts'
import type { Side } from '../../contract/vocabulary/access.ts'
import { SEARCHED_ORDERS, SEARCHED_PRODUCTS } from '../../contract/vocabulary/bounds.ts'
import { isInForce } from '../catalog/unpublished.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { OWN } from '../orders/orderFilter.ts'

/** Reads what may have the words of a search, a bounded part of what a tenant has; the rules rank what is read. */

type Pool = Pick<Database, 'pool'>

/** What a search looks for: lower case, each part of a text. */
export interface Sought {
  readonly entity: string
  /** The text as it was typed. */
  readonly q: string
  readonly words: readonly string[]
}

/** The stored texts of an order, the second without what is beyond its first lines. */
export interface OrderTexts {
  readonly order_id: string
  readonly head: string
  readonly lines: string
}

/** The most candidates that the rules rank. */
const CANDIDATES = 200
/** The characters of an order's lines that are looked through: those of a dozen lines. */
const LINES_READ = 16_384

const ordersOf = (own: string) =>
  statement(
    `search-orders-of-${own}`,
    ['entity', 'patterns', 'from', 'to', 'scan', 'read', 'limit'],
    `with sought as materialized (
      (select order_id from orders where ${own} = :entity order by order_id desc limit :scan)
      union
      (select order_id from orders where ${own} = :entity and external_order_id ~>=~ :from and external_order_id ~<~ :to limit :limit)
      union
      (select order_id from orders where ${own} || '' = :entity and order_id = :from)
    )
    select o.order_id, o.snapshot_head as head, left(o.snapshot_lines, :read::int) as lines from sought join orders o using (order_id)
    where lower(o.snapshot_head || left(o.snapshot_lines, :read::int)) like all (:patterns::text[])
    order by o.order_id desc limit :limit`,
  )
const ORDERS: Readonly<Record<Side, ReturnType<typeof ordersOf>>> = { buyer: ordersOf(OWN.buyer), seller: ordersOf(OWN.seller) }

/** Returns the newest orders of a tenant that may have the words, and whether all of its orders were looked through. */
export async function searchOrders(
  { pool }: Pool,
  side: Side,
  { entity, q, words }: Sought,
): Promise<{ found: OrderTexts[]; complete: boolean }> {
  // No text that begins with q sorts after q and the last code point.
  const bounds = { from: q, to: `${q}\u{10ffff}`, scan: SEARCHED_ORDERS, read: LINES_READ, limit: CANDIDATES }
  const { rows } = await pool.query<OrderTexts>(ORDERS[side].bind({ entity, patterns: patternsOf(words), ...bounds }))
  const { rows: counted } = await pool.query<{ orders: number }>(COUNT[side].bind({ entity, max: SEARCHED_ORDERS + 1 }))
  return { found: rows, complete: rows.length < CANDIDATES && (counted[0]?.orders ?? 0) <= SEARCHED_ORDERS }
}

const countOf = (own: string) =>
  statement(
    `count-searched-of-${own}`,
    ['entity', 'max'],
    `select count(*)::int as orders from (select from orders where ${own} = :entity limit :max) counted`,
  )
const COUNT: Readonly<Record<Side, ReturnType<typeof countOf>>> = { buyer: countOf(OWN.buyer), seller: countOf(OWN.seller) }

/** A product with the seller that publishes it. */
export interface SoughtProduct {
  readonly seller: string
  readonly body: Product
}

/** The products that a tenant sees: all of its own as a seller, those that are still sold as a buyer. Policies of the table leave out others. */
const productsOf = (side: Side) =>
  statement(
    `search-products-of-${side}`,
    side === 'seller' ? ['entity', 'patterns', 'scan', 'limit'] : ['entity', 'patterns', 'scan', 'limit', 'today'],
    `select seller, body from (
      select seller, product_id, body from products p where ${isInForce('p', 'p.seller')} and
        ${side === 'seller' ? 'seller = :entity' : `reader = any(array['', :entity::text]) and sold_until >= :today`}
      order by seller, product_id limit :scan
    ) seen where lower(body::text) like all (:patterns::text[]) order by seller, product_id limit :limit`,
  )
const PRODUCTS = { seller: productsOf('seller'), buyer: productsOf('buyer') }

/** Returns products that may have the words. A buyer's still have those that none of its agreements opens. */
export async function searchProducts({ pool }: Pool, side: Side, { entity, words }: Sought, today: string): Promise<SoughtProduct[]> {
  const asked = { entity, patterns: patternsOf(words), scan: SEARCHED_PRODUCTS, limit: CANDIDATES, today }
  return (await pool.query<SoughtProduct>(PRODUCTS[side].bind(asked))).rows
}

/** Reads the sellers, of whom every buyer sees all. */
const SELLERS = statement(
  'search-sellers',
  ['patterns', 'limit'],
  `select s.seller as entity, t.name from sellers s join tenants t on t.entity = s.seller
    where lower(s.seller || ' ' || t.name) like all (:patterns::text[]) order by 1 limit :limit`,
)
/** Reads the buyers that a seller knows: those of its agreements, of the standings that it has set, and of its newest orders. */
const BUYERS = statement(
  'search-buyers',
  ['entity', 'patterns', 'scan', 'limit'],
  `select entity, max(name) as name from (
      select buyer_entity as entity, null as name from agreements where seller = :entity
      union all select buyer_entity, (snapshot_head || '}')::json->>'buyer_name' from (
        select buyer_entity, snapshot_head from orders where seller = :entity order by order_id desc limit :scan) newest
    ) known group by entity having lower(entity || ' ' || coalesce(max(name), '')) like all (:patterns::text[]) order by 1 limit :limit`,
)

/** Returns those that a tenant trades with, as far as they may have the words. */
export async function searchParties(
  { pool }: Pool,
  side: Side,
  { entity, words }: Sought,
): Promise<{ entity: string; name: string | null }[]> {
  const [patterns, limit] = [patternsOf(words), CANDIDATES]
  const asked = side === 'buyer' ? SELLERS.bind({ patterns, limit }) : BUYERS.bind({ entity, patterns, scan: SEARCHED_ORDERS, limit })
  return (await pool.query<{ entity: string; name: string | null }>(asked)).rows
}

/** Returns a pattern for each word, in which the signs of patterns mean themselves. In stored JSON a quote and a backslash are escaped. */
function patternsOf(words: readonly string[]): string[] {
  return words.map(
    (word) =>
      `%${JSON.stringify(word)
        .slice(1, -1)
        .replace(/[\\%_]/g, '\\$&')}%`,
  )
}
