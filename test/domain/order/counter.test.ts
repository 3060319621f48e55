import { describe, expect, it } from '@jest/globals'
import type { DecideOrder } from '../../../src/contract/decideOrder.ts'
import type { OrderEvent } from '../../../src/contract/event.ts'
import type { LineResult } from '../../../src/contract/lineItem.ts'
import { decide } from '../../../src/domain/order/decide.ts'
import { snapshot } from '../../../src/domain/order/snapshot.ts'
import { clocksOf, type OrderState } from '../../../src/domain/order/state.ts'
import { aLine, anOrder, aProduct, counterContext, later } from '../../support/orders/anOrder.ts'
import { given } from '../../support/orders/given.ts'

const CPM = aLine({ product_id: 'late', units: 4, rate: { cpm: 25, guaranteed_impressions: 40_000 } })
const LINES = [aLine(), aLine({ product_id: 'news', units: 2, rate: { unit_cost: 50 } }), CPM]
const inReview = (more: Parameters<typeof anOrder>[0] = {}) => anOrder({ status: 'seller_review', lines: LINES, ...more })

type Units = NonNullable<DecideOrder['units']>
const said = (decision: DecideOrder['decision'], units: Units = [], more: Partial<DecideOrder> = {}): DecideOrder => ({
  decision,
  actor: 'Sam',
  units,
  ...more,
})
const to = (unit_id: string, counter: NonNullable<Units[number]['counter']> = { week: '2026-W51', unit_cost: 80 }): Units[number] => ({
  unit_id,
  action: 'counter',
  counter,
})
const receiptOf = (event?: OrderEvent) => (event?.artifact?.name === 'placement_receipt' ? event.artifact : undefined)
/** One decision further; its counters are `counter_<round>0` and so on. */
const decided = (order: OrderState, ask: DecideOrder, round = 1) => given(order).when(decide, ask, counterContext(order, round)).result()
/** unit: status, in order. */
const states = ({ lines }: OrderState) => Object.fromEntries(lines.map(({ unit_id, status }) => [unit_id, status]))

describe('a counter', () => {
  it('is a new line beside its ask, at the price and in the week that the seller names, until its quote lapses', () => {
    const order = inReview()
    const { after: countered, events } = decided(order, said('counter', [to('unit_1')], { reason: 'Full on Mondays' }))
    const quote_expires_at = later(order, 61) // decided a minute after the last event
    expect(events).toMatchObject([{ status: 'negotiating', prior_status: 'seller_review', substatus: null }])
    expect(events[0]?.units).toEqual(countered.lines)
    expect(countered.lines).toMatchObject([
      { unit_id: 'unit_1', status: 'countered', reason: 'Full on Mondays', num_accepted: 0, allocation: [] },
      { unit_id: 'unit_2', status: 'accepted', num_accepted: 2 },
      { unit_id: 'unit_3', status: 'accepted', num_accepted: 4 },
      {
        unit_id: 'counter_10',
        status: 'countered',
        in_response_to: 'unit_1',
        counter: { week: '2026-W51', unit_cost: 80, quote_expires_at },
        period: { grain: 'week', start: '2026-W51' },
        units: 6,
        num_accepted: 0,
        allocation: [],
        locked_rate_id: 'lr_10',
        rate: { unit_cost: 80, locked_rate_id: 'lr_10', quote_expires_at, market_class: 'scatter', rate_basis: 'per_unit' },
      },
    ])
    expect(events[0]?.line_bookings).toEqual([
      { unit_id: 'counter_10', booked_dates: ['2026-12-14', '2026-12-16', '2026-12-18'], timezone: 'America/New_York' },
    ])
    expect(snapshot(countered).totals.gross).toBe(4100) // 2 x 50 + 4 x 25 x 40: nothing of what is open
    expect(snapshot(countered).artifacts).toEqual([])
  })

  it('is published as a quote on the key of the price that its ask cites', () => {
    const order = inReview()
    const { quotes } = decide(order, said('counter', [to('unit_3', { week: '2026-W52', cpm: 19.5 })]), counterContext(order))
    expect(quotes).toEqual([
      {
        locked_rate_id: 'lr_10',
        product_id: 'late',
        weeks: ['2026-W52'],
        market_class: 'scatter',
        advertiser_class: 'general',
        spot_length: 30,
        buy_type: 'preemptible',
        clearance_tier: null,
        gross_rate_unit: null,
        gross_rate_cpm: '19.5',
        currency: 'USD',
        guaranteed_impressions: 40_000,
        audience_code: null,
        quote_expires_at: later(order, 61),
      },
    ])
  })

  it('counts as a separate line', () => {
    const { outcome } = decided(inReview(), said('counter', [to('unit_1'), { unit_id: 'unit_2', action: 'reject' }]))
    expect(outcome).toEqual({
      order_id: 'ord_1',
      status: 'negotiating',
      last_seq: 4,
      units_accepted: 1,
      units_countered: 2,
      units_rejected: 1,
    })
  })

  it('sets the clock of the order to the first quote that lapses', () => {
    const sooner = '2026-11-02T11:30:00.5+02:00'
    const { after: order } = decided(
      inReview(),
      said('counter', [to('unit_1'), to('unit_2', { week: '2026-W51', unit_cost: 1, quote_expires_at: sooner })]),
    )
    expect(order.lines.at(-1)?.counter?.quote_expires_at).toBe('2026-11-02T09:30:00.500Z')
    expect(clocksOf(order)).toEqual({
      parked_since: order.updated_at,
      decide_by: '2026-11-02T09:30:00.500Z',
      due_at: '2026-11-02T09:30:00.501Z',
    })
  })

  it('includes the mirror of its ask, and shows no inventory of another week', () => {
    const intake = { products: [aProduct({ mirror_product_id: 'west' }), aProduct({ product_id: 'west', network: 'WEST' })] }
    const order = anOrder({ status: 'seller_review', lines: [aLine({ include_mirror: true })], intake })
    const { after: countered } = decided(order, said('counter', [to('unit_1')]))
    expect(countered.lines[1]).toMatchObject({ availability: null, mirror: { product_id: 'west', network: 'WEST', allocation: [] } })
  })
})

