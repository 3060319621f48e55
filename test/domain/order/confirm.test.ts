import { describe, expect, it } from '@jest/globals'
import type { ConfirmOrder } from '../../../src/contract/confirmOrder.ts'
import { ORDER_STATUSES } from '../../../src/contract/vocabulary.ts'
import type { Instant } from '../../../src/domain/calendar.ts'
import { cancel } from '../../../src/domain/order/cancel.ts'
import { confirm } from '../../../src/domain/order/confirm.ts'
import { decide } from '../../../src/domain/order/decide.ts'
import { stampEvents } from '../../../src/domain/order/decision.ts'
import { snapshot } from '../../../src/domain/order/snapshot.ts'
import { clocksOf, type OrderState } from '../../../src/domain/order/state.ts'
import { aLine, anOrder, aProfile, CONTEXT, type OrderChanges } from '../../support/orders/anOrder.ts'
import { aPlanDraft, aPlanned, aProposal, PLAN_EXPIRES_AT } from '../../support/orders/aProposal.ts'
import { given } from '../../support/orders/given.ts'

const yes = (more: Partial<ConfirmOrder> = {}): ConfirmOrder => ({ action: 'confirm', actor: 'Bea Buyer', ...more })
const no = (more: Partial<ConfirmOrder> = {}): ConfirmOrder => ({ action: 'reject', actor: 'Bea Buyer', reason: 'too expensive', ...more })
const at = (now: Instant) => ({ gate: 'api', now }) as const
const BEFORE = at('2026-11-03T00:00:00.000Z')
const DOCUMENT = { name: 'S', taxonomy_version: 't', profile: aProfile({ modes: { catalog: true, proposal: true, document: true } }) }
const aDocument = () =>
  anOrder({
    line_items: undefined,
    document: { upload_id: 'upl_1', format: 'csv' },
    status: 'needs_confirmation',
    intake: { seller: DOCUMENT, uploads: [{ upload_id: 'upl_1', format: 'csv', sha256: 'a' }] },
  } as OrderChanges)

describe('confirming a proposal', () => {
  const lines = [
    aLine({ units: 7 }),
    aLine({ product_id: 'news', period: { grain: 'day', start: '2026-12-12' }, rate: { unit_cost: 0.335 } }),
  ]

  it("books the plan in place: its lines become the order's, which goes to the seller", () => {
    const planned = aPlanned({ plan: aPlanDraft('plan_1', lines) })
    expect(snapshot(planned)).toMatchObject({ line_items: [], totals: { gross: 0 } })
    const attempt = given(planned).when(confirm, yes({ plan_id: 'plan_1' }), BEFORE)
    attempt.gives({
      status: 'seller_review',
      prior_status: 'needs_confirmation',
      decision_record: { gate: 'api', actor: 'Bea Buyer', decision: 'confirm' },
    })
    const { after, outcome, events } = attempt.result()
    expect(outcome).toEqual({ order_id: 'ord_1', status: 'seller_review', last_seq: 4, booked_orders: ['ord_1'] })
    expect(events[0]?.units).toEqual(after.lines)
    expect(after.lines.map(({ product_id, units, status }) => [product_id, units, status])).toEqual([
      ['prime', 7, 'pending'],
      ['news', 6, 'pending'],
    ])
    expect(snapshot(after).totals).toEqual({ gross: 702.01, currency: 'USD' })
  })

  it('freezes the impressions that the plan guarantees', () => {
    const rate = { buy_type: 'audience_guaranteed', audience_code: 'A25-54', guaranteed_impressions: 40_000 } as const
    const planned = aPlanned({ plan: aPlanDraft('plan_1', [aLine({ units: 3, rate })]) })
    expect(snapshot(planned).totals.impressions).toBeUndefined()
    const { after } = given(planned).when(confirm, yes(), BEFORE).result()
    expect(snapshot(after).totals.impressions).toEqual({ 'A25-54': 120_000 })
  })

  it('leads to an ordinary decision, on the dates that the lines book', () => {
    const { after } = given(aPlanned({ plan: aPlanDraft('plan_1', lines) }))
      .when(confirm, yes(), BEFORE)
      .result()
    const placed = given(after).when(decide, { decision: 'approve', actor: 'Sam Seller' }, CONTEXT).result()
    expect(placed.after.lines.map(({ allocation }) => allocation.map(({ date }) => date))).toEqual([
      ['2026-12-07', '2026-12-09', '2026-12-11'],
      ['2026-12-12'],
    ])
    expect(snapshot(placed.after).totals.gross).toBe(702.01)
  })

  it('applies to the current plan, and to no other', () => {
    const second = stampEvents(aPlanned(), [aPlanDraft('plan_2')], '2026-11-02T10:00:00.000Z').after
    for (const ask of [yes({ plan_id: 'plan_1' }), no({ plan_id: 'plan_1' })])
      given(second).when(confirm, ask, BEFORE).refused('CONFLICT', { plan_id: 'plan_2' })
    expect(given(second).when(confirm, yes(), BEFORE).result().after.lines[0]?.unit_id).toBe('unit_plan_2_1')
  })

  it.each([
    [PLAN_EXPIRES_AT, true],
    ['2026-11-05T12:00:00.001Z', false],
  ])('is possible at %s: %s', (now, possible) => {
    const attempt = given(aPlanned()).when(confirm, yes(), at(now))
    if (possible) attempt.gives({ status: 'seller_review' })
    else attempt.refused('STALE_RATE_CARD', { plan_id: 'plan_1', expires_at: PLAN_EXPIRES_AT })
  })

  it('measures an expiry that was sent with an offset as the instant that it is', () => {
    const planned = aPlanned({ plan: aPlanDraft('plan_1', [aLine()], { expires_at: '2026-11-05T13:00:00+01:00' }) })
    expect(clocksOf(planned)).toMatchObject({ decide_by: PLAN_EXPIRES_AT, due_at: '2026-11-05T12:00:00.001Z' })
    given(planned).when(confirm, yes(), at(PLAN_EXPIRES_AT)).gives({ status: 'seller_review' })
  })
})

