import { describe, expect, it } from '@jest/globals'
import { SIDES, type Side } from '../../../src/contract/vocabulary/access.ts'
import { ORDER_STATUSES, type OrderAction, type OrderStatus, type Workflow } from '../../../src/contract/vocabulary.ts'
import { allowedActions, isTerminal, isTransition, nextStatus, type Trigger } from '../../../src/domain/order/transitions.ts'
import { refusalOf } from '../../support/refusalOf.ts'

/** The state table of the choices, row by row. */
const TABLE: readonly (readonly [OrderStatus, Trigger, OrderStatus])[] = [
  ['submitted', 'begin', 'validating'],
  ['validating', 'pass', 'seller_review'],
  ['validating', 'fail', 'failed'],
  ['validating', 'parse', 'needs_confirmation'],
  ['validating', 'plan', 'needs_confirmation'],
  ['needs_confirmation', 'plan', 'needs_confirmation'],
  ['needs_confirmation', 'confirm_document', 'confirmed'],
  ['needs_confirmation', 'confirm_proposal', 'seller_review'],
  ['needs_confirmation', 'refuse', 'canceled'],
  ['confirmed', 'review', 'seller_review'],
  ['seller_review', 'approve', 'placed'],
  ['seller_review', 'counter', 'negotiating'],
  ['seller_review', 'reject', 'rejected'],
  ['negotiating', 'reject', 'rejected'],
  ['negotiating', 'counter', 'negotiating'],
  ['negotiating', 'approve', 'placed'],
  ['negotiating', 'accept', 'placed'],
  ['negotiating', 'withdraw', 'canceled'],
  ['negotiating', 'lapse', 'negotiating'],
  ['submitted', 'cancel', 'canceled'],
  ['validating', 'cancel', 'canceled'],
  ['needs_confirmation', 'cancel', 'canceled'],
  ['confirmed', 'cancel', 'canceled'],
  ['seller_review', 'cancel', 'canceled'],
  ['negotiating', 'cancel', 'canceled'],
  ['placed', 'cancel', 'canceled'],
]
const TRIGGERS = [...new Set(TABLE.map(([, trigger]) => trigger))]
const REFUSED = ORDER_STATUSES.flatMap((status) => TRIGGERS.map((trigger) => [status, trigger] as const)).filter(
  ([status, trigger]) => !TABLE.some(([from, by]) => from === status && by === trigger),
)

describe('the state table', () => {
  it.each(TABLE)('%s, %s: %s', (status, trigger, next) => expect(nextStatus({ status, last_seq: 3 }, trigger)).toBe(next))

  it.each(REFUSED)('%s, %s: INVALID_STATE with the authoritative status and last_seq', (status, trigger) => {
    expect(refusalOf(() => nextStatus({ status, last_seq: 7 }, trigger))).toMatchObject({
      code: 'INVALID_STATE',
      details: { status, last_seq: 7 },
    })
  })

  it('allows no other step', () => {
    const steps = ORDER_STATUSES.flatMap((from) => ORDER_STATUSES.filter((to) => isTransition(from, to)).map((to) => `${from} ${to}`))
    expect(steps.sort()).toEqual([...new Set(TABLE.map(([from, , to]) => `${from} ${to}`))].sort())
  })

  it('ends in four statuses', () => expect(ORDER_STATUSES.filter(isTerminal)).toEqual(['placed', 'canceled', 'rejected', 'failed']))
})

describe('allowed actions', () => {
  const ofStatus = (workflow: Workflow, side: Side) =>
    Object.fromEntries(ORDER_STATUSES.map((status) => [status, allowedActions({ status, workflow, isLapsed: false }, side)]))
  const none = Object.fromEntries(ORDER_STATUSES.map((status) => [status, [] as OrderAction[]]))
  const cancelable = { submitted: ['cancel'], validating: ['cancel'], confirmed: ['cancel'], seller_review: ['cancel'], placed: ['cancel'] }
  const deciding = { seller_review: ['decide'], negotiating: ['decide'] }

  it('of a catalog order', () => {
    const buyer = { ...none, ...cancelable, needs_confirmation: ['cancel'], negotiating: ['respond', 'cancel'] }
    expect(ofStatus('catalog', 'buyer')).toEqual(buyer)
    expect(ofStatus('catalog', 'seller')).toEqual({ ...none, ...deciding })
  })

  it('of a document order: the buyer confirms', () => {
    const buyer = { ...none, ...cancelable, needs_confirmation: ['confirm', 'cancel'], negotiating: ['respond', 'cancel'] }
    expect(ofStatus('document', 'buyer')).toEqual(buyer)
    expect(ofStatus('document', 'seller')).toEqual({ ...none, ...deciding })
  })

  it('of a proposal: the seller plans, the buyer confirms', () => {
    const buyer = { ...none, ...cancelable, needs_confirmation: ['confirm', 'cancel'], negotiating: ['respond', 'cancel'] }
    expect(ofStatus('proposal', 'buyer')).toEqual(buyer)
    expect(ofStatus('proposal', 'seller')).toEqual({ ...none, ...deciding, validating: ['plan'], needs_confirmation: ['plan'] })
  })

  it('of a negotiation whose quotes have lapsed: the buyer can only withdraw', () => {
    const lapsed = { status: 'negotiating', workflow: 'catalog', isLapsed: true } as const
    expect(allowedActions(lapsed, 'buyer')).toEqual(['withdraw', 'cancel'])
    expect(allowedActions(lapsed, 'seller')).toEqual(['decide'])
  })

  it.each(SIDES)('are never offered to the %s once an order has ended', (side) => {
    for (const status of ['canceled', 'rejected', 'failed'] as const)
      expect(allowedActions({ status, workflow: 'proposal', isLapsed: false }, side)).toEqual([])
  })
})
