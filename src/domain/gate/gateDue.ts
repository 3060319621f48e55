import type { Approval, GateDue, OrderStatus } from '../../contract/vocabulary.ts'

/**
 * Returns the gate to ask before people decide, after an order changes its status: the gate of the seller's profile when the order reaches
 * its seller, otherwise null. Undefined while the order stays in the seller's review: then the order's row records whether the gate has
 * answered.
 */
export function gateDue(from: OrderStatus, to: OrderStatus, approval: Approval | undefined): GateDue | null | undefined {
  if (to !== 'seller_review') return null
  if (from === 'seller_review') return undefined
  return approval === 'rules' || approval === 'pull' ? approval : null
}
