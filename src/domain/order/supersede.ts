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
  /** As its buyer sent it, with an offset or without. */
  readonly issued_at: string
}

/**
 * A placed revision cancels every order of its family that it does away with, placed or not yet; notice is measured at the revision's issued_at
 * (spec, Order creation body: issued_at; choices, States). An order that has ended otherwise is left as it is. Of two revisions that revise the same
 * order, the one placed last remains.
 */
export function supersede(order: OrderState, by: PlacedRevision, isAncestor: boolean): Decision<OrderPosition> {
  if (order.status === 'canceled' || order.status === 'rejected' || order.status === 'failed') return unchanged(positionOf)
  if (!isAncestor && isAfter(order, by)) return unchanged(positionOf)
  const status = nextStatus(order, 'cancel')
  const cancellation = cancellationBlock(order, { reason: 'superseded', actor: order.facts.buyer_entity }, by.issued_at)
  return decided([{ status, cancellation }], positionOf)
}

/** An order as the revision that ends others, once it was placed, whatever has become of it since. */
export function placedRevision(order: OrderState): PlacedRevision | undefined {
  const placed_at = placedAt(order)
  if (placed_at === undefined) return undefined
  return { order_id: order.facts.order_id, placed_at, issued_at: order.request.issued_at ?? order.facts.created_at }
}

/** When an order was placed, whatever has become of it since. */
function placedAt({ artifacts }: Pick<OrderState, 'artifacts'>): Instant | undefined {
  return artifacts.find((artifact): artifact is PlacementReceipt => artifact.name === 'placement_receipt')?.placed_at
}

/** Placed after the revision, or created after it: what was done knowing of it. */
function isAfter(order: OrderState, by: PlacedRevision): boolean {
  const placed = placedAt(order)
  if (placed === undefined) return order.facts.created_at > by.placed_at
  return placed === by.placed_at ? order.facts.order_id > by.order_id : placed > by.placed_at
}
