import { describe, expect, it } from '@jest/globals'
import type { DecideOrder } from '../../../src/contract/decideOrder.ts'
import { cancel } from '../../../src/domain/order/cancel.ts'
import { decide } from '../../../src/domain/order/decide.ts'
import type { Decision } from '../../../src/domain/order/decision.ts'
import { endedQuotes } from '../../../src/domain/order/endedQuotes.ts'
import { respond } from '../../../src/domain/order/respond.ts'
import type { OrderState } from '../../../src/domain/order/state.ts'
import { aLine, anOrder, CONTEXT, CREATED_AT, counterContext, later } from '../../support/orders/anOrder.ts'
import { given } from '../../support/orders/given.ts'

const counters = (...units: string[]): DecideOrder => ({
  decision: 'counter',
  actor: 'Sam',
  units: units.map((unit_id) => ({ unit_id, action: 'counter', counter: { week: '2026-W50', unit_cost: 90 } })),
})
const counter = (order: OrderState, round: number, ...units: string[]) =>
  given(order)
    .when(decide, counters(...units), counterContext(order, round))
    .result().after
/** Two lines, both countered: their quotes are lr_10 and lr_11. */
const negotiating = () => counter(anOrder({ lines: [aLine(), aLine()], status: 'seller_review' }), 1, 'unit_1', 'unit_2')

const ended = <Outcome>(before: OrderState, rule: (order: OrderState) => Decision<Outcome>) => {
  const { after, events } = given(before).when(rule).result()
  return endedQuotes(before, after, events)
}
const decision = (verdict: 'approve' | 'reject') => (order: OrderState) => decide(order, { decision: verdict, actor: 'Sam' }, CONTEXT)
const answer = (action: 'accept' | 'withdraw') => (order: OrderState) => respond(order, { action }, { ...CONTEXT, asOf: later(order) })
const BOTH = ['lr_10', 'lr_11']
const each = (reason: string, ids = BOTH) => ids.map((locked_rate_id) => ({ locked_rate_id, reason }))

describe('the quote of a counter', () => {
  it('ends when another counter replaces it, and no other quote does', () => {
    const recounter = (order: OrderState) => decide(order, counters('unit_1'), counterContext(order, 2))
    expect(ended(negotiating(), recounter)).toEqual(each('replaced', ['lr_10']))
  })
  it.each([
    ['the seller approves the asks', decision('approve'), 'rejected'],
    ['the seller rejects the order', decision('reject'), 'rejected'],
    ['the buyer withdraws', answer('withdraw'), 'withdrawn'],
    ['the buyer cancels', (order: OrderState) => cancel(order, {}, CREATED_AT), 'withdrawn'],
  ] as [string, (order: OrderState) => Decision<unknown>, string][])('ends when %s', (_, rule, reason) =>
    expect(ended(negotiating(), rule)).toEqual(each(reason)),
  )
  it('remains a price when it is accepted, until its order is canceled', () => {
    expect(ended(negotiating(), answer('accept'))).toEqual([])
    const { after } = given(negotiating()).when(answer('accept')).result()
    expect(ended(after, (order) => cancel(order, {}, CREATED_AT))).toEqual(each('canceled'))
  })
})

describe('an order without quotes', () => {
  it('ends none', () => {
    expect(ended(anOrder({ status: 'placed' }), (order) => cancel(order, {}, CREATED_AT))).toEqual([])
    expect(ended(anOrder({ status: 'seller_review' }), decision('reject'))).toEqual([])
  })
})
