import { describe, expect, it } from '@jest/globals'
import { decideOrder } from '../../support/orders/decisions.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

const cancel = (orderId: string, body: unknown = {}, buyer = market.acme) => buyer.post(`/orders/${orderId}/cancel`, body)

describe('POST /orders/{id}/cancel: 202', () => {
  it('has the same cancellation on the reply, the event and the snapshot', async () => {
    const orderId = await market.parked()
    const { status, body } = await cancel(orderId, { actor: 'Bea', reason: 'Budget cut' })
    const cancellation = { reason: 'Budget cut', actor: 'Bea', late_notice: 'not_applicable' }
    expect(status).toBe(202)
    expect(body).toEqual({ order_id: orderId, status: 'canceled', last_seq: 4, cancellation })
    expect((await market.events(orderId)).at(-1)).toMatchObject({ status: 'canceled', prior_status: 'seller_review', seq: 4, cancellation })
    expect(await market.snapshot(orderId)).toMatchObject({ status: 'canceled', last_seq: 4, cancellation, allowed_actions: [] })
    expect((await market.cable.get(`/me/orders/${orderId}`)).body.cancellation).toEqual(cancellation)
  })

  it('treats an empty reason as none', async () => {
    const { status, body } = await cancel(await market.parked(), { reason: '' })
    expect([status, body.cancellation.reason]).toEqual([202, 'buyer_canceled'])
  })

  it('has a reason and an actor when none are sent', async () => {
    const { body } = await cancel(await market.created())
    expect(body).toMatchObject({ last_seq: 2, cancellation: { reason: 'buyer_canceled', actor: 'acme' } })
  })

  it.each([
    ['submitted', () => market.created()],
    ['seller_review', () => market.parked()],
    ['placed', () => market.placed()],
  ])('cancels an order that is %s', async (prior_status, make) => {
    const orderId = await make()
    expect((await cancel(orderId)).status).toBe(202)
    expect((await market.events(orderId)).at(-1)).toMatchObject({ status: 'canceled', prior_status })
  })

  it('treats a missing body as an empty one', async () => {
    const orderId = await market.parked()
    const { acme } = market.tokens.buyers
    const reply = await market.request.post(`/v1/orders/${orderId}/cancel`).auth(acme, { type: 'bearer' })
    expect([reply.status, reply.body.cancellation.reason]).toEqual([202, 'buyer_canceled'])
  })

  it('keeps what was accepted, and the receipt, on a placed order that is canceled', async () => {
    const orderId = await market.placed()
    const { line_items, artifacts, totals } = await market.snapshot(orderId)
    await cancel(orderId)
    expect(await market.snapshot(orderId)).toMatchObject({ status: 'canceled', line_items, artifacts, totals })
  })

  it('happens once: a second cancel with any body returns the first cancellation and appends nothing', async () => {
    const orderId = await market.parked()
    const first = await cancel(orderId, { reason: 'First' })
    const second = await cancel(orderId, { reason: 'Second', actor: 'Someone' })
    expect([second.status, second.text]).toEqual([202, first.text])
    expect(await market.events(orderId)).toHaveLength(4)
  })

  it('happens once when twenty ask at the same time, each with its own reason', async () => {
    const orderId = await market.parked()
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => cancel(orderId, { reason: `r${n}` })))
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(await market.events(orderId)).toHaveLength(4)
  })

  it('takes an as_of in the sandbox, which changes no time of the event', async () => {
    const orderId = await market.parked()
    const { status } = await cancel(orderId, { as_of: '2001-01-01T00:00:00+02:00' })
    expect(status).toBe(202)
    const { occurred_at } = (await market.events(orderId)).at(-1) ?? {}
    expect(Math.abs(Date.parse(String(occurred_at)) - Date.now())).toBeLessThan(60_000)
  })
})

describe('POST /orders/{id}/cancel: 404', () => {
  it("answers another buyer's order like an unknown one, and leaves it unchanged", async () => {
    const orderId = await market.parked()
    const foreign = await cancel(orderId, {}, market.zenith)
    expect([foreign.status, foreign.text]).toEqual([404, (await cancel('ord_x', {}, market.zenith)).text])
    expect((await market.snapshot(orderId)).status).toBe('seller_review')
  })
})

describe('POST /orders/{id}/cancel: 409', () => {
  it('refuses an order that was rejected, with its status and last_seq', async () => {
    const orderId = await market.parked()
    await decideOrder(market, orderId, { decision: 'reject' })
    const reply = await cancel(orderId)
    expect(reply.status).toBe(409)
    expect(reply.body).toMatchObject({ error_code: 'INVALID_STATE', details: { status: 'rejected', last_seq: 4 } })
  })

  it('refuses an order that failed', async () => {
    const orderId = await market.failed()
    expect((await cancel(orderId)).body).toMatchObject({ error_code: 'INVALID_STATE', details: { status: 'failed', last_seq: 3 } })
  })
})

describe('POST /orders/{id}/cancel: 422', () => {
  it.each([
    ['an actor that is not a string', { actor: 7 }, 'actor'],
    ['an as_of that is not a datetime', { as_of: 'yesterday' }, 'as_of'],
    ['an as_of on a date that does not exist', { as_of: '2030-02-30T00:00:00Z' }, 'as_of'],
  ])('refuses %s', async (_, body, field) => {
    const orderId = await market.created()
    const reply = await cancel(orderId, body)
    expect(reply.status).toBe(422)
    expect(reply.body).toMatchObject({ error_code: 'INVALID_INPUT', details: { field } })
    expect((await market.snapshot(orderId)).status).toBe('submitted')
  })
})

describe('POST /orders/{id}/cancel and respond: 422 in production', () => {
  const live = useMarket({ mode: 'production' })

  it('refuses an as_of and works without one', async () => {
    const orderId = await live.created()
    const refused = await live.acme.post(`/orders/${orderId}/cancel`, { as_of: '2030-01-01T00:00:00Z' })
    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject({ error_code: 'INVALID_INPUT', details: { field: 'as_of' } })
    expect((await live.snapshot(orderId)).status).toBe('submitted')
    const answer = await live.acme.post(`/orders/${orderId}/respond`, { action: 'accept', as_of: '2030-01-01T00:00:00Z' })
    expect([answer.status, answer.body.details.field]).toEqual([422, 'as_of'])
    expect((await live.acme.post(`/orders/${orderId}/cancel`, {})).status).toBe(202)
  })
})
