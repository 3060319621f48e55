import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Market, startMarket } from '../../support/market.ts'

let market: Market
beforeAll(async () => {
  market = await startMarket()
})
afterAll(() => market.stop())

describe('POST /orders?dry_run=true: 200', () => {
  it('answers what a create would give, with totals and allocation, and writes nothing', async () => {
    const order = market.order({ line_items: [market.line({ units: 10 })] })
    const { status, body } = await market.acme.post('/orders?dry_run=true', order)
    expect(status).toBe(200)
    expect(body).toMatchObject({ valid: true, totals: { currency: 'USD' } })
    expect(body.line_items[0]).toMatchObject({ status: 'pending', num_accepted: 0, units: 10 })
    expect(body.line_items[0].allocation.map(({ units }: { units: number }) => units)).toEqual([4, 3, 3])
    expect((await market.acme.get(`/orders?external_order_id=${order.external_order_id}`)).body.orders).toEqual([])
    const created = await market.acme.post('/orders', order)
    expect(created.status).toBe(201)
    expect((await market.snapshot(created.body.order_id)).totals).toEqual(body.totals)
  })

  it('has no idempotency: a used external_order_id is no conflict', async () => {
    const order = market.order()
    await market.acme.post('/orders', order)
    const { status, headers } = await market.acme.post('/orders?dry_run=true', { ...order, issued_at: '2030-01-01T00:00:00Z' })
    expect(status).toBe(200)
    expect(headers['x-idempotent-replay']).toBeUndefined()
  })
})

describe('POST /orders?dry_run=true: 422', () => {
  it('is the error that a create would give', async () => {
    const wrong = market.order({ rate_version: 'nowhere', line_items: [market.line({ product_id: 'nothing' })] })
    const dry = await market.acme.post('/orders?dry_run=true', wrong)
    const real = await market.acme.post('/orders', wrong)
    expect(dry.status).toBe(422)
    expect(dry.body).toEqual(real.body)
  })
  it('refuses another word', async () => {
    expect((await market.acme.post('/orders?dry_run=yes', market.order())).body.details.field).toBe('dry_run')
  })
})

describe('GET /orders/{id}?at_seq=: 200', () => {
  it('is the snapshot as it stood after each event, to both sides', async () => {
    const orderId = await market.placed()
    const statuses = async (read: Market['acme'], path: string) => {
      const found: unknown[] = []
      for (const seq of [1, 2, 3, 4]) {
        const { status, body } = await read.get(`${path}/${orderId}?at_seq=${seq}`)
        expect(status).toBe(200)
        expect(body).toMatchObject({ last_seq: seq, allowed_actions: [], waiting_on: null })
        found.push(body.status)
      }
      return found
    }
    expect(await statuses(market.acme, '/orders')).toEqual(['submitted', 'validating', 'seller_review', 'placed'])
    expect(await statuses(market.cable, '/me/orders')).toEqual(['submitted', 'validating', 'seller_review', 'placed'])
    const { body: last } = await market.acme.get(`/orders/${orderId}?at_seq=4`)
    const { body: now } = await market.acme.get(`/orders/${orderId}`)
    expect({ ...last, allowed_actions: now.allowed_actions }).toEqual(now)
  })
})

describe('GET /orders/{id}?at_seq=: 404, 422', () => {
  it('is the same 404 to a stranger, and names a seq that is none', async () => {
    const orderId = await market.created()
    expect((await market.zenith.get(`/orders/${orderId}?at_seq=1`)).status).toBe(404)
    for (const seq of ['0', '2', 'x']) {
      const { status, body } = await market.acme.get(`/orders/${orderId}?at_seq=${seq}`)
      expect([status, body.details.field]).toEqual([422, 'at_seq'])
    }
  })
})
