import type { Instant } from '../calendar.ts'
import { type Decision, decided, unchanged } from './decision.ts'
import { hasLapsed, standingCounters } from './standingCounters.ts'
import type { OrderState } from './state.ts'
import { nextStatus, type OrderPosition, positionOf } from './transitions.ts'

/**
 * Tells both sides, once until the next round, that a quote has lapsed; the order stays where it is (choices, States). The event is
 * news and no rule: what an accept is held against is the quote's own expiry.
 */
export function lapse(order: OrderState, now: Instant): Decision<OrderPosition> {
  if (order.status !== 'negotiating' || order.substatus === 'quote_lapsed') return unchanged(positionOf)
  if (!standingCounters(order).some((counter) => hasLapsed(counter, now))) return unchanged(positionOf)
  return decided([{ status: nextStatus(order, 'lapse'), substatus: 'quote_lapsed' }], positionOf)
}