describe('a later round', () => {
  const first = decided(inReview(), said('counter', [to('unit_1'), to('unit_2', { week: '2026-W51', unit_cost: 45 })])).after
  const again = (units: Units, more: Partial<DecideOrder> = {}) => decided(first, said('counter', units, more), 2).after

  it.each(['unit_1', 'counter_10'])('that names %s replaces the open counter, and nothing else', (named) => {
    const order = again([to(named, { week: '2026-W50', unit_cost: 90 })])
    expect(states(order)).toEqual({
      unit_1: 'countered',
      unit_2: 'countered',
      unit_3: 'accepted',
      counter_10: 'rejected',
      counter_11: 'countered',
      counter_20: 'countered',
    })
    expect(order.lines.at(-1)).toMatchObject({
      in_response_to: 'unit_1',
      rate: { unit_cost: 90 },
    })
  })

  it('may accept one ask, take another offer back, and counter a line that was decided', () => {
    const order = again([
      { unit_id: 'unit_1', action: 'accept', num_accepted: 5 },
      { unit_id: 'counter_11', action: 'reject' },
      to('unit_3', { week: '2026-W51', cpm: 20 }),
    ])
    expect(states(order)).toEqual({
      unit_1: 'accepted',
      unit_2: 'rejected',
      unit_3: 'countered',
      counter_10: 'rejected',
      counter_11: 'rejected',
      counter_20: 'countered',
    })
    expect(order.lines[0]).toMatchObject({ num_accepted: 5, rate: { unit_cost: 100 } })
    expect(snapshot(order).totals.gross).toBe(500)
  })

  it('that approves accepts every ask, at the prices cited', () => {
    const { after: order, events } = decided(first, said('approve'), 2)
    expect(events).toMatchObject([{ status: 'placed', prior_status: 'negotiating', artifact: { seller_order_id: 'so_platform' } }])
    expect(states(order)).toEqual({
      unit_1: 'accepted',
      unit_2: 'accepted',
      unit_3: 'accepted',
      counter_10: 'rejected',
      counter_11: 'rejected',
    })
    expect(snapshot(order).totals.gross).toBe(4700) // 600 + 100 + 4000, as asked
    expect(new Set(receiptOf(events[0])?.daylocks.map(({ unit_id }) => unit_id))).toEqual(new Set(['unit_1', 'unit_2', 'unit_3']))
  })

  it('that approves leaves rejected what an earlier one rejected', () => {
    const { after: mixed } = decided(inReview(), said('counter', [to('unit_1'), { unit_id: 'unit_3', action: 'reject' }]))
    expect(states(decided(mixed, said('approve'), 2).after)).toMatchObject({ unit_1: 'accepted', unit_2: 'accepted', unit_3: 'rejected' })
  })

  it('that rejects ends the order and every line, those accepted before included', () => {
    const { after: order, events } = decided(first, said('reject', [], { reason: 'Sold out' }), 2)
    expect(events).toMatchObject([{ status: 'rejected', prior_status: 'negotiating' }])
    for (const line of order.lines) expect(line).toMatchObject({ status: 'rejected', reason: 'Sold out', num_accepted: 0, allocation: [] })
    expect(snapshot(order).totals.gross).toBe(0)
  })

  it('keeps the order id that the seller gave with its counter, for the receipt', () => {
    const { after: named, events } = decided(inReview(), said('counter', [to('unit_1')], { seller_order_id: 'S-7' }))
    expect(events[0]?.decision_record).toEqual({ gate: 'api', actor: 'Sam', decision: 'counter', seller_order_id: 'S-7' })
    expect(receiptOf(decided(named, said('approve'), 2).events[0])?.seller_order_id).toBe('S-7')
  })

  it.each<[string, Units[number], string]>([
    ['accept its own counter', { unit_id: 'counter_10', action: 'accept' }, 'units.0.unit_id'],
    ['name a line and its counter', to('unit_1'), 'units.1.unit_id'],
  ])('cannot %s', (_, entry, field) => {
    const units = [entry, ...(entry.action === 'counter' ? [to('counter_10')] : [to('unit_2')])]
    given(first).when(decide, said('counter', units), counterContext(first, 2)).refused('INVALID_INPUT', { field })
  })

  it('has room on the order', () => {
    const line = first.lines[3] as LineResult // a counter that is open
    const full = { ...first, lines: [...first.lines, ...Array.from({ length: 1_995 }, () => line)] } // 2,000 with the five
    given(full)
      .when(decide, said('counter', [to('unit_1')]), counterContext(full, 2))
      .refused('INVALID_INPUT', { field: 'units' })
    given(full).when(decide, said('approve'), counterContext(full, 2)).gives({ status: 'placed' })
  })

  it('cannot name a counter that is no longer open', () => {
    const second = again([to('unit_1')])
    given(second)
      .when(decide, said('counter', [to('counter_10')]), counterContext(second, 3))
      .refused('INVALID_INPUT', { field: 'units.0.unit_id' })
  })
})

