import { describe, expect, it } from '@jest/globals'
import { ORDER_STATUSES } from '../../../src/contract/vocabulary.ts'
import { addMinutes } from '../../../src/domain/calendar.ts'
import { cancel } from '../../../src/domain/order/cancel.ts'
import { decide } from '../../../src/domain/order/decide.ts'
import { lapse } from '../../../src/domain/order/lapse.ts'
import { respond } from '../../../src/domain/order/respond.ts'
import { snapshot } from '../../../src/domain/order/snapshot.ts'
import { clocksOf } from '../../../src/domain/order/state.ts'
import { aLine, anOrder, counterContext, later } from '../../support/orders/anOrder.ts'
import { given } from '../../support/orders/given.ts'

const LINES = [
  aLine({ include_mirror: false }),
  aLine({ product_id: 'news', units: 3 }),
  aLine({ product_id: 'late', rate: { cpm: 25, guaranteed_impressions: 40_000 } }),
]
const inReview = anOrder({ status: 'seller_review', lines: LINES, terms: { notice_days: 14, late_fee_pct: 10 } })

/** unit_1 and unit_3 are countered, the second for a longer time; unit_2 is accepted. */
const context = counterContext(inReview)
const EXPIRES = addMinutes(context.counters.now, 60)
const LATER = addMinutes(context.counters.now, 90)
const units = [
  { unit_id: 'unit_1', action: 'counter' as const, counter: { week: '2026-W51', unit_cost: 80 } },
  { unit_id: 'unit_3', action: 'counter' as const, counter: { week: '2026-W52', cpm: 20, quote_expires_at: LATER } },
]
const order = given(inReview).when(decide, { decision: 'counter', actor: 'Sam', units }, context).result().after
const at = (asOf: string) => ({ gate: 'api' as const, newSellerOrderId: 'so_platform', asOf })
const NOW = at(later(order))

describe('accepting', () => {
  const answer = given(order).when(respond, { action: 'accept', actor: 'Bea', reason: 'Fine' }, NOW)

  it('books the counters at their quotes on their own dates, and resolves the asks rejected', () => {
    const { events, after } = answer.result()
    expect(events).toMatchObject([
      { status: 'placed', prior_status: 'negotiating', decision_record: { gate: 'api', actor: 'Bea', decision: 'accept', reason: 'Fine' } },
    ])
    expect(events[0]?.units).toEqual(after.lines)
    expect(after.lines.map(({ unit_id, status, num_accepted }) => [unit_id, status, num_accepted])).toEqual([
      ['unit_1', 'rejected', 0],
      ['unit_2', 'accepted', 3],
      ['unit_3', 'rejected', 0],
      ['counter_10', 'accepted', 6],
      ['counter_11', 'accepted', 6],
    ])
    expect(after.lines[3]?.allocation).toEqual(['2026-12-14', '2026-12-16', '2026-12-18'].map((date) => ({ date, units: 2 })))
    expect(snapshot(after).totals.gross).toBe(5580) // 3 x 100, 6 x 80, 6 x 20 x 40
  })

  it('issues the receipt of that event: every accepted line, and no other', () => {
    const { events, after } = answer.result()
    const rows = after.lines.flatMap(({ unit_id, allocation }) => allocation.map((entry) => ({ unit_id, ...entry })))
    const inOrder = [...rows].sort((a, b) => (a.unit_id + a.date < b.unit_id + b.date ? -1 : 1))
    expect(events[0]?.artifact).toMatchObject({ seller_order_id: 'so_platform', seq: events[0]?.seq, daylocks: inOrder })
    expect(new Set(rows.map(({ unit_id }) => unit_id))).toEqual(new Set(['unit_2', 'counter_10', 'counter_11']))
  })

  it('counts the lines that it resolved', () => {
    expect(answer.result().outcome).toEqual({ order_id: 'ord_1', status: 'placed', last_seq: 5, units_accepted: 2, units_rejected: 2 })
  })

  it('is recorded under the name of the buyer when none is sent', () => {
    const { events } = given(order).when(respond, { action: 'accept' }, NOW).result()
    expect(events[0]?.decision_record).toEqual({ gate: 'api', actor: 'buyer_one', decision: 'accept' })
  })

  it.each([
    ['at the instant at which a quote expires', EXPIRES],
    ['before it, written with an offset', `${addMinutes(EXPIRES, 119).slice(0, -1)}+02:00`],
  ])('is possible %s', (_, asOf) => {
    given(order).when(respond, { action: 'accept' }, at(asOf)).gives({ status: 'placed' })
  })

  it.each([
    ['one quote', new Date(Date.parse(EXPIRES) + 1).toISOString(), ['lr_10']],
    ['both', addMinutes(LATER, 1), ['lr_10', 'lr_11']],
  ])('is refused when %s has lapsed, naming it', (_, asOf, locked_rate_ids) => {
    given(order).when(respond, { action: 'accept' }, at(asOf)).refused('STALE_RATE_CARD', { locked_rate_id: 'lr_10', locked_rate_ids })
  })
})

