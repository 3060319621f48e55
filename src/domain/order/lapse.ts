import type { Instant } from '../calendar.ts'
import { type Decision, decided, unchanged } from './decision.ts'
import { hasLapsed, openCounters } from './openCounters.ts'
import { orderClock } from './orderClock.ts'
import type { OrderState } from './state.ts'
import { nextStatus, type OrderPosition, positionOf } from './transitions.ts'

/**
 * Notifies both sides once per round that a quote has lapsed; the status does not change (choices, States). The event is informational: an
 * accept is checked against the expiry of the quote itself.
 */
export function lapse(order: OrderState, now: Instant): Decision<OrderPosition> {
  if (order.status !== 'negotiating' || order.substatus === 'quote_lapsed') return unchanged(positionOf)
  if (!openCounters(order).some((counter) => hasLapsed(counter, orderClock(order, now)))) return unchanged(positionOf)
  return decided([{ status: nextStatus(order, 'lapse'), substatus: 'quote_lapsed' }], positionOf)
}
