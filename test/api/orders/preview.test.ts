import { describe, expect, it } from '@jest/globals'
import { CSV, uploaded } from '../../support/files/uploads.ts'
import type { Market, Snapshot } from '../../support/market.ts'
import { counterOrder, decideOrder } from '../../support/orders/decisions.ts'
import { parsedOrder, sheetOf, takesDocuments } from '../../support/orders/documentOrders.ts'
import { proposalsOf } from '../../support/orders/proposals.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

describe('POST /orders?dry_run=true: 200', () => {
  it('returns what a create would make, with totals and allocation, and writes nothing', async () => {
    const order = market.order({ line_items: [market.line({ units: 10, include_mirror: true })] })
    const { status, body } = await market.acme.post('/orders?dry_run=true', order)
    expect(status).toBe(200)
    expect(body).toMatchObject({ valid: true, totals: { currency: 'USD' } })
    expect(body.line_items[0]).toMatchObject({ status: 'pending', num_accepted: 0, units: 10 })
    expect(body.line_items[0].allocation.map(({ units }: { units: number }) => units)).toEqual([4, 3, 3])
    expect(body.line_items[0].mirror).toMatchObject({ product_id: 'prime-west', allocation: body.line_items[0].allocation })
    expect((await market.acme.get(`/orders?external_order_id=${order.external_order_id}`)).body.orders).toEqual([])
    const created = await market.acme.post('/orders', order)
    expect(created.status).toBe(201)
    expect((await market.snapshot(created.body.order_id)).totals).toEqual(body.totals)
  })

  it('is the same for the bytes of an order that exists, of which a create would be a repeat', async () => {
    const order = market.order()
    await market.acme.post('/orders', order)
    const { status, headers, body } = await market.acme.post('/orders?dry_run=true', order)
    expect([status, body.valid]).toEqual([200, true])
    expect(headers['x-idempotent-replay']).toBeUndefined()
  })
})

describe('a preview under an external_order_id that another order has: 409', () => {
  it.each(['/orders?dry_run=true', '/orders/preview'])('%s is what the create answers, also if it has other faults', async (path) => {
    const order = market.order()
    const { body: created } = await market.acme.post('/orders', order)
    for (const more of [{ issued_at: '2030-01-01T00:00:00Z' }, { rate_version: 'nowhere' }]) {
      const preview = await market.acme.post(path, { ...order, ...more })
      expect([preview.status, preview.body.error_code]).toEqual([409, 'CONFLICT'])
      expect(preview.body.details).toMatchObject({ field: 'external_order_id', order_id: created.order_id })
      expect(preview.body).toEqual((await market.acme.post('/orders', { ...order, ...more })).body)
      expect((await market.zenith.post(path, { ...order, ...more })).status).not.toBe(409)
    }
  })
})

