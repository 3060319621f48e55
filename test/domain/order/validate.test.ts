import { describe, expect, it } from '@jest/globals'
import type { LineItem } from '../../../src/contract/lineItem.ts'
import type { AvailState, Grain } from '../../../src/contract/vocabulary.ts'
import type { PublishedAvail } from '../../../src/domain/lines/availability.ts'
import { validate } from '../../../src/domain/order/validate.ts'
import { aLine, aMarket, anOrder, cardOf, priceOf } from '../../support/orders/anOrder.ts'
import { given } from '../../support/orders/given.ts'

const VALIDATING = { status: 'validating', prior_status: 'submitted' }
const REVIEW = { status: 'seller_review', prior_status: 'validating' }
const FAILED = { status: 'failed', prior_status: 'validating' }
const lineOf = (grain: Grain, start: string) => aLine({ period: { grain, start } as LineItem['period'] })
const avail = (grain: Grain, start: string, state: AvailState): PublishedAvail => ({ product_id: 'prime', grain, start, state })

describe('validation holds', () => {
  it('an order whose prices still hold, and sends it to the seller', () => {
    const order = anOrder()
    given(order).when(validate, aMarket(order)).gives(VALIDATING, REVIEW)
  })

  it('an order that is validating already, with one step', () => {
    const order = anOrder({ status: 'validating' })
    given(order).when(validate, aMarket(order)).gives(REVIEW)
  })

  it('for the same price on a newer commit, in other digits', () => {
    const order = anOrder()
    const card = cardOf(aLine(), { locked_rate_id: 'lr_newer', gross_rate_unit: '100.00' })
    given(order).when(validate, aMarket(order, { card })).gives(VALIDATING, REVIEW)
  })

  it('when another key, or another week, moved', () => {
    const order = anOrder()
    const moved = { gross_rate_unit: '999' }
    const card = [priceOf(aLine(), { ...moved, spot_length: 15 }), priceOf(aLine(), { ...moved, week: '2026-W51' }), ...cardOf(aLine())]
    given(order).when(validate, aMarket(order, { card })).gives(VALIDATING, REVIEW)
  })

  it('when the key left the card: what a newer commit leaves out stays in force', () => {
    const order = anOrder()
    given(order)
      .when(validate, aMarket(order, { card: [] }))
      .gives(VALIDATING, REVIEW)
  })

  it.each(['submitted', 'validating'] as const)('in silence when asked again after %s', (status) => {
    const order = anOrder({ status })
    const { after } = given(order).when(validate, aMarket(order)).result()
    given(after)
      .when(validate, aMarket(order, { card: [] }))
      .changesNothing()
  })

  it.each(['seller_review', 'placed', 'canceled', 'rejected', 'failed', 'negotiating'] as const)('nothing more at %s', (status) => {
    const order = anOrder({ status })
    const unavailable = [avail('week', '2026-W50', 'unavailable')]
    const attempt = given(order).when(validate, aMarket(order, { avails: unavailable }))
    attempt.changesNothing()
    expect(attempt.result().outcome).toEqual({ status, last_seq: order.last_seq })
  })
})

