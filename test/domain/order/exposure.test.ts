import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { DecideOrder } from '../../../src/contract/decideOrder.ts'
import { decide } from '../../../src/domain/order/decide.ts'
import { exposureOf } from '../../../src/domain/order/exposure.ts'
import { respond } from '../../../src/domain/order/respond.ts'
import { totals } from '../../../src/domain/order/snapshot.ts'
import type { OrderState } from '../../../src/domain/order/state.ts'
import { aLine, anOrder, CONTEXT, counterContext, later } from '../../support/orders/anOrder.ts'
import { given } from '../../support/orders/given.ts'

const worth = (order: OrderState) => Number(exposureOf(order).toFixed())
/** Two lines of 600.00 each. */
const parked = () => anOrder({ lines: [aLine(), aLine()], status: 'seller_review' })
const counters = (...costs: number[]): DecideOrder => ({
  decision: 'counter',
  actor: 'Sam',
  units: costs.map((unit_cost, index) => ({
    unit_id: `unit_${index + 1}`,
    action: 'counter',
    counter: { week: '2026-W50', unit_cost },
  })),
})
const countered = (order: OrderState, round: number, ...costs: number[]) =>
  given(order)
    .when(decide, counters(...costs), counterContext(order, round))
    .result().after
const accepted = (order: OrderState) =>
  given(order)
    .when(respond, { action: 'accept' }, { ...CONTEXT, asOf: later(order) })
    .result().after

describe('what an order can total', () => {
  it('is its gross before it is decided, and once it is placed', () => {
    expect(worth(parked())).toBe(1_200)
    const placed = given(parked()).when(decide, { decision: 'approve', actor: 'Sam' }, CONTEXT).result().after
    expect([worth(placed), totals(placed).gross]).toEqual([1_200, 1_200])
  })

  it('counts an ask that was countered at the higher of the two prices', () => {
    expect(worth(countered(parked(), 1, 90))).toBe(1_200)
    expect(worth(countered(parked(), 1, 150))).toBe(1_500)
    expect(worth(countered(parked(), 1, 150, 90))).toBe(1_500)
    expect(worth(countered(countered(parked(), 1, 150), 2, 110))).toBe(1_260)
  })

  it('is never less than what an accept, or the seller’s approval, places', () => {
    const cost = fc.integer({ min: 0, max: 300 })
    fc.assert(
      fc.property(fc.array(fc.tuple(cost, cost), { minLength: 1, maxLength: 4 }), (rounds) => {
        const order = rounds.reduce((so_far, costs, round) => countered(so_far, round + 1, ...costs), parked())
        const approved = given(order).when(decide, { decision: 'approve', actor: 'Sam' }, CONTEXT).result().after
        for (const placed of [accepted(order), approved]) {
          expect(totals(placed).gross).toBeLessThanOrEqual(worth(order))
          expect(worth(placed)).toBe(totals(placed).gross)
        }
      }),
      { numRuns: 100 },
    )
  })
})
