import { beforeAll, describe, expect, it } from '@jest/globals'
import { decided } from '../../../src/domain/order/decision.ts'
import { applyCommand } from '../../../src/operations/orders/applyCommand.ts'
import { aPlanDraft } from '../../support/orders/aProposal.ts'
import { decideOrder } from '../../support/orders/decisions.ts'
import { type Proposals, proposalsOf } from '../../support/orders/proposals.ts'
import { command, rowCounts, seqOf } from '../../support/orders/storedOrders.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
let proposals: Proposals
beforeAll(async () => {
  proposals = await proposalsOf(market)
})

const send = (orderId: string, body: object) => market.acme.post(`/orders/${orderId}/confirm`, body)
const yes = (more: object = {}) => ({ action: 'confirm', actor: 'Bea Buyer', ...more })
const no = (more: object = {}) => ({ action: 'reject', actor: 'Bea Buyer', reason: 'too expensive', ...more })
const planned = async (more?: Record<string, unknown>) => {
  const orderId = await proposals.asked()
  return { orderId, ...(await proposals.planned(orderId, more)) }
}

describe('POST /orders/{id}/confirm: 202', () => {
  it("books the plan in place: one order, whose lines are the plan's, at the seller", async () => {
    const { orderId, plan_id } = await planned({ line_items: [proposals.line(), proposals.quoted()] })
    const { status, body } = await send(orderId, yes({ plan_id }))
    expect([status, body]).toEqual([202, { order_id: orderId, status: 'seller_review', last_seq: 4, booked_orders: [orderId] }])
    const snapshot = await market.snapshot(orderId)
    expect(snapshot).toMatchObject({
      status: 'seller_review',
      totals: { gross: 16_107, currency: 'USD' },
      waiting_on: { party: 'seller', overdue: false },
      allowed_actions: ['cancel'],
      line_items: [
        { units: 10, status: 'pending' },
        { units: 4, status: 'pending' },
      ],
    })
    expect((await market.cable.get(`/me/orders/${orderId}`)).body.allowed_actions).toEqual(['decide'])
    const event = (await market.events(orderId)).at(-1)
    const decision_record = { gate: 'api', actor: 'Bea Buyer', decision: 'confirm' }
    expect(event).toMatchObject({
      status: 'seller_review',
      prior_status: 'needs_confirmation',
      decision_record,
      units: snapshot.line_items,
    })
    await decideOrder(market, orderId, { decision: 'approve' })
    expect(await market.snapshot(orderId)).toMatchObject({ status: 'placed', totals: { gross: 16_107 } })
  })

  it('cancels the order when it is rejected, and gives the seller the reason', async () => {
    const { orderId } = await planned()
    expect((await send(orderId, no())).body).toEqual({ order_id: orderId, status: 'canceled', last_seq: 4, booked_orders: [] })
    const { body } = await market.cable.get(`/me/orders/${orderId}`)
    expect(body).toMatchObject({ status: 'canceled', cancellation: { reason: 'too expensive', actor: 'Bea Buyer' } })
    expect((await market.cable.get(`/events?order=${orderId}`)).body.events.at(-1).decision_record).toMatchObject({
      decision: 'reject',
      reason: 'too expensive',
    })
  })

  it.each([
    ['confirm', yes()],
    ['reject', no()],
  ])('answers an exact repeat of a %s with the stored outcome, in any later state of the order', async (_, body) => {
    const { orderId } = await planned()
    const first = await send(orderId, body)
    const before = await rowCounts(market.deps.db)
    expect((await send(orderId, body)).body).toEqual(first.body)
    expect(await rowCounts(market.deps.db)).toEqual(before)
    await market.acme.post(`/orders/${orderId}/cancel`, {})
    const { last_seq } = await market.snapshot(orderId)
    expect((await send(orderId, body)).body).toEqual(first.body)
    expect((await market.snapshot(orderId)).last_seq).toBe(last_seq)
  })

  it('happens once when twenty ask at the same time', async () => {
    const { orderId, plan_id, last_seq } = await planned()
    const asks = Array.from({ length: 20 }, (_, index) => send(orderId, index % 2 === 0 ? yes({ plan_id }) : no()))
    const replies = await Promise.all(asks)
    const statuses = new Set(replies.filter(({ status }) => status === 202).map(({ body }) => body.status))
    expect(statuses.size).toBe(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(10)
    expect((await market.snapshot(orderId)).last_seq).toBe(last_seq + 1)
  })
})

describe('POST /orders/{id}/confirm: 404', () => {
  it("is the same for an unknown order and another buyer's", async () => {
    const { orderId } = await planned()
    const foreign = await market.zenith.post(`/orders/${orderId}/confirm`, yes())
    const unknown = await market.zenith.post('/orders/ord_none/confirm', yes())
    expect([foreign.status, foreign.body]).toEqual([404, unknown.body])
  })
})

describe('POST /orders/{id}/confirm: 409', () => {
  it('is INVALID_STATE with status and last_seq for an order that does not wait for its buyer', async () => {
    for (const orderId of [await proposals.asked(), await market.created(), await market.parked(), await market.placed()]) {
      const { status: at, last_seq } = await market.snapshot(orderId)
      const { status, body } = await send(orderId, no({ reason: undefined }))
      expect([status, body.error_code, body.details]).toMatchObject([409, 'INVALID_STATE', { status: at, last_seq }])
    }
  })

  it('is CONFLICT for a plan that is not current, and names the current one', async () => {
    const { orderId, plan_id } = await planned()
    for (const ask of [yes, no]) {
      const { status, body } = await send(orderId, ask({ plan_id: 'plan_other' }))
      expect([status, body.error_code, body.details]).toEqual([409, 'CONFLICT', { plan_id }])
    }
  })

  it('is STALE_RATE_CARD for a plan that has expired, whose order then waits for a new one', async () => {
    const [orderId, plan_id, expires_at] = [await proposals.asked(), 'plan_old', '2026-01-05T09:00:00.000Z']
    const old = () => decided([aPlanDraft(plan_id, undefined, { expires_at })], seqOf)
    const { last_seq } = await applyCommand(market.deps.orders, orderId, command(), old)
    const { status, body } = await send(orderId, yes())
    expect([status, body.error_code, body.details]).toMatchObject([409, 'STALE_RATE_CARD', { plan_id, expires_at }])
    const waiting_on = { party: 'seller', since: expires_at, overdue: false }
    expect(await market.snapshot(orderId)).toMatchObject({ status: 'needs_confirmation', last_seq, waiting_on })
    const again = await proposals.planned(orderId)
    expect(await market.snapshot(orderId)).toMatchObject({ waiting_on: { party: 'buyer' }, artifacts: [{ plan_id: again.plan_id }] })
    expect((await send(orderId, yes())).status).toBe(202)
  })
})

describe('POST /orders/{id}/confirm: 422', () => {
  it.each([
    ['a reject without a reason', { action: 'reject', actor: 'Bea' }, { missing: ['reason'] }],
    ['a reject with an empty reason', { action: 'reject', actor: 'Bea', reason: '' }, { missing: ['reason'] }],
    ['no actor', { action: 'confirm' }, { missing: ['actor'] }],
    ['no action', { actor: 'Bea' }, { missing: ['action'] }],
    ['another action', { action: 'approve', actor: 'Bea' }, { field: 'action' }],
  ])('refuses %s, and changes nothing', async (_, body, details) => {
    const { orderId, last_seq } = await planned()
    const reply = await send(orderId, body)
    expect([reply.status, reply.body.error_code, reply.body.details]).toMatchObject([422, 'INVALID_INPUT', details])
    expect((await market.snapshot(orderId)).last_seq).toBe(last_seq)
  })
})
