import type { Instant } from '../calendar.ts'
import { cancellationBlock } from './cancel.ts'
import { type Decision, decided, unchanged } from './decision.ts'
import type { OrderState } from './state.ts'
import { nextStatus, type Standing } from './transitions.ts'

/**
 * A placed revision cancels the order that it supersedes, placed or not yet; its notice is measured at the revision's issued_at (spec, Order
 * creation body: issued_at; choices, States). An order that has ended otherwise stays as it is.
 */
export function supersede(order: OrderState, issuedAt: Instant): Decision<Standing> {
  if (order.status === 'canceled' || order.status === 'rejected' || order.status === 'failed') return unchanged(standing)
  const status = nextStatus(order, 'cancel')
  const cancellation = cancellationBlock(order, { reason: 'superseded', actor: order.facts.buyer_entity }, issuedAt)
  return decided([{ status, cancellation }], standing)
}

function standing({ status, last_seq }: OrderState): Standing {
  return { status, last_seq }
}
