import type { LinePostingPolicy } from '../../contract/lineItem.ts'

/**
 * Returns the posting policy of a line, evaluated once and frozen at create: the attached agreement's override for the product, then its
 * override for `*`, then the product's own, then unstated (contract, Order snapshot: posting policy).
 */
export function postingPolicyOf(
  product: { product_id: string; posting_policy?: string | undefined },
  overrides: readonly { product_id: string; posting_policy: string }[],
): LinePostingPolicy {
  const overrideFor = (id: string) => overrides.find(({ product_id }) => product_id === id)?.posting_policy
  const own = overrideFor(product.product_id)
  if (own !== undefined) return { policy: own, source: 'agreement_product' }
  const all = overrideFor('*')
  if (all !== undefined) return { policy: all, source: 'agreement_all' }
  return product.posting_policy === undefined ? { policy: null, source: 'unstated' } : { policy: product.posting_policy, source: 'product' }
}
