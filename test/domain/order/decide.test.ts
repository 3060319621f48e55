import { describe, expect, it } from '@jest/globals'
import type { DecideOrder } from '../../../src/contract/decideOrder.ts'
import type { OrderEvent } from '../../../src/contract/event.ts'
import { ORDER_STATUSES } from '../../../src/contract/vocabulary.ts'
import { decide } from '../../../src/domain/order/decide.ts'
import { snapshot } from '../../../src/domain/order/snapshot.ts'
import { aLine, anOrder, aProduct, CONTEXT, type OrderChanges } from '../../support/orders/anOrder.ts'
import { given } from '../../support/orders/given.ts'

const DAY = aLine({ product_id: 'news', period: { grain: 'day', start: '2026-12-12' }, units: 2, rate: { unit_cost: 0.335 } })
const MONTH = aLine({ product_id: 'late', period: { grain: 'month', start: '2026-12' }, units: 20, rate: { unit_cost: 7 } })
const LINES = [aLine({ units: 7 }), DAY, MONTH]
const inReview = (more: OrderChanges = {}) => anOrder({ status: 'seller_review', lines: LINES, ...more })
const ask = (decision: DecideOrder['decision'], more: Partial<DecideOrder> = {}): DecideOrder => ({
  decision,
  actor: 'Sam Seller',
  ...more,
})
const accept = (unit_id: string, num_accepted?: number) => ({
  unit_id,
  action: 'accept' as const,
  ...(num_accepted === undefined ? {} : { num_accepted }),
})
const reject = (unit_id: string) => ({ unit_id, action: 'reject' as const })
const receiptOf = (event?: OrderEvent) => (event?.artifact?.name === 'placement_receipt' ? event.artifact : undefined)
const decided = (more: DecideOrder, order = inReview()) => given(order).when(decide, more, CONTEXT).result()

describe('approving the whole order', () => {
  it('accepts every line in full on the dates that it books, at the prices cited', () => {
    const { events, after } = decided(ask('approve'))
    expect(events).toMatchObject([
      {
        status: 'placed',
        prior_status: 'seller_review',
        seq: 4,
        units: [
          {
            unit_id: 'unit_1',
            status: 'accepted',
            num_accepted: 7,
            allocation: onDates([3, '2026-12-07'], [2, '2026-12-09'], [2, '2026-12-11']),
          },
          { unit_id: 'unit_2', status: 'accepted', num_accepted: 2, allocation: onDates([2, '2026-12-12']), rate: { unit_cost: 0.335 } },
          { unit_id: 'unit_3', status: 'accepted', num_accepted: 20 },
        ],
      },
    ])
    expect(after.lines[2]?.allocation).toHaveLength(15) // five weeks of Monday, Wednesday, Friday
    expect(snapshot(after).totals).toEqual({ gross: 840.67, currency: 'USD' }) // 700 + 0.67 + 140
  })

  it('counts the lines after this step', () => {
    expect(decided(ask('approve', { units: [reject('unit_2')] })).outcome).toEqual({
      order_id: 'ord_1',
      status: 'placed',
      last_seq: 4,
      units_accepted: 2,
      units_countered: 0,
      units_rejected: 1,
    })
  })

  it('records who decided, through what, and why, verbatim', () => {
    const said = { gate: 'api', actor: 'Sam Seller', decision: 'approve' }
    expect(decided(ask('approve')).events[0]?.decision_record).toEqual(said)
    expect(decided(ask('approve', { reason: 'fits' })).events[0]?.decision_record).toEqual({ ...said, reason: 'fits' })
    const byConsole = given(inReview()).when(decide, ask('approve'), { ...CONTEXT, gate: 'console' })
    byConsole.gives({ decision_record: { gate: 'console' } })
  })

  it('lets the mirror air with its line', () => {
    const lines = [aLine({ include_mirror: true, units: 2 })]
    const order = anOrder({ lines, status: 'seller_review', intake: mirrored() })
    const allocation = onDates([1, '2026-12-07'], [1, '2026-12-09'])
    expect(order.lines[0]?.mirror).toEqual({ product_id: 'prime-west', network: 'WEST', allocation: [] })
    const { after } = decided(ask('approve'), order)
    expect(after.lines[0]).toMatchObject({ allocation, mirror: { product_id: 'prime-west', network: 'WEST', allocation } })
    expect(snapshot(after).totals.gross).toBe(200)
  })
})

