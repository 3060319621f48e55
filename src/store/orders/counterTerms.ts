import type { Product } from '../../contract/product.ts'
import type { CounterTerms } from '../../domain/order/counter.ts'
import type { OrderState } from '../../domain/order/state.ts'
import type { Database } from '../connection/database.ts'
import { RATE } from './orderFacts.ts'

/** What counters on an order's asks go by: the products and the cited prices of its lines, and how long the seller's quotes stand. */
export async function readCounterTerms(
  { pool }: Pick<Database, 'pool'>,
  { request, lines }: OrderState,
): Promise<Pick<CounterTerms, 'products' | 'cited' | 'quote_ttl_minutes'>> {
  const asks = lines.filter(({ in_response_to }) => in_response_to === undefined)
  const { rows } = await pool.query<{ products: Product[] | null; cited: CounterTerms['cited'] | null; quote_ttl_minutes: number }>({
    ...TERMS,
    values: [request.seller, asks.map(({ product_id }) => product_id), asks.map(({ rate }) => rate.locked_rate_id)],
  })
  const [row] = rows
  if (row === undefined) throw new Error(`there is no seller ${request.seller}`)
  return { ...row, products: row.products ?? [], cited: row.cited ?? [] }
}

const TERMS = {
  name: 'read-counter-terms',
  text: `select (profile->>'quote_ttl_minutes')::int as quote_ttl_minutes,
      (select json_agg(body) from products where seller = $1 and product_id = any($2::text[])) as products,
      (select json_agg(${RATE}) from rate_entries where seller = $1 and locked_rate_id = any($3::text[])) as cited
    from sellers where seller = $1`,
}
