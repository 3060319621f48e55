import { DEADLINES, type Deadline, ELAPSED_S } from '../../contract/vocabulary/sandbox.ts'
import { addDays, type Instant } from '../calendar.ts'
import { Refusal } from '../refusal.ts'
import { firstAirDate } from './cancel.ts'
import { firstExpiry, openCounters } from './openCounters.ts'
import { orderClock } from './orderClock.ts'
import { clocksOf, currentPlan, type OrderState } from './state.ts'

/** How far the clock of an order is then ahead, in seconds, and the deadline that was meant. */
export interface Elapsed {
  readonly elapsed_s: number
  readonly deadline: Instant
}

/**
 * Returns how far the order's own clock goes on: just past the deadline, or by so many seconds. It never goes back. Refuses a deadline that the order
 * does not have, and names those that it has (choices, Sandbox: elapse).
 */
export function elapse(order: OrderState, what: Deadline, by_s: number | undefined, now: Instant): Elapsed {
  const deadlines = deadlinesOf(order)
  const deadline = deadlines[what]
  if (deadline === undefined) {
    const possible = DEADLINES.filter((each) => deadlines[each] !== undefined)
    const named = possible.length === 0 ? 'nothing' : possible.join(', ')
    throw new Refusal('INVALID_STATE', `The order is ${order.status} and has no ${what} that can elapse; ${named} can.`, {
      status: order.status,
      last_seq: order.last_seq,
      possible,
    })
  }
  const before = order.elapsed_s ?? 0
  const left = (Date.parse(deadline) - Date.parse(orderClock(order, now))) / 1_000
  const elapsed_s = before + (by_s ?? Math.max(Math.floor(left) + 1, 0))
  if (elapsed_s <= ELAPSED_S) return { elapsed_s, deadline }
  const details = { field: by_s === undefined ? 'what' : 'by', maximum: ELAPSED_S - before }
  throw new Refusal('INVALID_INPUT', `The time of an order goes on by ${ELAPSED_S} seconds in all, and is ${before} ahead.`, details)
}

/** Returns the deadlines that an order has now, in UTC, as they were set. */
function deadlinesOf(order: OrderState): Partial<Record<Deadline, Instant>> {
  const { elapsed_s: _, ...asSet } = order
  switch (order.status) {
    case 'negotiating': {
      const quote = firstExpiry(openCounters(order))
      return quote === null ? {} : { quote }
    }
    case 'needs_confirmation': {
      const plan = currentPlan(order)
      return plan === undefined ? {} : { plan: new Date(plan.expires_at).toISOString() }
    }
    case 'seller_review': {
      const decision = clocksOf(asSet).decide_by
      return decision === null ? {} : { decision }
    }
    case 'placed': {
      const [first, terms] = [firstAirDate(order), order.facts.cancellation_terms]
      if (first === undefined || terms === null) return {}
      // The last date on which notice is in time ends at midnight of the product's zone, which is within a day of UTC's.
      return { notice_window: `${addDays(first, 2 - terms.notice_days)}T00:00:00.000Z` }
    }
    default:
      return {}
  }
}