describe('confirming a document', () => {
  it('confirms it; the seller comes next', () => {
    const attempt = given(aDocument()).when(confirm, yes(), BEFORE)
    attempt.gives({ status: 'confirmed', decision_record: { decision: 'confirm' } })
    expect(attempt.result().outcome).toEqual({ order_id: 'ord_1', status: 'confirmed', last_seq: 4 })
  })

  it('has no plan', () =>
    given(aDocument())
      .when(confirm, yes({ plan_id: 'plan_1' }), BEFORE)
      .refused('CONFLICT', { field: 'plan_id' }))
})

describe('rejecting', () => {
  it('cancels the order with its reason, which the seller reads too', () => {
    const { events, outcome, after } = given(aPlanned()).when(confirm, no(), BEFORE).result()
    expect(events).toMatchObject([
      {
        status: 'canceled',
        decision_record: { gate: 'api', actor: 'Bea Buyer', decision: 'reject', reason: 'too expensive' },
        cancellation: { reason: 'too expensive', actor: 'Bea Buyer', late_notice: 'not_applicable' },
      },
    ])
    expect(outcome).toEqual({ order_id: 'ord_1', status: 'canceled', last_seq: 4, booked_orders: [] })
    expect(snapshot(after).cancellation).toEqual(events[0]?.cancellation)
    given(after).when(cancel, {}, BEFORE.now).changesNothing()
  })

  it('is possible after the plan has expired', () =>
    given(aPlanned()).when(confirm, no(), at('2027-01-01T00:00:00.000Z')).gives({ status: 'canceled' }))

  it('needs a reason', () => {
    for (const order of [aPlanned(), aDocument()]) {
      given(order)
        .when(confirm, { action: 'reject', actor: 'Bea' }, BEFORE)
        .refused('INVALID_INPUT', { missing: ['reason'] })
    }
  })

  it('measures the notice to the flight where the order has no lines', () => {
    const terms = { notice_days: 14 }
    const dated = { terms, flight: { start: '2026-12-01', end: '2026-12-31' } }
    expect(given(aPlanned(dated)).when(confirm, no(), BEFORE).result().events[0]?.cancellation?.notice).toMatchObject({
      first_air_date: '2026-12-01',
      notice_days_given: 28,
    })
    expect(given(aPlanned({ terms })).when(cancel, {}, BEFORE.now).result().events[0]?.cancellation).toEqual({
      reason: 'buyer_canceled',
      actor: 'buyer_one',
      late_notice: 'not_applicable',
    })
  })
})

describe('an order that does not wait for its buyer', () => {
  it.each(ORDER_STATUSES.filter((status) => status !== 'needs_confirmation'))('is %s: INVALID_STATE, for any body', (status) => {
    const order = anOrder({ status })
    const refused = (of: OrderState, ask: ConfirmOrder) =>
      given(of).when(confirm, ask, BEFORE).refused('INVALID_STATE', { status: of.status, last_seq: of.last_seq })
    refused(order, yes())
    refused(order, { action: 'reject', actor: 'Bea' })
  })

  it('is a proposal without its plan', () => {
    const order = aProposal()
    given(order).when(confirm, yes(), BEFORE).refused('INVALID_STATE', { status: 'validating', last_seq: order.last_seq })
  })
})