describe('withdrawing', () => {
  it('ends the order with a cancellation block, and resolves what was open', () => {
    const { events, after, outcome } = given(order).when(respond, { action: 'withdraw' }, NOW).result()
    const block = { reason: 'buyer_withdrew', actor: 'buyer_one', late_notice: 'not_applicable', notice: { notice_days_required: 14 } }
    expect(events).toMatchObject([{ status: 'canceled', cancellation: block }])
    expect(after.lines.map(({ status }) => status)).toEqual(['rejected', 'accepted', 'rejected', 'rejected', 'rejected'])
    expect(outcome).toEqual({ order_id: 'ord_1', status: 'canceled', last_seq: 5, units_accepted: 0, units_rejected: 4 })
    expect(events[0]).not.toHaveProperty('artifact')
  })

  it('says what the buyer said, and is possible after a quote has lapsed', () => {
    const said = { actor: 'Bea', reason: 'Too late' }
    given(order)
      .when(respond, { action: 'withdraw', ...said }, at(addMinutes(LATER, 1)))
      .gives({ status: 'canceled', cancellation: said })
  })

  it('keeps its block when a cancel follows', () => {
    const { after } = given(order).when(respond, { action: 'withdraw', reason: 'Too late' }, NOW).result()
    const { events, outcome } = given(after).when(cancel, { reason: 'Once more' }, later(after)).result()
    expect([events, outcome.cancellation.reason]).toEqual([[], 'Too late'])
  })
})

describe('an answer is refused', () => {
  it.each(['counter'] as const)('when it is a %s: it names the supported ones, in every state of the order', (action) => {
    for (const any of [order, anOrder()])
      given(any)
        .when(respond, { action }, NOW)
        .refused('INVALID_INPUT', { supported: ['accept', 'withdraw'] })
  })

  it.each(ORDER_STATUSES.filter((status) => status !== 'negotiating'))('at %s', (status) => {
    const other = anOrder({ status })
    for (const action of ['accept', 'withdraw'] as const) {
      given(other).when(respond, { action }, NOW).refused('INVALID_STATE', { status, last_seq: other.last_seq })
    }
  })

  it('when no counter is open', () => {
    const none = anOrder({ status: 'negotiating' })
    given(none).when(respond, { action: 'accept' }, NOW).refused('INVALID_STATE', { status: 'negotiating', last_seq: none.last_seq })
  })
})

describe('a lapsing quote', () => {
  const lapsed = given(order, addMinutes(EXPIRES, 1)).when(lapse, addMinutes(EXPIRES, 1)).result()

  it('is reported once, at the first of them, and the order stays', () => {
    expect(lapsed.events).toMatchObject([{ status: 'negotiating', prior_status: 'negotiating', substatus: 'quote_lapsed' }])
    expect(lapsed.after.lines).toEqual(order.lines)
    given(lapsed.after).when(lapse, addMinutes(LATER, 1)).changesNothing()
    expect(clocksOf(lapsed.after)).toMatchObject({ decide_by: null, due_at: null })
  })

  it.each([
    ['before it expires', addMinutes(EXPIRES, -1)],
    ['at the instant at which it expires', EXPIRES],
  ])('has not lapsed %s', (_, now) => {
    given(order).when(lapse, now).changesNothing()
  })

  it.each(ORDER_STATUSES)('does not exist at %s without a counter', (status) => {
    given(anOrder({ status })).when(lapse, LATER).changesNothing()
  })

  it('refuses nothing itself: an accept measured before the expiry is valid', () => {
    given(lapsed.after).when(respond, { action: 'accept' }, at(EXPIRES)).gives({ status: 'placed' })
    given(lapsed.after)
      .when(respond, { action: 'accept' }, at(addMinutes(EXPIRES, 2)))
      .refused('STALE_RATE_CARD', { locked_rate_id: 'lr_10' })
  })

  it('is over when the seller counters again, which resets the clock', () => {
    const context = counterContext(lapsed.after, 2)
    const { after } = given(lapsed.after)
      .when(
        decide,
        {
          decision: 'counter',
          actor: 'Sam',
          units: units.map((unit) => ({ ...unit, counter: { ...unit.counter, quote_expires_at: addMinutes(LATER, 60) } })),
        },
        context,
      )
      .result()
    expect([after.substatus, clocksOf(after).decide_by]).toEqual([null, addMinutes(LATER, 60)])
    given(after)
      .when(respond, { action: 'accept' }, at(later(after)))
      .gives({ status: 'placed' })
  })
})