describe('the figures of a counter are refused', () => {
  const figures = (counter: NonNullable<Units[number]['counter']>, unit_id = 'unit_1', more: Parameters<typeof anOrder>[0] = {}) => {
    const order = inReview(more)
    return given(order).when(decide, said('counter', [to(unit_id, counter)]), counterContext(order))
  }
  it.each<[string, Parameters<typeof figures>, string]>([
    ['without a cost', [{ week: '2026-W51' }], 'unit_cost'],
    ['with the cost of another basis', [{ week: '2026-W51', cpm: 5 }], 'cpm'],
    ['with the cost of another basis', [{ week: '2026-W51', unit_cost: 5 }, 'unit_3'], 'unit_cost'],
    ['with two costs', [{ week: '2026-W51', unit_cost: 5, cpm: 5 }], 'cpm'],
    ['for a week that does not exist', [{ week: '2025-W53', unit_cost: 5 }], 'week'],
    ['outside the flight', [{ week: '2026-W51', unit_cost: 5 }, 'unit_1', { flight: { start: '2026-12-07', end: '2026-12-13' } }], 'week'],
    ['with a quote that has lapsed', [{ week: '2026-W51', unit_cost: 5, quote_expires_at: '2026-11-01T00:00:00Z' }], 'quote_expires_at'],
    ['with a quote that never lapses', [{ week: '2026-W51', unit_cost: 5, quote_expires_at: '3000-01-01T00:00:00Z' }], 'quote_expires_at'],
  ])('%s', (_, args, member) => figures(...args).refused('INVALID_INPUT', { field: `units.0.counter.${member}` }))

  it('in a week in which the product does not air, or is not sold', () => {
    const order = inReview()
    const context = counterContext(order)
    const products = [
      aProduct({ type: 'program' }),
      aProduct({ product_id: 'news', effective: { start: '2026-01-01', end: '2026-12-13' } }),
    ]
    const at = (unit_id: string) =>
      given(order).when(decide, said('counter', [to(unit_id)]), { ...context, counters: { ...context.counters, products } })
    for (const unit_id of ['unit_1', 'unit_2']) at(unit_id).refused('INVALID_INPUT', { field: 'units.0.counter.week' })
  })

  it('when they are missing', () => {
    const order = inReview()
    const missing = ['units.0.counter']
    given(order)
      .when(decide, said('counter', [{ unit_id: 'unit_1', action: 'counter' }]), counterContext(order))
      .refused('INVALID_INPUT', { missing })
  })
})
