import type { PlacementReceipt } from '../../contract/order.ts'
import type { Instant } from '../calendar.ts'
import { cancellationBlock } from './cancel.ts'
import { type Decision, decided, unchanged } from './decision.ts'
import type { OrderState } from './state.ts'
import { nextStatus, type OrderPosition, positionOf } from './transitions.ts'

/** A revision that was placed. */
export interface PlacedRevision {
  readonly order_id: string
  readonly placed_at: Instant
  /** The time that the buyer sent, possibly with an offset. */
  readonly issued_at: string
}

/**
 * Cancels an order that a placed revision supersedes, whether it is placed or still open; notice is measured at the revision's issued_at
 * (contract, Order creation body: issued_at; choices, States). An order that has already ended does not change. Of two revisions of the same order, the one
 * placed last remains.
 */
export function supersede(order: OrderState, by: PlacedRevision, isAncestor: boolean): Decision<OrderPosition> {
  if (order.status === 'canceled' || order.status === 'rejected' || order.status === 'failed') return unchanged(positionOf)
  if (!isAncestor && isAfter(order, by)) return unchanged(positionOf)
  const status = nextStatus(order, 'cancel')
  const cancellation = cancellationBlock(order, { reason: 'superseded', actor: order.facts.buyer_entity }, by.issued_at)
  return decided([{ status, cancellation }], positionOf)
}

/** Returns the order as a revision that supersedes others, if it was ever placed, even if canceled since. */
export function placedRevision(order: OrderState): PlacedRevision | undefined {
  const placed_at = placedAt(order)
  if (placed_at === undefined) return undefined
  return { order_id: order.facts.order_id, placed_at, issued_at: order.request.issued_at ?? order.facts.created_at }
}

/** Returns the time when an order was placed, even if it has been canceled since. */
export function placedAt(order: Pick<OrderState, 'artifacts'>): Instant | undefined {
  return receiptOf(order)?.placed_at
}

/** Returns the receipt of an order that was placed, even if it has been canceled since. */
export function receiptOf({ artifacts }: Pick<OrderState, 'artifacts'>): PlacementReceipt | undefined {
  return artifacts.find((artifact) => artifact.name === 'placement_receipt')
}

/** Returns true if the order was placed or created after the revision, that is, with knowledge of it. */
function isAfter(order: OrderState, by: PlacedRevision): boolean {
  const placed = placedAt(order)
  if (placed === undefined) return order.facts.created_at > by.placed_at
  return placed === by.placed_at ? order.facts.order_id > by.order_id : placed > by.placed_at
}
