import { DEADLINE, type MakegoodStatus, ORDER_END } from '../../contract/vocabulary/makegoods.ts'
import type { Instant } from '../calendar.ts'
import { acceptedLines } from '../edi/blocks.ts'
import { bookingOf, type OrderState } from '../order/state.ts'
import { creditsOf } from './agree.ts'
import { endOfDate } from './endOfDate.ts'
import { type MakegoodFacts, spotsOf } from './makegoodFacts.ts'
import { hasExpired, isOpen, type MakegoodChange, type MakegoodState } from './makegoodState.ts'
import { recallMakegood } from './seller.ts'

/** What a makegood's run shows: how it stands, and until when it waits; null once it waits for nobody. It has only ids, words and times. */
export interface MakegoodTask {
  readonly status: MakegoodStatus
  readonly version: number
  readonly due_at: string | null
}

/**
 * Does what time or the end of the order has made due: an order that is no longer placed recalls its open makegoods, an offer expires, and a notice without
 * an offer is credited at the end of the flight. Undefined if nothing is due.
 */
export function tendMakegood(makegood: MakegoodState, facts: MakegoodFacts): MakegoodChange | undefined {
  const { order, now } = facts
  const { version, missed } = makegood
  if (!isOpen(makegood)) return undefined
  if (hasExpired(makegood, now)) {
    const expired: MakegoodChange['steps'] = [{ action: 'expire', side: 'platform', actor: DEADLINE, status: 'expired', version }]
    return { makegood: { ...makegood, status: 'expired' }, steps: expired }
  }
  if (order.status !== 'placed') {
    return recallMakegood(makegood, { actor: ORDER_END, side: 'platform', note: `The order is ${order.status}.` }, now)
  }
  const due = dueAt(makegood, order)
  if (makegood.status !== 'noticed' || due === null || due > now) return undefined
  const credits = creditsOf(missed, spotsOf(facts))
  if (credits.length === 0) return recallMakegood(makegood, { actor: DEADLINE, side: 'platform', note: 'The spots have aired.' }, now)
  return {
    makegood: { ...makegood, status: 'credited', credits },
    steps: [
      {
        action: 'credit',
        side: 'platform',
        actor: DEADLINE,
        note: 'Nothing was offered by the end of the flight.',
        status: 'credited',
        version,
      },
    ],
  }
}

/** Returns when a makegood must be looked at next: when its offer expires, or its flight ends without one. Null if it waits for nothing. */
export function dueAt({ status, expires_at }: Pick<MakegoodState, 'status' | 'expires_at'>, order: OrderState): Instant | null {
  if (status === 'offered') return expires_at
  return status === 'noticed' ? endOfFlight(order) : null
}

/** Returns when the last date of a flight ends, in the time zones of its products; null if the order books nothing. */
function endOfFlight(order: OrderState): Instant | null {
  const ends = acceptedLines(order).flatMap((line) => {
    const last = line.allocation
      .map(({ date }) => date)
      .sort()
      .at(-1)
    return last === undefined ? [] : [endOfDate(last, bookingOf(order, line).timezone)]
  })
  return ends.sort().at(-1) ?? null
}
