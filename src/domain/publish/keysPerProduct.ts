import { Refusal } from '../refusal.ts'
import { byProduct } from './byProduct.ts'
import type { PricedValue } from './unpriced.ts'

/** The most prices that a product may have in one week. */
const MOST_KEYS = 10_000
const KEY_MEMBERS = ['market_class', 'advertiser_class', 'spot_length', 'buy_type', 'clearance_tier'] as const

/**
 * Limits the keys of each product on the card after a commit, by the combinations of its members' values: a buyer's read holds all
 * prices of a product in a week at once. Errors: INVALID_INPUT, for the whole commit.
 */
export function refuseTooManyKeys(values: readonly PricedValue[], most = MOST_KEYS): void {
  for (const [product_id, ofProduct] of byProduct(values)) {
    const distinct = (member: string) => new Set(ofProduct.flatMap((priced) => (priced.member === member ? [priced.value] : []))).size
    const combinations = KEY_MEMBERS.reduce((product, member) => product * Math.max(1, distinct(member)), 1)
    if (combinations <= most) continue
    const message = `${product_id} would be priced for up to ${combinations} combinations of ${KEY_MEMBERS.join(', ')} a week; the limit is ${most}.`
    throw new Refusal('INVALID_INPUT', message, { field: 'entries', product_id, combinations, limit: most })
  }
}
