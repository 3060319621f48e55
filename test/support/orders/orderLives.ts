import fc from 'fast-check'
import type { DecideOrder } from '../../../src/contract/decideOrder.ts'
import type { OrderEvent } from '../../../src/contract/event.ts'
import type { LineItem, LineResult } from '../../../src/contract/lineItem.ts'
import { addMinutes, type Instant } from '../../../src/domain/calendar.ts'
import { cancel } from '../../../src/domain/order/cancel.ts'
import { create } from '../../../src/domain/order/create.ts'
import { decide } from '../../../src/domain/order/decide.ts'
import { type Decision, stampEvents } from '../../../src/domain/order/decision.ts'
import { lapse } from '../../../src/domain/order/lapse.ts'
import { respond } from '../../../src/domain/order/respond.ts'
import { evolve, initialState, type OrderState } from '../../../src/domain/order/state.ts'
import { validate } from '../../../src/domain/order/validate.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { aBirth, aLine, aMarket, anIntake, aRequest, CONTEXT, CREATED_AT, counterContext } from './anOrder.ts'

/** Lives of orders for properties: lines of every grain and basis, and arbitrary asks of an order under a clock that may step back. */

const STARTS = { day: ['2026-12-09', '2026-12-12'], week: ['2026-W50', '2026-W53'], month: ['2026-12', '2027-02'] } as const

const someLine = fc.record({
  grain: fc.constantFrom('day' as const, 'week' as const, 'month' as const),
  start: fc.constantFrom(0 as const, 1 as const),
  units: fc.integer({ min: 1, max: 40 }),
  cents: fc.integer({ min: 0, max: 99_999 }),
  cpm: fc.boolean(),
})

/** One to four lines; a cpm line guarantees 40,000 impressions per unit. */
export const someLines: fc.Arbitrary<LineItem[]> = fc.array(someLine, { minLength: 1, maxLength: 4 }).map((drawn) =>
  drawn.map(({ grain, start, units, cents, cpm }, index) =>
    aLine({
      product_id: `prime-${index + 1}`,
      period: { grain, start: STARTS[grain][start] } as LineItem['period'],
      units,
      rate: cpm ? { cpm: cents / 100, guaranteed_impressions: 40_000 } : { unit_cost: cents / 100 },
    }),
  ),
)

const someEntry = fc.record({
  line: fc.nat({ max: 5 }),
  action: fc.constantFrom('counter' as const, 'counter' as const, 'accept' as const, 'reject' as const),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  cents: fc.integer({ min: 0, max: 99_999 }),
})
const minutes = fc.integer({ min: -500, max: 500 })

const someAsk = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ ask: fc.constant('validate' as const), minutes, stale: fc.nat({ max: 3 }).map((drawn) => drawn === 0) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ask: fc.constant('decide' as const),
      minutes,
      decision: fc.constantFrom('approve' as const, 'reject' as const, 'counter' as const, 'counter' as const),
      entries: fc.uniqueArray(someEntry, { maxLength: 3, selector: ({ line }) => line }),
    }),
  },
  fc.record({ ask: fc.constant('respond' as const), minutes, action: fc.constantFrom('accept' as const, 'withdraw' as const) }),
  fc.record({ ask: fc.constant('lapse' as const), minutes }),
  fc.record({ ask: fc.constant('cancel' as const), minutes }),
)
type Entry = typeof someEntry extends fc.Arbitrary<infer T> ? T : never
type Ask = typeof someAsk extends fc.Arbitrary<infer T> ? T : never

const VALIDATED: Ask = { ask: 'validate', minutes: 1, stale: false }
/** Lives of which most begin with an order that its seller gets to see. */
export const someLife = fc
  .tuple(someLines, fc.nat({ max: 3 }), fc.array(someAsk, { minLength: 1, maxLength: 9 }))
  .map(([lines, early, asks]): readonly [LineItem[], Ask[]] => [lines, early === 0 ? asks : [VALIDATED, ...asks]])

export interface Life {
  born: OrderState
  /** The order after each of its events. */
  states: OrderState[]
  events: OrderEvent[]
}

/** Runs a life; an ask that is refused changes nothing. */
export function live([lines, asks]: readonly [LineItem[], Ask[]]): Life {
  const request = aRequest({ line_items: lines })
  const { facts, event } = create(request, anIntake(request), aBirth(lines.length))
  const born = initialState(request, { ...facts, cancellation_terms: { notice_days: 30, late_fee_pct: 7.5 } })
  const first = stampEvents(born, [event], CREATED_AT)
  const life: Life = { born, states: [first.after], events: [...first.events] }
  for (const ask of asks) {
    const order = life.states.at(-1) ?? born
    const now = addMinutes(CREATED_AT, ask.minutes)
    for (const event of stampEvents(
      order,
      eventsOf(() => answer(ask, order, now)),
      now,
    ).events) {
      life.events.push(event)
      life.states.push(evolve(life.states.at(-1) ?? born, event))
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
    case 'lapse':
      return lapse(order, now)
    case 'respond':
      return respond(order, { action: ask.action }, { ...CONTEXT, asOf: now })
    case 'decide': {
      const units = ask.entries.flatMap((entry) => entryOf(entry, order.lines[entry.line], ask.decision))
      const context = counterContext(order, order.last_seq)
      return decide(order, { decision: ask.decision, actor: 'Sam Seller', units }, { ...context, counters: { ...context.counters, now } })
    }
  }
}

type Units = NonNullable<DecideOrder['units']>

/** Returns an entry that fits its decision; other tests cover those that do not. */
function entryOf({ action, share, cents }: Entry, line: LineResult | undefined, decision: DecideOrder['decision']): Units {
  if (line === undefined) return []
  const { unit_id, units, rate } = line
  if (action === 'reject' || decision === 'reject') return [{ unit_id, action: 'reject' }]
  if (action === 'accept' || decision === 'approve')
    return [{ unit_id, action: 'accept', num_accepted: 1 + Math.floor(share * (units - 1)) }]
  const cost = rate.unit_cost === undefined ? { cpm: cents / 100 } : { unit_cost: cents / 100 }
  return [{ unit_id, action: 'counter', counter: { week: share < 0.5 ? '2026-W51' : '2027-W02', ...cost } }]
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