describe('the receipt', () => {
  it("is the deciding event's allocations by unit_id, then date, and nothing else", () => {
    const unit_ids = ['unit_b', 'unit_c', 'unit_a']
    const { events, after } = decided(ask('approve'), inReview({ birth: { unit_ids } }))
    const [event] = events
    const rows = (event?.units ?? []).flatMap(({ unit_id, allocation }) => allocation.map((entry) => ({ unit_id, ...entry })))
    const daylocks = receiptOf(event)?.daylocks ?? []
    expect(daylocks).toHaveLength(19)
    expect(daylocks.map(({ unit_id, date }) => `${unit_id} ${date}`)).toEqual(rows.map(({ unit_id, date }) => `${unit_id} ${date}`).sort())
    expect(new Set(daylocks.map((row) => JSON.stringify(row)))).toEqual(
      new Set(rows.map(({ unit_id, date, units }) => JSON.stringify({ unit_id, date, units }))),
    )
    expect(event?.artifact).toMatchObject({ name: 'placement_receipt', seq: event?.seq, placed_at: event?.occurred_at })
    expect(snapshot(after).artifacts).toEqual([event?.artifact])
  })

  it("carries the seller's order id, else the platform's", () => {
    expect(receiptOf(decided(ask('approve', { seller_order_id: 'S-77' })).events[0])?.seller_order_id).toBe('S-77')
    expect(receiptOf(decided(ask('approve')).events[0])?.seller_order_id).toBe('so_platform')
  })

  it('leaves rejected lines out', () => {
    const { events } = decided(ask('approve', { units: [reject('unit_1'), reject('unit_3')] }))
    expect(receiptOf(events[0])?.daylocks).toEqual([{ unit_id: 'unit_2', date: '2026-12-12', units: 2 }])
  })
})

describe('approving in part', () => {
  it('accepts fewer units of a line, spreads them again, and recomputes gross', () => {
    const { after } = decided(ask('approve', { units: [accept('unit_1', 2)] }))
    expect(after.lines[0]).toMatchObject({
      status: 'accepted',
      units: 7,
      num_accepted: 2,
      allocation: onDates([1, '2026-12-07'], [1, '2026-12-09']),
    })
    expect(snapshot(after).totals.gross).toBe(340.67) // 200 + 0.67 + 140
  })

  it('accepts a line in full when its entry has no count', () => {
    expect(decided(ask('approve', { units: [accept('unit_1')] })).after.lines[0]?.num_accepted).toBe(7)
  })

  it('rejects the entries that say so, with the reason given', () => {
    const { after } = decided(ask('approve', { units: [reject('unit_2')], reason: 'sold out' }))
    expect(after.lines.map(({ status }) => status)).toEqual(['accepted', 'rejected', 'accepted'])
    expect(after.lines[1]).toMatchObject({ reason: 'sold out', num_accepted: 0, allocation: [] })
    expect(snapshot(after).totals.gross).toBe(840)
  })

  it('has a reason per line, which stands before that of the decision', () => {
    const units = [
      { ...reject('unit_2'), reason: 'the copy is missing' },
      { ...accept('unit_1', 2), reason: 'two are left' },
      reject('unit_3'),
    ]
    const { events, after } = decided(ask('approve', { units, reason: 'sold out' }))
    expect(after.lines.map(({ reason }) => reason)).toEqual(['two are left', 'the copy is missing', 'sold out'])
    expect(events[0]?.decision_record?.reason).toBe('sold out')
  })

  it('of every line by reject is a rejected order, without a receipt', () => {
    const units = LINES.map((_, index) => reject(`unit_${index + 1}`))
    const { events, after } = decided(ask('approve', { units }))
    expect(events).toMatchObject([{ status: 'rejected', decision_record: { decision: 'approve' } }])
    expect(events[0]?.artifact).toBeUndefined()
    expect(snapshot(after).totals.gross).toBe(0)
  })
})