describe('POST /orders?dry_run=true: 200, of an order without lines', () => {
  it('is valid where a create would accept it, pins nothing and writes nothing', async () => {
    await takesDocuments(market)
    const upload_id = await uploaded(market, market.acme, CSV, 'csv')
    const { line_items: _, ...order } = market.order()
    const before = await written()
    for (const asked of [{ document: { upload_id, format: 'csv' } }, { request: { request_type: 'open', brief: 'Any' } }]) {
      const { status, body } = await market.acme.post('/orders?dry_run=true', { ...order, ...asked })
      expect([status, body]).toEqual([200, { valid: true, totals: { gross: 0, currency: 'USD' }, line_items: [] }])
    }
    const wrong = { ...order, document: { upload_id: 'upl_none', format: 'pdf' }, rate_version: 'nowhere' }
    const dry = await market.acme.post('/orders?dry_run=true', wrong)
    expect(dry.body).toEqual((await market.acme.post('/orders', wrong)).body)
    expect(dry.body.details.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/rate_version', '/document/upload_id'])
    expect(await written()).toEqual(before)
  })

  it('warns as a create does, and uses no hold that a line cites', async () => {
    await market.cable.put('/me/capabilities', { holds: true })
    const line = market.line({ period: { grain: 'day', start: '2030-06-06' } })
    const { product_id, period, units, spot_length } = line
    const hold = { seller: 'cable', lines: [{ product_id, period, units, spot_length }], ttl_minutes: 5 }
    const { hold_id } = (await market.acme.post('/holds', hold)).body
    const before = await written()
    const order = market.order({ line_items: [{ ...line, hold_id }] })
    const { warnings } = (await market.acme.post('/orders?dry_run=true', order)).body
    expect(warnings).toEqual([{ code: 'DATE_GRAIN_AVAILS_MISSING', product_id: 'prime', dates: ['2030-06-06'] }])
    expect(await written()).toEqual(before)
    expect((await market.acme.post('/orders', order)).body.warnings).toEqual(warnings)
  })
})

/** The number of rows in every table that a create writes. */
async function written(): Promise<Record<string, unknown> | undefined> {
  const { rows } =
    await market.deps.db.pool.query(`select (select count(*) from orders) as orders, (select count(*) from order_events) as events,
    (select count(*) from feed) as feed, (select count(*) from outbox) as outbox, (select count(*) from deliveries) as deliveries,
    (select count(*) from order_uploads) as attached, (select count(*) from uploads where pinned) as pinned,
    (select count(*) from holds where status = 'used') as used`)
  return rows[0]
}

describe('POST /orders/preview: 200', () => {
  it('is what a dry run answers', async () => {
    const order = market.order({ line_items: [market.line({ units: 7 })] })
    const [preview, dry] = [await market.acme.post('/orders/preview', order), await market.acme.post('/orders?dry_run=true', order)]
    expect([preview.status, dry.status]).toEqual([200, 200])
    // Each has ids of its own for the lines.
    const { line_items: _, ...answer } = preview.body
    const { line_items: __, ...same } = dry.body
    expect(answer).toEqual(same)
  })
})

describe('POST /orders/preview: 422', () => {
  it('is what a dry run answers', async () => {
    const wrong = market.order({ seller: 'nobody' })
    const [preview, dry] = [await market.acme.post('/orders/preview', wrong), await market.acme.post('/orders?dry_run=true', wrong)]
    expect([preview.status, preview.body.details.field]).toEqual([422, 'seller'])
    expect(preview.body).toEqual(dry.body)
  })
})

describe('POST /orders?dry_run=true: 422', () => {
  it('is the error that a create would return', async () => {
    const wrong = market.order({ rate_version: 'nowhere', line_items: [market.line({ product_id: 'nothing' })] })
    const dry = await market.acme.post('/orders?dry_run=true', wrong)
    const real = await market.acme.post('/orders', wrong)
    expect(dry.status).toBe(422)
    expect(dry.body).toEqual(real.body)
  })
  it('refuses any other value of dry_run', async () => {
    expect((await market.acme.post('/orders?dry_run=yes', market.order())).body.details.field).toBe('dry_run')
  })
})

describe('GET /orders/{id}?at_seq=: 200', () => {
  it('is the snapshot after each event, to both sides', async () => {
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

describe('GET /orders/{id}?at_seq=: 200, for each workflow', () => {
  const confirm = (orderId: string) => market.acme.post(`/orders/${orderId}/confirm`, { action: 'confirm', actor: 'Dana' })

  async function* negotiated() {
    const orderId = await market.parked()
    yield orderId
    await counterOrder(market, orderId, { unit_cost: 900 })
    yield orderId
    await market.acme.post(`/orders/${orderId}/respond`, { action: 'accept' })
    yield orderId
    await market.acme.post(`/orders/${orderId}/cancel`, {})
    yield orderId
  }
  async function* planned() {
    const proposals = await proposalsOf(market)
    const orderId = await proposals.asked()
    yield orderId
    await proposals.planned(orderId)
    yield orderId
    await proposals.planned(orderId, { line_items: [proposals.quoted()] })
    yield orderId
    await confirm(orderId)
    yield orderId
    await decideOrder(market, orderId, { decision: 'approve' })
    yield orderId
  }
  async function* read() {
    await takesDocuments(market)
    const orderId = await parsedOrder(market, sheetOf({}, { Week: '2030-W24' }))
    yield orderId
    await confirm(orderId)
    yield orderId
    await market.validate(orderId)
    yield orderId
    await decideOrder(market, orderId, { decision: 'reject', reason: 'sold out' })
    yield orderId
  }

  it.each([
    ['negotiated', negotiated, 'canceled'],
    ['a proposal', planned, 'placed'],
    ['a document', read, 'rejected'],
  ] as const)('is what a read returned at the time: %s', async (_, steps, end) => {
    const seen = new Map<number, Snapshot>()
    let last: Snapshot | undefined
    for await (const orderId of steps()) {
      last = await market.snapshot(orderId)
      seen.set(last.last_seq, last)
    }
    expect(last?.status).toBe(end)
    expect(seen.size).toBeGreaterThanOrEqual(4)
    for (const [seq, then] of seen) {
      const past = { ...then, allowed_actions: [], waiting_on: null }
      expect((await market.acme.get(`/orders/${then.order_id}?at_seq=${seq}`)).body).toEqual(past)
      expect((await market.cable.get(`/me/orders/${then.order_id}?at_seq=${seq}`)).body).toEqual(past)
    }
  })
})

describe('GET /orders/{id}?at_seq=: 404', () => {
  it("is the same for another buyer's order and an unknown one", async () => {
    const foreign = await market.zenith.get(`/orders/${await market.created()}?at_seq=1`)
    const unknown = await market.zenith.get('/orders/ord_none?at_seq=1')
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
  })
})

describe('GET /orders/{id}?at_seq=: 422', () => {
  it.each(['0', '2', 'x'])('is the answer to %s for an order at 1', async (seq) => {
    const { status, body } = await market.acme.get(`/orders/${await market.created()}?at_seq=${seq}`)
    expect([status, body.details.field]).toEqual([422, 'at_seq'])
  })
})
