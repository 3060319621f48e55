import type { Product } from '../../contract/product.ts'
import type { CounterTerms } from '../../domain/order/counter.ts'
import type { OrderState } from '../../domain/order/state.ts'
import { isInForce } from '../catalog/unpublished.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { RATE } from './orderFacts.ts'

/** Reads what counters on an order's asks depend on: the products and cited prices of its lines, and how long the seller's quotes last. */
export async function readCounterTerms(
  { pool }: Pick<Database, 'pool'>,
  { request, lines }: OrderState,
): Promise<Pick<CounterTerms, 'products' | 'cited' | 'quote_ttl_minutes'>> {
  const asks = lines.filter(({ in_response_to }) => in_response_to === undefined)
  const { rows } = await pool.query<{ products: Product[] | null; cited: CounterTerms['cited'] | null; quote_ttl_minutes: number }>(
    TERMS.bind({
      seller: request.seller,
      product_ids: asks.map(({ product_id }) => product_id),
      rate_ids: asks.map(({ rate }) => rate.locked_rate_id),
    }),
  )
  const [row] = rows
  if (row === undefined) throw new Error(`there is no seller ${request.seller}`)
  return { ...row, products: row.products ?? [], cited: row.cited ?? [] }
}

/** The products and prices of the asks of an order, in one row; no row when there is no such seller. */
const TERMS = statement(
  'read-counter-terms',
  ['seller', 'product_ids', 'rate_ids'],
  `select (profile->>'quote_ttl_minutes')::int as quote_ttl_minutes,
      (select json_agg(body) from products p where p.seller = :seller and ${isInForce('p', ':seller')} and product_id = any(:product_ids::text[])) as products,
      (select json_agg(${RATE}) from rate_entries where seller = :seller and locked_rate_id = any(:rate_ids::text[])) as cited
    from sellers where seller = :seller`,
)
