import { describe, expect, it } from '@jest/globals'
import type { CancellationTerms } from '../../../src/contract/order.ts'
import { ORDER_STATUSES, type OrderStatus } from '../../../src/contract/vocabulary.ts'
import { cancel } from '../../../src/domain/order/cancel.ts'
import { decide } from '../../../src/domain/order/decide.ts'
import { snapshot } from '../../../src/domain/order/snapshot.ts'
import { aLine, anOrder, BUYER, CONTEXT, later } from '../../support/orders/anOrder.ts'
import { given } from '../../support/orders/given.ts'

const TERMS: CancellationTerms = { notice_days: 14, late_fee_pct: 12.5 }
const NOW = '2026-11-20T12:00:00.000Z'
/** Airs first on Monday 2026-12-07. */
const placed = (terms?: CancellationTerms, unit_cost = 100) =>
  anOrder({ status: 'placed', lines: [aLine({ rate: { unit_cost } })], ...(terms === undefined ? {} : { terms }) })
const blockOf = (order: ReturnType<typeof anOrder>, asOf: string) => given(order).when(cancel, {}, asOf).result().outcome.cancellation

describe('cancel', () => {
  it.each<OrderStatus>(['submitted', 'validating', 'needs_confirmation', 'confirmed', 'seller_review', 'negotiating', 'placed'])(
    'ends an order that is %s',
    (status) => {
      const order = anOrder({ status })
      const attempt = given(order).when(cancel, {}, NOW)
      attempt.gives({ status: 'canceled', prior_status: status, seq: order.last_seq + 1 })
      expect(attempt.result().outcome).toMatchObject({ order_id: 'ord_1', status: 'canceled', last_seq: order.last_seq + 1 })
    },
  )

  it.each<OrderStatus>(['rejected', 'failed'])('is refused once an order is %s', (status) => {
    const order = anOrder({ status })
    given(order).when(cancel, {}, NOW).refused('INVALID_STATE', { status, last_seq: order.last_seq })
  })

  it('twice takes effect once: no event, the stored block, with any words the second time', () => {
    const first = given(placed(TERMS)).when(cancel, { reason: 'budget', actor: 'Bea' }, NOW).result()
    const second = given(first.after).when(cancel, { reason: 'other', actor: 'Bob' }, '2026-12-31T00:00:00.000Z')
    second.changesNothing()
    expect(second.result().outcome).toEqual(first.outcome)
  })

  it('shows one block on the reply, the event and the snapshot', () => {
    const { events, after, outcome } = given(placed(TERMS)).when(cancel, {}, NOW).result()
    expect(events[0]?.cancellation).toEqual(outcome.cancellation)
    expect(snapshot(after).cancellation).toEqual(outcome.cancellation)
  })

  it('keeps reason and actor verbatim, else says who may have canceled', () => {
    expect(given(placed()).when(cancel, { reason: 'Budget ✂', actor: 'Bea' }, NOW).result().outcome.cancellation).toEqual({
      reason: 'Budget ✂',
      actor: 'Bea',
      late_notice: 'not_applicable',
    })
    expect(blockOf(placed(), NOW)).toEqual({ reason: 'buyer_canceled', actor: BUYER, late_notice: 'not_applicable' })
  })

  it('leaves lines and totals as they were decided', () => {
    const order = placed(TERMS)
    const { after } = given(order).when(cancel, {}, NOW).result()
    expect(after.lines).toEqual(order.lines)
    expect(snapshot(after).totals).toEqual(snapshot(order).totals)
  })
})

describe('notice of a placed order', () => {
  it.each([
    // Days are those of the product, in New York.
    ['2026-11-23T23:59:59.999-05:00', 14, 'on_time'],
    ['2026-11-24T04:59:59.999Z', 14, 'on_time'],
    ['2026-11-24T05:00:00.000Z', 13, 'late'],
    ['2026-11-24T07:00:00+02:00', 13, 'late'],
    ['2026-11-24T01:00:00+02:00', 14, 'on_time'],
    ['2026-12-07T10:00:00.000Z', 0, 'late'],
    ['2026-12-10T10:00:00.000Z', -3, 'late'],
  ] as const)('given at %s is %i days: %s', (asOf, days, late_notice) => {
    expect(blockOf(placed(TERMS), asOf)).toMatchObject({
      late_notice,
      notice: {
        terms: TERMS,
        measured_at: new Date(asOf).toISOString(),
        first_air_date: '2026-12-07',
        notice_days_given: days,
        notice_days_required: 14,
      },
    })
  })

  it('costs late_fee_pct of the accepted gross when late', () => {
    expect(blockOf(placed(TERMS), '2026-12-01T00:00:00Z').notice).toMatchObject({ fee_pct: 12.5, fee_amount: 75 })
  })

  it.each([
    [0.37, 2.5, 0.06], // 2.22 * 2.5 % = 0.0555
    [0.2, 0.42, 0.01], // 1.20 * 0.42 % = 0.00504
    [1.1, 0.5, 0.03], // 6.60 * 0.5 % = 0.033
    [10.05, 12.5, 7.54], // 60.30 * 12.5 % = 7.5375
    [0.5, 0.5, 0.02], // 3.00 * 0.5 % = 0.015, half up
  ])('rounds the fee half up: six units at %f, %f %%: %f', (unit_cost, late_fee_pct, fee_amount) => {
    expect(blockOf(placed({ notice_days: 14, late_fee_pct }, unit_cost), '2026-12-01T00:00:00Z').notice?.fee_amount).toBe(fee_amount)
  })

  it('counts accepted lines alone, for the date and for the fee', () => {
    const lines = [aLine(), aLine({ product_id: 'news', period: { grain: 'week', start: '2026-W52' }, units: 1, rate: { unit_cost: 40 } })]
    const review = anOrder({ status: 'seller_review', lines, terms: { notice_days: 60, late_fee_pct: 10 } })
    const units = [{ unit_id: 'unit_1', action: 'reject' as const }]
    const { after } = given(review).when(decide, { decision: 'approve', actor: 'Sam', units }, CONTEXT).result()
    expect(blockOf(after, NOW).notice).toMatchObject({ first_air_date: '2026-12-21', notice_days_given: 31, fee_amount: 4 })
  })

  it('shows no fee when on time, or when the terms have none', () => {
    expect(blockOf(placed(TERMS), '2026-11-01T00:00:00Z').notice).not.toHaveProperty('fee_amount')
    const late = blockOf(placed({ notice_days: 14 }), '2026-12-06T00:00:00Z')
    expect(late.late_notice).toBe('late')
    expect(late.notice).not.toHaveProperty('fee_pct')
  })
})

describe('notice before anything was placed', () => {
  it.each(ORDER_STATUSES.filter((status) => ['submitted', 'validating', 'seller_review', 'negotiating'].includes(status)))(
    'is not applicable at %s, with the figures of the dates asked for and no fee',
    (status) => {
      const lines = [aLine({ period: { grain: 'week', start: '2026-W52' } }), aLine()]
      const order = anOrder({ status, lines, terms: TERMS })
      const { late_notice, notice } = blockOf(order, '2026-12-06T12:00:00Z')
      expect(late_notice).toBe('not_applicable')
      expect(notice).toEqual({
        terms: TERMS,
        measured_at: '2026-12-06T12:00:00.000Z',
        first_air_date: '2026-12-07',
        notice_days_given: 1,
        notice_days_required: 14,
      })
    },
  )

  it('has no figures without terms', () => {
    expect(blockOf(anOrder({ status: 'seller_review' }), later(anOrder()))).not.toHaveProperty('notice')
  })
})
