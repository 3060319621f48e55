import { describe, expect, it } from '@jest/globals'
import { ORDER_STATUSES } from '../../../src/contract/vocabulary.ts'
import { snapshot, totals, waitingOn } from '../../../src/domain/order/snapshot.ts'
import { aLine, anOrder, CREATED_AT } from '../../support/orders/anOrder.ts'

describe('a snapshot', () => {
  it('shows a submitted order as it was asked for, nothing accepted', () => {
    expect(snapshot(anOrder({ lines: [aLine({ units: 3 })] }))).toMatchObject({
      order_id: 'ord_1',
      status: 'submitted',
      last_seq: 1,
      workflow: 'catalog',
      rate_version: 'card-1',
      taxonomy_version: 'tax-1',
      revision: { version: 1, supersedes: null },
      settlement_mode: 'direct',
      created_at: CREATED_AT,
      updated_at: CREATED_AT,
      issued_at: CREATED_AT,
      totals: { gross: 300, currency: 'USD' },
      events_url: '/v1/events?order=ord_1',
      line_items: [{ unit_id: 'unit_1', status: 'pending', num_accepted: 0, allocation: [], reason: null, include_mirror: false }],
      artifacts: [],
    })
  })

  it('keeps issued_at and the request members as they were sent', () => {
    const sent = {
      issued_at: '2026-11-01T10:00:00+02:00',
      flight: { start: '2026-12-01', end: '2026-12-31' },
      buyer_requests: { scope: 'campaign' },
    } as const
    expect(snapshot(anOrder(sent))).toMatchObject(sent)
  })

  it('emits the basis of a rate, even if another was sent', () => {
    const lines = [aLine({ rate: { rate_basis: 'cpm' } }), aLine({ product_id: 'news', rate: { cpm: 5, guaranteed_impressions: 10 } })]
    expect(snapshot(anOrder({ lines })).line_items.map(({ rate }) => rate.rate_basis)).toEqual(['per_unit', 'cpm'])
  })

  it('repeats of a line only what was sent', () => {
    const sent = { rc_impressions: { 'A25-54': 1.5 }, do_not_air: ['2026-12-24'] }
    expect(snapshot(anOrder({ lines: [aLine(sent)] })).line_items[0]).toMatchObject(sent)
    expect(snapshot(anOrder()).line_items[0]).not.toHaveProperty('do_not_air')
  })
})

describe('gross', () => {
  it('rounds half up once per line', () => {
    const line = (product_id: string) => aLine({ product_id, units: 1, rate: { unit_cost: 0.005 } })
    expect(totals(anOrder({ lines: [line('a'), line('b'), line('c')] })).gross).toBe(0.03) // 0.01 each; rounded at the end it were 0.02
  })

  it('prices cpm by the impressions of a unit', () => {
    const lines = [aLine({ units: 3, rate: { cpm: 24.5, guaranteed_impressions: 40_001 } })]
    expect(totals(anOrder({ lines })).gross).toBe(2940.07) // 24.5 * 40,001 * 3 / 1000 = 2940.0735
  })

  it('is exact where doubles are not', () => {
    expect(totals(anOrder({ lines: [aLine({ units: 3, rate: { unit_cost: 1.1 } })] })).gross).toBe(3.3)
  })
})

describe('waiting on', () => {
  const head = { updated_at: '2026-11-02T09:00:00.000Z', parked_since: null, decide_by: null }
  const now = '2026-11-02T10:00:00.000Z'

  it('is one party per status, and none once an order has ended', () => {
    const parties = Object.fromEntries(ORDER_STATUSES.map((status) => [status, waitingOn({ ...head, status }, now)?.party ?? null]))
    expect(parties).toEqual({
      submitted: 'platform',
      validating: 'platform',
      needs_confirmation: 'buyer',
      confirmed: 'platform',
      negotiating: 'buyer',
      seller_review: 'seller',
      placed: null,
      canceled: null,
      rejected: null,
      failed: null,
    })
  })

  it.each([
    ['2026-11-02T09:59:59.999Z', true],
    ['2026-11-02T10:00:00.000Z', false],
    ['2026-11-02T10:00:00.001Z', false],
  ])('the seller until %s is overdue: %s', (decide_by, overdue) => {
    const parked = { ...head, status: 'seller_review', parked_since: '2026-11-02T09:30:00.000Z', decide_by } as const
    expect(waitingOn(parked, now)).toEqual({ party: 'seller', since: '2026-11-02T09:30:00.000Z', due_by: decide_by, overdue })
  })

  it('is the buyer until the plan expires, then the seller for another', () => {
    const planned = { ...head, status: 'needs_confirmation', parked_since: '2026-11-02T09:30:00.000Z' } as const
    expect(waitingOn({ ...planned, decide_by: now }, now)).toEqual({
      party: 'buyer',
      since: planned.parked_since,
      due_by: now,
      overdue: false,
    })
    const expired = '2026-11-02T09:59:59.999Z'
    expect(waitingOn({ ...planned, decide_by: expired }, now)).toEqual({ party: 'seller', since: expired, overdue: false })
  })

  it('is the seller while a proposal waits for its plan', () => {
    const waiting = { ...head, status: 'validating', substatus: 'awaiting_plan', parked_since: '2026-11-02T09:30:00.000Z' } as const
    expect(waitingOn(waiting, now)).toEqual({ party: 'seller', since: waiting.parked_since, overdue: false })
  })

  it.each([
    [null, 'buyer'],
    ['quote_lapsed', 'seller'],
  ] as const)('is, in a negotiation with substatus %s, the %s since the last event', (substatus, party) => {
    const negotiating = { ...head, status: 'negotiating', substatus, parked_since: '2026-11-01T09:00:00.000Z' } as const
    expect(waitingOn(negotiating, now)).toEqual({ party, since: head.updated_at, overdue: false })
  })

  it('is, in a negotiation, the buyer until the first quote lapses, then the seller, notified or not', () => {
    const negotiating = { ...head, status: 'negotiating', parked_since: '2026-11-01T09:00:00.000Z' } as const
    expect(waitingOn({ ...negotiating, decide_by: now }, now)).toEqual({
      party: 'buyer',
      since: head.updated_at,
      due_by: now,
      overdue: false,
    })
    const lapsed = '2026-11-02T09:59:59.999Z'
    expect(waitingOn({ ...negotiating, decide_by: lapsed }, now)).toEqual({ party: 'seller', since: lapsed, overdue: false })
  })

  it('has no deadline where none was promised', () => {
    expect(waitingOn({ ...head, status: 'submitted' }, now)).toEqual({ party: 'platform', since: head.updated_at, overdue: false })
  })
})
