import fc from 'fast-check'
import type { DecideOrder } from '../../src/contract/decideOrder.ts'
import type { OrderEvent } from '../../src/contract/event.ts'
import type { LineItem } from '../../src/contract/lineItem.ts'
import { addMinutes, type Instant } from '../../src/domain/calendar.ts'
import { cancel } from '../../src/domain/order/cancel.ts'
import { decide } from '../../src/domain/order/decide.ts'
import { type Decision, seal } from '../../src/domain/order/decision.ts'
import { evolve, type OrderState, unborn } from '../../src/domain/order/state.ts'
import { submit } from '../../src/domain/order/submit.ts'
import { validate } from '../../src/domain/order/validate.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { aBirth, aLine, aMarket, anIntake, aRequest, CONTEXT, CREATED_AT } from './anOrder.ts'

/** Lives of orders for properties: lines of every grain and basis, and whatever may be asked of an order at a clock that may step back. */

const STARTS = { day: ['2026-12-09', '2026-12-12'], week: ['2026-W50', '2026-W53'], month: ['2026-12', '2027-02'] } as const

const someLine = fc.record({
  grain: fc.constantFrom('day' as const, 'week' as const, 'month' as const),
  start: fc.constantFrom(0 as const, 1 as const),
  units: fc.integer({ min: 1, max: 40 }),
  cents: fc.integer({ min: 0, max: 99_999 }),
  cpm: fc.boolean(),
})

/** One to four lines; a cpm line guarantees 40,000 impressions a unit. */
const someLines: fc.Arbitrary<LineItem[]> = fc.array(someLine, { minLength: 1, maxLength: 4 }).map((drawn) =>
  drawn.map(({ grain, start, units, cents, cpm }, index) =>
    aLine({
      product_id: `prime-${index + 1}`,
      period: { grain, start: STARTS[grain][start] } as LineItem['period'],
      units,
      rate: cpm ? { cpm: cents / 100, guaranteed_impressions: 40_000 } : { unit_cost: cents / 100 },
    }),
  ),
)

const someEntry = fc.record({ line: fc.nat({ max: 3 }), accept: fc.boolean(), share: fc.double({ min: 0, max: 1, noNaN: true }) })
const minutes = fc.integer({ min: -500, max: 500 })

const someAsk = fc.oneof(
  fc.record({ ask: fc.constant('validate' as const), minutes, stale: fc.boolean() }),
  fc.record({ ask: fc.constant('decide' as const), minutes, approve: fc.boolean(), entries: fc.array(someEntry, { maxLength: 4 }) }),
  fc.record({ ask: fc.constant('cancel' as const), minutes }),
)
type Ask = typeof someAsk extends fc.Arbitrary<infer T> ? T : never

export const someLife = fc.tuple(someLines, fc.array(someAsk, { minLength: 1, maxLength: 8 }))

export interface Life {
  born: OrderState
  /** The order after each of its events. */
  states: OrderState[]
  events: OrderEvent[]
}

/** Lives it: an ask that is refused changes nothing. */
export function live([lines, asks]: readonly [LineItem[], Ask[]]): Life {
  const request = aRequest({ line_items: lines })
  const { facts, event } = submit(request, anIntake(request), aBirth(lines.length))
  const born = unborn(request, { ...facts, cancellation_terms: { notice_days: 30, late_fee_pct: 7.5 } })
  const first = seal(born, [event], CREATED_AT)
  const life: Life = { born, states: [first.after], events: [...first.events] }
  for (const ask of asks) {
    const order = life.states.at(-1) ?? born
    const now = addMinutes(CREATED_AT, ask.minutes)
    for (const sealed of seal(
      order,
      eventsOf(() => answer(ask, order, now)),
      now,
    ).events) {
      life.events.push(sealed)
      life.states.push(evolve(life.states.at(-1) ?? born, sealed))
    }
  }
  return life
}

function answer(ask: Ask, order: OrderState, now: Instant): Decision<unknown> {
  switch (ask.ask) {
    case 'cancel':
      return cancel(order, {}, now)
    case 'validate':
      return validate(order, aMarket(order, ask.stale ? { card: staleCard(order) } : {}))
    case 'decide': {
      const units = ask.entries.flatMap(({ line, accept, share }): NonNullable<DecideOrder['units']> => {
        const { unit_id, units: asked } = order.lines[line] ?? {}
        if (unit_id === undefined || asked === undefined) return []
        if (!accept || !ask.approve) return [{ unit_id, action: 'reject' }]
        return [{ unit_id, action: 'accept', num_accepted: 1 + Math.floor(share * (asked - 1)) }]
      })
      return decide(order, { decision: ask.approve ? 'approve' : 'reject', actor: 'Sam Seller', units }, CONTEXT)
    }
  }
}

function staleCard(order: OrderState) {
  return aMarket(order).card.map((rate) => ({ ...rate, gross_rate_unit: '1000000', gross_rate_cpm: null }))
}

function eventsOf(rule: () => Decision<unknown>): Decision<unknown>['events'] {
  try {
    return rule().events
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}
