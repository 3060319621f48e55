import { byProduct } from './byProduct.ts'
import type { PricedValue } from './unpriced.ts'

/** The most prices that a product may have in one week. */
const MAX_KEYS = 10_000
const KEY_MEMBERS = ['market_class', 'advertiser_class', 'spot_length', 'buy_type', 'clearance_tier'] as const

export interface KeysFault {
  readonly product_id: string
  readonly combinations: number
  readonly limit: number
  readonly message: string
}

/**
 * Returns the first product of a commit that would have too many keys on the card after it, by the combinations of its members' values: a
 * buyer's read holds all prices of a product in a week at once. The fault is one of the whole commit.
 */
export function keysFault(known: readonly PricedValue[], values: readonly PricedValue[], limit = MAX_KEYS): KeysFault | undefined {
  const ofCommit = byProduct(values)
  const before = byProduct(known.filter(({ product_id }) => ofCommit.has(product_id)))
  for (const [product_id, added] of ofCommit) {
    const ofProduct = [...(before.get(product_id) ?? []), ...added]
    const distinct = (member: string) => new Set(ofProduct.flatMap((priced) => (priced.member === member ? [priced.value] : []))).size
    const combinations = KEY_MEMBERS.reduce((product, member) => product * Math.max(1, distinct(member)), 1)
    if (combinations <= limit) continue
    const message = `${product_id} would be priced for up to ${combinations} combinations of ${KEY_MEMBERS.join(', ')} a week; the limit is ${limit}.`
    return { product_id, combinations, limit, message }
  }
  return undefined
}