describe('rejecting', () => {
  it.each([
    ['without entries', {}],
    ['with reject entries', { units: [reject('unit_2')] }],
  ])('%s ends the order and every line', (_, more) => {
    const { events, after, outcome } = decided(ask('reject', more))
    expect(events).toMatchObject([{ status: 'rejected', prior_status: 'seller_review' }])
    expect(after.lines.map(({ status, num_accepted, allocation }) => [status, num_accepted, allocation])).toEqual(
      LINES.map(() => ['rejected', 0, []]),
    )
    expect(outcome).toMatchObject({ status: 'rejected', units_accepted: 0, units_rejected: 3 })
    expect(snapshot(after)).toMatchObject({ artifacts: [], totals: { gross: 0 } })
  })
})

describe('a decision is refused', () => {
  const counter = { week: '2026-W51', unit_cost: 80 }
  it.each<[string, DecideOrder, string]>([
    ['an unknown line', ask('approve', { units: [accept('unit_9')] }), 'units.0.unit_id'],
    ['a line named twice', ask('approve', { units: [accept('unit_1'), reject('unit_1')] }), 'units.1.unit_id'],
    ['no units of a line', ask('approve', { units: [accept('unit_1', 0)] }), 'units.0.num_accepted'],
    ['fewer than no units', ask('approve', { units: [accept('unit_1', -1)] }), 'units.0.num_accepted'],
    ['more units than asked', ask('approve', { units: [accept('unit_2', 3)] }), 'units.0.num_accepted'],
    ['a count on a rejection', ask('approve', { units: [{ ...reject('unit_1'), num_accepted: 1 }] }), 'units.0.num_accepted'],
    ['a counter under approve', ask('approve', { units: [{ unit_id: 'unit_1', action: 'counter', counter }] }), 'units.0.action'],
    ['a counter on an acceptance', ask('approve', { units: [{ ...accept('unit_1'), counter }] }), 'units.0.counter'],
    ['an acceptance under reject', ask('reject', { units: [reject('unit_1'), accept('unit_2')] }), 'units.1.action'],
    ['a counter under reject', ask('reject', { units: [{ unit_id: 'unit_1', action: 'counter', counter }] }), 'units.0.action'],
    ['counter without a counter entry', ask('counter'), 'units'],
  ])('for %s', (_, decision, field) => given(inReview()).when(decide, decision, CONTEXT).refused('INVALID_INPUT', { field }))

  it('with every fault in body order', () => {
    const units = [accept('unit_1', 99), accept('unit_9'), accept('unit_1')]
    const attempt = given(inReview()).when(decide, ask('approve', { units }), CONTEXT)
    attempt.refused('INVALID_INPUT', { field: 'units.0.num_accepted' })
    expect(() => attempt.result()).toThrow(
      expect.objectContaining({
        faults: ['units.0.num_accepted', 'units.1.unit_id', 'units.2.unit_id'].map((field) => expect.objectContaining({ field })),
      }),
    )
  })

  it.each(ORDER_STATUSES.filter((status) => status !== 'seller_review' && status !== 'negotiating'))('at %s, with any words', (status) => {
    const order = anOrder({ status })
    given(order)
      .when(decide, ask('approve', { units: [accept('unit_9')] }), CONTEXT)
      .refused('INVALID_STATE', { status, last_seq: order.last_seq })
  })

  it('a second time', () => {
    const { after } = decided(ask('reject'))
    given(after).when(decide, ask('approve'), CONTEXT).refused('INVALID_STATE', { status: 'rejected', last_seq: 4 })
  })
})

function onDates(...entries: [number, string][]) {
  return entries.map(([units, date]) => ({ date, units }))
}

function mirrored(): NonNullable<OrderChanges['intake']> {
  return { products: [aProduct({ mirror_product_id: 'prime-west' }), aProduct({ product_id: 'prime-west', network: 'WEST' })] }
}
