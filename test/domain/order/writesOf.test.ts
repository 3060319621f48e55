import { describe, expect, it } from '@jest/globals'
import type { DecideOrder } from '../../../src/contract/decideOrder.ts'
import { addMinutes } from '../../../src/domain/calendar.ts'
import { decide } from '../../../src/domain/order/decide.ts'
import { decided } from '../../../src/domain/order/decision.ts'
import type { DatedMember } from '../../../src/domain/order/family.ts'
import type { OrderState } from '../../../src/domain/order/state.ts'
import { type Decided, isOneStatement, writesOf } from '../../../src/domain/order/writesOf.ts'
import { aLine, anAgreement, anOrder, CONTEXT, counterContext, later, type OrderChanges } from '../../support/orders/anOrder.ts'
import { aPlanDraft, aProposal } from '../../support/orders/aProposal.ts'

const of = (order: OrderState): Decided => ({ order, characters: 0, approval: 'console' })
const approve: DecideOrder = { decision: 'approve', actor: 'Sam' }
const counterAt = (unit_cost: number): DecideOrder => ({
  decision: 'counter',
  actor: 'Sam',
  units: [{ unit_id: 'unit_1', action: 'counter', counter: { week: '2026-W50', unit_cost } }],
})
const cleared = (more: OrderChanges = {}) =>
  anOrder({
    ...{ status: 'seller_review', lines: [aLine()], agreement_id: 'agr_one' },
    intake: { agreements: [anAgreement({ settlement_mode: 'cleared' })] },
    ...more,
  })
const counter = (order: OrderState, unit_cost: number) =>
  writesOf(of(order), decide(order, counterAt(unit_cost), counterContext(order)), later(order))

describe('what a decision writes', () => {
  it('is its events and its outcome, in one statement', () => {
    const order = cleared()
    const writes = writesOf(of(order), decide(order, approve, CONTEXT), later(order))
    expect(writes).toMatchObject({
      events: [{ seq: 4, status: 'placed' }],
      after: { status: 'placed', last_seq: 4 },
      outcome: { status: 'placed', last_seq: 4 },
      ...{ quotes: [], ended: [], draw: undefined, minted: [], plan: undefined, rule: undefined, ends: [] },
    })
    expect(isOneStatement(writes)).toBe(true)
  })

  it('includes the quotes of a counter, and those that it replaces, still in one statement', () => {
    const order = cleared()
    const first = counter(order, 90)
    expect(first).toMatchObject({ quotes: [{ locked_rate_id: 'lr_10' }], ended: [] })
    const second = writesOf(of(first.after), decide(first.after, counterAt(80), counterContext(first.after, 2)), later(first.after))
    expect(second).toMatchObject({
      quotes: [{ locked_rate_id: 'lr_20' }],
      ended: [{ locked_rate_id: 'lr_10', reason: 'replaced' }],
    })
    expect([first, second].map(isOneStatement)).toEqual([true, true])
  })

  it('includes what it draws on the credit of a cleared agreement beyond what the order drew', () => {
    expect(counter(cleared(), 90).draw).toBeUndefined()
    const writes = counter(cleared(), 150)
    const figures = writes.draw && [writes.draw.agreement_id, writes.draw.gross.toFixed(), writes.draw.own.toFixed()]
    expect(figures).toEqual(['agr_one', '900', '600'])
    expect(isOneStatement(writes)).toBe(false)
    expect(counter(cleared({ intake: { agreements: [anAgreement()] } }), 150).draw).toBeUndefined()
  })

  it('includes the plan that answers avails requests, the products minted for it, and the rule that decided', () => {
    const proposal = aProposal()
    const planned = writesOf(
      of(proposal),
      decided([aPlanDraft('plan_one')], () => ({})),
      later(proposal),
    )
    expect(planned).toMatchObject({ plan: { plan_id: 'plan_one' } })
    const review = cleared()
    const ruled = writesOf(of(review), { ...decide(review, approve, CONTEXT), rule: { id: 'all', then: 'approve' } }, later(review))
    expect(ruled.rule).toEqual({ id: 'all', then: 'approve' })
    expect([planned, ruled].map(isOneStatement)).toEqual([false, false])
  })

  it('names the next gate when the order reaches its seller', () => {
    const order = anOrder({ status: 'validating' })
    const review = decided([{ status: 'seller_review' }], () => ({}))
    expect(writesOf({ ...of(order), approval: 'rules' }, review, later(order)).gate_due).toBe('rules')
    expect(writesOf({ ...of(order), approval: 'pull' }, review, later(order)).after.substatus).toBe('awaiting_remote_decision')
  })
})

describe('what a placement in a family writes', () => {
  const first = cleared({ status: 'placed', birth: { order_id: 'ord_1' } })
  const second = cleared({ birth: { order_id: 'ord_2' } })
  const placed_at = first.updated_at
  const members: DatedMember[] = [
    { order_id: 'ord_1', supersedes: null, status: 'placed', placed_at, canceled_at: null },
    { order_id: 'ord_2', supersedes: 'ord_1', status: 'seller_review', placed_at: null, canceled_at: null },
  ]
  const place = (member: OrderState, now: string) =>
    writesOf(of(second), decide(second, approve, CONTEXT), now, { members, placed: [{ member: of(member), is_ancestor: true }] })

  it('ends the order that was placed before, at the moment of the placement', () => {
    const writes = place(first, later(first, 60))
    const { occurred_at } = writes.events[0] ?? {}
    expect(writes.ends).toMatchObject([
      {
        by: { order_id: 'ord_2', placed_at: occurred_at },
        writes: { events: [{ order_id: 'ord_1', status: 'canceled', occurred_at, cancellation: { reason: 'superseded' } }], ends: [] },
      },
    ])
    expect(isOneStatement(writes)).toBe(false)
  })

  it('is stamped after the placement before it, whatever the clock says', () => {
    const writes = place(first, addMinutes(placed_at ?? '', -600))
    expect(writes.events[0]?.occurred_at.localeCompare(placed_at ?? '')).toBe(1)
  })

  it('leaves an order alone that has ended meanwhile', () => {
    expect(place(cleared({ status: 'canceled', birth: { order_id: 'ord_1' } }), later(first, 60)).ends).toEqual([])
  })
})