describe('a stale price', () => {
  it('fails the order with the drift of every line that moved, and of no other', () => {
    const lines = [
      aLine(),
      aLine({ product_id: 'news', rate: { unit_cost: 250.5 } }),
      aLine({ product_id: 'late', rate: { cpm: 12, guaranteed_impressions: 1000 } }),
    ]
    const order = anOrder({ lines })
    const [prime, news, late] = lines as [LineItem, LineItem, LineItem]
    const card = [...cardOf(prime), ...cardOf(news, { gross_rate_unit: '260' }), ...cardOf(late, { gross_rate_cpm: '11.99' })]
    const rate_drift = [
      { unit_id: 'unit_2', locked_rate_id: news.rate.locked_rate_id, cited: 250.5, current: 260 },
      { unit_id: 'unit_3', locked_rate_id: late.rate.locked_rate_id, cited: 12, current: 11.99 },
    ]
    const { events } = given(order).when(validate, aMarket(order, { card })).result()
    expect(events).toMatchObject([
      VALIDATING,
      { ...FAILED, error: { error_code: 'STALE_RATE_CARD', stage: 'pricing', recoverable: true, details: { rate_drift } } },
    ])
    expect(events[1]?.error?.details.rate_drift).toEqual(rate_drift)
  })

  it('is looked for in every week of a month', () => {
    const line = lineOf('month', '2026-12')
    const order = anOrder({ lines: [line] })
    const card = cardOf(line).map((rate) => (rate.week === '2026-W53' ? { ...rate, gross_rate_unit: '101' } : rate))
    given(order)
      .when(validate, aMarket(order, { card }))
      .gives(VALIDATING, { ...FAILED, error: { details: { rate_drift: [{ unit_id: 'unit_1', cited: 100, current: 101 }] } } })
  })

  it('is looked for in the week of a day', () => {
    const line = lineOf('day', '2026-12-09')
    const order = anOrder({ lines: [line] })
    const card = [priceOf(line, { week: '2026-W50', gross_rate_unit: '90' })]
    given(order)
      .when(validate, aMarket(order, { card }))
      .gives(VALIDATING, { ...FAILED, error: { error_code: 'STALE_RATE_CARD' } })
  })

  it('is reported before missing inventory', () => {
    const order = anOrder()
    const market = aMarket(order, { card: cardOf(aLine(), { gross_rate_unit: '1' }), avails: [avail('week', '2026-W50', 'unavailable')] })
    given(order)
      .when(validate, market)
      .gives(VALIDATING, { error: { error_code: 'STALE_RATE_CARD' } })
  })
})

describe('inventory', () => {
  const DAY = lineOf('day', '2026-12-09')
  const WEEK = lineOf('week', '2026-W50')
  const MONTH = lineOf('month', '2026-12')

  it.each([
    ['a week that is unavailable', WEEK, [avail('week', '2026-W50', 'unavailable')]],
    ['a day that is unavailable', DAY, [avail('day', '2026-12-09', 'unavailable'), avail('week', '2026-W50', 'available')]],
    ['a day without an avail of its own, by its week', DAY, [avail('week', '2026-W50', 'unavailable')]],
    ['a month by one of its weeks', MONTH, [avail('week', '2026-W49', 'available'), avail('week', '2026-W53', 'unavailable')]],
    ['a month by its own avail', MONTH, [avail('month', '2026-12', 'unavailable'), avail('week', '2026-W50', 'available')]],
  ])('fails %s', (_, line, avails) => {
    const order = anOrder({ lines: [line] })
    const error = { error_code: 'INVENTORY_UNAVAILABLE', stage: 'inventory', recoverable: true }
    given(order)
      .when(validate, aMarket(order, { avails }))
      .gives(VALIDATING, { ...FAILED, error })
  })

  it.each([
    ['a week that is projected', WEEK, [avail('week', '2026-W50', 'projected')]],
    ['a week about which nothing is published', WEEK, []],
    ['a week of which one day is unavailable', WEEK, [avail('day', '2026-12-09', 'unavailable')]],
    ['a day of its own in an unavailable week', DAY, [avail('day', '2026-12-09', 'available'), avail('week', '2026-W50', 'unavailable')]],
    ['a month beside an unavailable week', MONTH, [avail('week', '2026-W48', 'unavailable'), avail('week', '2027-W01', 'unavailable')]],
    ['another product being unavailable', WEEK, [{ ...avail('week', '2026-W50', 'unavailable'), product_id: 'news' }]],
    ['a line that is held', aLine({ hold_id: 'hold_1' }), [avail('week', '2026-W50', 'unavailable')]],
    ['counts of zero', WEEK, [{ ...avail('week', '2026-W50', 'available'), spots: { available: 0 } }]],
  ])('holds %s', (_, line, avails) => {
    const order = anOrder({ lines: [line] })
    given(order).when(validate, aMarket(order, { avails })).gives(VALIDATING, REVIEW)
  })

  it('names the lines without inventory, and never the pool', () => {
    const order = anOrder({ lines: [WEEK, lineOf('week', '2026-W51')] })
    const { events } = given(order)
      .when(validate, aMarket(order, { avails: [avail('week', '2026-W51', 'unavailable')] }))
      .result()
    expect(events[1]?.error?.details).toEqual({ unit_ids: ['unit_2'] })
  })
})
