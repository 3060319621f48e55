import { describe, expect, it } from '@jest/globals'
import type { OrderEvent } from '../../../src/contract/event.ts'
import { toldCommand } from '../../../src/domain/order/toldCommand.ts'

const event = (more: Partial<OrderEvent>): OrderEvent => ({
  ...{ event_type: 'order.status_changed', order_id: 'ord_1', external_order_id: 'PO-1', seq: 4, status: 'placed' },
  ...{ prior_status: 'seller_review', substatus: null, occurred_at: '2030-06-01T00:00:00.000Z' },
  ...more,
})
const record = (decision: NonNullable<OrderEvent['decision_record']>['decision']) => ({
  decision_record: { gate: 'api' as const, actor: 'Ada', decision, reason: 'secret' },
})
const cancellation = (reason: string) => ({ cancellation: { reason, actor: 'Bea', late_notice: 'not_applicable' as const } })
const plan = { artifact: { name: 'plan_proposal' } as unknown as NonNullable<OrderEvent['artifact']> }

describe('what the run of an order is told of a command', () => {
  it.each<[string, Partial<OrderEvent>[], object]>([
    ['a decision', [record('approve')], { name: 'decided', seq: 4, status: 'placed', gate: 'api' }],
    ['a counter', [{ ...record('counter'), status: 'negotiating' }], { name: 'decided', status: 'negotiating' }],
    ['a confirm', [{ ...record('confirm'), prior_status: 'needs_confirmation' }], { name: 'confirmed', gate: 'api' }],
    [
      'the refusal of a plan',
      [{ ...record('reject'), ...cancellation('dear'), prior_status: 'needs_confirmation' }],
      { name: 'confirmed', gate: 'api' },
    ],
    ['an accept', [{ ...record('accept'), prior_status: 'negotiating' }], { name: 'responded', gate: 'api' }],
    ['a withdrawal', [{ ...cancellation('late'), units: [], prior_status: 'negotiating' }], { name: 'responded', gate: null }],
    ['a cancel', [{ ...cancellation('late'), status: 'canceled' }], { name: 'canceled', status: 'canceled', gate: null }],
    ['the end of a superseded order', [cancellation('superseded')], { name: 'superseded', gate: null }],
    ['a plan', [{ ...plan, status: 'needs_confirmation' }], { name: 'planned', status: 'needs_confirmation', gate: null }],
    [
      'a plan that a band confirms',
      [plan, { ...record('confirm'), seq: 5, status: 'seller_review' }],
      { name: 'planned', seq: 5, status: 'seller_review', gate: 'api' },
    ],
  ])('%s', (_, events, told) => expect(toldCommand(events.map(event))).toMatchObject(told))

  it('is nothing of what the platform does itself', () => {
    expect(toldCommand([event({ prior_status: 'validating', status: 'seller_review' })])).toBeUndefined()
    expect(toldCommand([])).toBeUndefined()
  })

  it('names no actor, reason or price', () => {
    expect(Object.keys(toldCommand([event(record('approve'))]) ?? {}).sort()).toEqual(['gate', 'name', 'seq', 'status'])
  })
})
