import { describe, expect, it } from '@jest/globals'
import type { Instant } from '../../../src/domain/calendar.ts'
import { cancel } from '../../../src/domain/order/cancel.ts'
import { decide } from '../../../src/domain/order/decide.ts'
import { snapshot } from '../../../src/domain/order/snapshot.ts'
import { evolve } from '../../../src/domain/order/state.ts'
import { anOrder, CONTEXT } from '../../support/orders/anOrder.ts'
import { given } from '../../support/orders/given.ts'

/** In seller_review since 09:01; the seller has half an hour. */
const order = anOrder({ status: 'seller_review', latency: 30 })
const since = order.since
const due_by = new Date(Date.parse(since) + 30 * 60_000).toISOString()
const past = (ms: number): Instant => new Date(Date.parse(since) + ms).toISOString()

describe('the decision latency', () => {
  it.each([
    ['at once', 1, 0, false],
    ['in whole seconds, rounded down', 1_999, 1, false],
    ['when the time is just over, not overdue', 1_800_000, 1_800, false],
    ['a moment later, overdue', 1_800_001, 1_800, true],
  ])('is measured %s', (_, ms, seconds, overdue) => {
    const { events, after: decided } = given(order, past(ms)).when(decide, { decision: 'reject', actor: 'Ada' }, CONTEXT).result()
    const decision_latency = { since, due_by, seconds, overdue }
    expect(events).toMatchObject([{ status: 'rejected', decision_latency }])
    expect(snapshot(decided)).toMatchObject({ decision_latency })
  })

  it('does not exist for a cancel or an undecided order', () => {
    const { events } = given(order, past(1)).when(cancel, {}, past(1)).result()
    expect(events[0]).not.toHaveProperty('decision_latency')
    expect(snapshot(order)).not.toHaveProperty('decision_latency')
  })

  it('stays the same when the order moves on', () => {
    const { events, after: placed } = given(order, past(5_000)).when(decide, { decision: 'approve', actor: 'Ada' }, CONTEXT).result()
    const canceled = given(placed, past(9_000)).when(cancel, {}, past(9_000)).result().events.reduce(evolve, placed)
    expect(snapshot(canceled).decision_latency).toEqual(events[0]?.decision_latency)
  })
})
