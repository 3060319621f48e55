import { describe, expect, it } from '@jest/globals'
import type { LineResult } from '../../../src/contract/lineItem.ts'
import { nextSellerMove, type SeenOrder } from '../../../src/local/sandbox/sellerMoves.ts'

const NOW = '2030-06-03T12:00:00.000Z'
const at = (seconds: number) => Date.parse(NOW) + seconds * 1_000

function line(product_id: string, more: Partial<LineResult> = {}): LineResult {
  return {
    ...{ unit_id: `unit_${product_id}`, product_id, period: { grain: 'week', start: '2030-W25' }, units: 5, spot_length: 30 },
    ...{ provider: 'sandbox-tv', network: 'SBX', allocation: [], num_accepted: 0, status: 'pending', reason: null, availability: null },
    rate: {
      market_class: 'scatter',
      advertiser_class: 'general',
      buy_type: 'preemptible',
      unit_cost: 1_000,
      locked_rate_id: 'lr_1',
      currency: 'USD',
      rate_basis: 'per_unit',
    },
    posting_policy: { policy: null, source: 'unstated' },
    ...more,
  } as LineResult
}

function order(line_items: LineResult[], more: Partial<SeenOrder> = {}): SeenOrder {
  const waiting_on = { party: 'seller', since: NOW, overdue: false } as const
  return { seller: 'sandbox-tv', status: 'seller_review', substatus: null, last_seq: 3, updated_at: NOW, line_items, waiting_on, ...more }
}

describe('the next move of a seller in review', () => {
  it('answers each line by its product, a second after the order waits', () => {
    const lines = ['sbx-approved', 'sbx-approved-part', 'sbx-rejected', 'unknown'].map((id) => line(id))
    expect(nextSellerMove(order(lines), NOW)).toEqual({
      does: 'decide',
      at: at(1),
      decision: {
        ...{ decision: 'approve', actor: 'sandbox', last_seq: 3, reason: 'The sandbox rejects this product.' },
        units: [
          { unit_id: 'unit_sbx-approved', action: 'accept' },
          { unit_id: 'unit_sbx-approved-part', action: 'accept', num_accepted: 3 },
          { unit_id: 'unit_sbx-rejected', action: 'reject' },
          { unit_id: 'unit_unknown', action: 'accept' },
        ],
      },
    })
  })

  it('rejects what has no other line, and counters what has one with a counter', () => {
    expect(nextSellerMove(order([line('sbx-rejected')]), NOW)).toMatchObject({ decision: { decision: 'reject' } })
    expect(nextSellerMove(order([line('sbx-countered'), line('sbx-approved')]), NOW)).toMatchObject({
      decision: { decision: 'counter', units: [{ counter: { week: '2030-W26', unit_cost: 1_050 } }, { action: 'accept' }] },
    })
  })

  it('counters in the same week where the flight ends with it', () => {
    const flight = { start: '2030-06-17', end: '2030-06-23' }
    expect(nextSellerMove(order([line('sbx-countered')], { flight }), NOW)).toMatchObject({
      decision: { units: [{ counter: { week: '2030-W25' } }] },
    })
  })

  it('lets a quote last 60 seconds from now on', () => {
    const move = nextSellerMove(order([line('sbx-countered-lapsing')]), NOW)
    expect(move).toMatchObject({ decision: { units: [{ counter: { quote_expires_at: '2030-06-03T12:01:00.000Z' } }] } })
  })

  it('waits as long as the slowest line, and for good where one is never decided', () => {
    expect(nextSellerMove(order([line('sbx-approved'), line('sbx-decides-late')]), NOW)?.at).toBe(at(3))
    expect(nextSellerMove(order([line('sbx-approved'), line('sbx-silent')]), NOW)).toBeUndefined()
  })

  it('leaves to its own API what that is asked to decide', () => {
    expect(
      nextSellerMove(order([line('pull-decides')], { seller: 'sandbox-pull', substatus: 'awaiting_remote_decision' }), NOW),
    ).toBeUndefined()
  })
})

describe('the next move of a seller in negotiation', () => {
  const ask = line('sbx-countered-twice', { status: 'countered' })
  const counter = line('sbx-countered-twice', { unit_id: 'unit_counter', status: 'countered', in_response_to: ask.unit_id })

  it('is a second counter, once', () => {
    const first = order([ask, counter], { status: 'negotiating' })
    expect(nextSellerMove(first, NOW)).toMatchObject({
      at: at(1),
      decision: { decision: 'counter', units: [{ unit_id: ask.unit_id, counter: { unit_cost: 1_020 } }] },
    })
    const second = order([ask, { ...counter, status: 'rejected' }, { ...counter, unit_id: 'unit_second' }], { status: 'negotiating' })
    expect(nextSellerMove(second, NOW)).toBeUndefined()
  })

  it('is none on other counters', () => {
    const one = line('sbx-countered', { status: 'countered' })
    expect(nextSellerMove(order([one, { ...counter, in_response_to: one.unit_id }], { status: 'negotiating' }), NOW)).toBeUndefined()
  })
})

describe('the next move on a proposal', () => {
  const proposal = (anchor: string) =>
    order([], { status: 'validating', substatus: 'awaiting_plan', request: { request_type: 'open', anchor_package_ids: [anchor] } })

  it('is the plan that an anchor names, and a plan without one', () => {
    expect(nextSellerMove(proposal('sbx-plan-late'), NOW)).toMatchObject({ does: 'plan', at: at(20), habit: { anchor: 'sbx-plan-late' } })
    expect(nextSellerMove(proposal('something'), NOW)).toMatchObject({ does: 'plan', at: at(1), habit: { anchor: 'sbx-plan' } })
  })
})

describe('an order that has ended', () => {
  it.each(['placed', 'canceled', 'rejected', 'failed'] as const)('%s has no move', (status) => {
    expect(nextSellerMove(order([line('sbx-approved', { num_accepted: 5 })], { status }), NOW)).toBeUndefined()
  })

  it.each(['sbx-billed-wrong', 'sbx-preempted'])('is followed up if %s was placed', (product_id) => {
    const placed = (num_accepted: number) => nextSellerMove(order([line(product_id, { num_accepted })], { status: 'placed' }), NOW)
    expect([placed(5)?.does, placed(0)?.does]).toEqual(['follow_up', undefined])
  })
})
