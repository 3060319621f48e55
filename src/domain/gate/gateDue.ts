import type { Approval, GateDue, OrderStatus } from '../../contract/vocabulary.ts'

/**
 * The gate that is asked before people decide, after an order changes its status: the gate of the seller's profile when the order
 * comes to its seller, and none elsewhere. Undefined while the order stays with its seller: whether the gate has answered is known to the order's
 * row.
 */
export function gateDue(from: OrderStatus, to: OrderStatus, approval: Approval | undefined): GateDue | null | undefined {
  if (to !== 'seller_review') return null
  if (from === 'seller_review') return undefined
  return approval === 'rules' || approval === 'pull' ? approval : null
}
