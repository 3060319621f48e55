import type { Instant } from '../calendar.ts'
import { type Decision, decided, unchanged } from './decision.ts'
import { hasLapsed, standingCounters } from './standingCounters.ts'
import type { OrderState } from './state.ts'
import { nextStatus, type Standing } from './transitions.ts'

/**
 * Tells both sides, once until the next round, that a standing quote has lapsed; the order stays where it is (choices, States). The event is
 * news and no rule: what an accept is held against is the quote's own expiry.
 */
export function lapse(order: OrderState, now: Instant): Decision<Standing> {
  if (order.status !== 'negotiating' || order.substatus === 'quote_lapsed') return unchanged(standing)
  if (!standingCounters(order).some((counter) => hasLapsed(counter, now))) return unchanged(standing)
  return decided([{ status: nextStatus(order, 'lapse'), substatus: 'quote_lapsed' }], standing)
}

function standing({ status, last_seq }: OrderState): Standing {
  return { status, last_seq }
}
