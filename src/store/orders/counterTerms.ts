import type { CounterTerms } from '../../domain/order/counter.ts'
import { isInForce } from '../catalog/unpublished.ts'
import { PRICES_BY_ID, RATE } from './orderFacts.ts'
import { LINES_OF } from './renderSnapshot.ts'

/** The data that counters on an order's asks need besides it: its products and cited prices, and how long the seller's quotes last. */
export type PublishedTerms = Pick<CounterTerms, 'products' | 'cited' | 'quote_ttl_minutes'>

/** SQL: these terms as JSON; null if there is no such seller. The arguments are expressions for a seller and for two text arrays. */
export const COUNTER_TERMS = (seller: string, products: string, rates: string) =>
  `(select json_build_object('quote_ttl_minutes', (profile->>'quote_ttl_minutes')::int,
      'products', (select coalesce(json_agg(body), '[]') from products p
        where p.seller = s.seller and ${isInForce('p', 's.seller')} and product_id = any(${products})),
      'cited', (select coalesce(json_agg(${RATE}), '[]') from ${PRICES_BY_ID(rates)} where price.seller = s.seller))
    from sellers s where s.seller = ${seller})`

/**
 * SQL: a relation of the `products` and `rates` that the asks of an order cite, from its stored snapshot's lines. The argument is an
 * expression for the order's id. Fenced: otherwise a plan parses the snapshot at each use of a member.
 */
export const CITED_BY_ASKS = (orderId: string) =>
  `(select array(select line->>'product_id' from json_array_elements(lines) line where line->'in_response_to' is null) as products,
      array(select line->'rate'->>'locked_rate_id' from json_array_elements(lines) line where line->'in_response_to' is null) as rates
    from (select ${LINES_OF('orders')} as lines from orders where order_id = ${orderId} offset 0) shown offset 0)`
