import { describe, expect, it } from '@jest/globals'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

/** Set it to 200 when there is time. */
const DUPLICATED_KEYS = Number(process.env.DUPLICATED_KEYS ?? 10)

const REPLAY = 'x-idempotent-replay'
const rows = async (text: string, values: unknown[]) => (await market.deps.db.pool.query(text, values)).rows
const ordersOf = (external: string) => rows('select order_id from orders where external_order_id = $1', [external])
const day = (start: string, units = 1) => market.line({ period: { grain: 'day', start }, units })

describe('POST /orders: 201', () => {
  it('answers with the members of the create response and no others', async () => {
    const order = market.order()
    const reply = await market.acme.post('/orders', order)
    expect(reply.status).toBe(201)
    expect(reply.headers[REPLAY]).toBeUndefined()
    expect(reply.body).toEqual({
      order_id: expect.stringMatching(/^ord_[0-9a-z]{26}$/),
      external_order_id: order.external_order_id,
      buyer_entity: 'acme',
      status: 'submitted',
      created_at: expect.any(String),
    })
    expect(Math.abs(Date.parse(reply.body.created_at) - Date.now())).toBeLessThan(60_000)
  })

  it('leaves one order, its first event, a feed row for each side and one row for the relay', async () => {
    const orderId = await market.created()
    expect(await rows('select seq, ordinal from order_events where order_id = $1', [orderId])).toEqual([{ seq: 1, ordinal: 0 }])
    expect(await rows('select tenant, seq from feed where order_id = $1 order by tenant', [orderId])).toEqual([
      { tenant: 'acme', seq: 1 },
      { tenant: 'cable', seq: 1 },
    ])
    expect(await rows('select kind, attempts from outbox where target = $1', [orderId])).toEqual([{ kind: 'order', attempts: 0 }])
  })

  it('warns once per product of day lines on dates without a day-grain avail', async () => {
    const line_items = [day('2030-06-07'), day('2030-06-05'), day('2030-06-06'), day('2030-06-07')]
    const { status, body } = await market.acme.post('/orders', market.order({ line_items }))
    expect(status).toBe(201)
    expect(body.warnings).toEqual([{ code: 'DATE_GRAIN_AVAILS_MISSING', product_id: 'prime', dates: ['2030-06-06', '2030-06-07'] }])
  })

  it('does not warn where a day-grain avail is published', async () => {
    const { body } = await market.acme.post('/orders', market.order({ line_items: [day('2030-06-05')] }))
    expect(body).not.toHaveProperty('warnings')
  })

  it.each([
    ['a workflow', { workflow: 'document' }],
    [
      'members of the platform',
      { order_id: 'ord_mine', status: 'placed', created_at: '2001-01-01T00:00:00Z', last_seq: 9, totals: { gross: 1 } },
    ],
    ['a version', { flight: { start: '2030-06-01', end: '2030-06-30' }, version: 7 }],
    ['the settlement mode that is resolved anyway', { settlement_mode: 'direct' }],
    ["the buyer's own buyer_entity", { buyer_entity: 'acme' }],
    ['keys that name a prototype', JSON.parse('{"__proto__": {"status": "placed"}, "constructor": {"prototype": {"x": 1}}}')],
  ])('ignores %s in the body', async (_, more) => {
    const reply = await market.acme.post('/orders', market.order(more))
    expect(reply.status).toBe(201)
    expect(reply.body).toMatchObject({ buyer_entity: 'acme', status: 'submitted' })
    const snapshot = await market.snapshot(reply.body.order_id)
    expect(snapshot).toMatchObject({ workflow: 'catalog', status: 'submitted', last_seq: 1, revision: { version: 1, supersedes: null } })
    expect(snapshot.order_id).toBe(reply.body.order_id)
  })

  it('ignores any rate_basis but per_second', async () => {
    const orderId = await market.created({ line_items: [market.line({}, { rate_basis: 'cpm' })] })
    expect((await market.snapshot(orderId)).line_items[0]).toMatchObject({ rate: { rate_basis: 'per_unit', unit_cost: 1250.5 } })
  })
})

describe('POST /orders: 201, replayed', () => {
  it('answers the exact bytes of the first reply to the exact bytes of the first request', async () => {
    const text = JSON.stringify(market.order({ line_items: [day('2030-06-07')] }))
    const first = await market.acme.post('/orders', text)
    const second = await market.acme.post('/orders', text)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.headers[REPLAY]).toBe('true')
    expect(second.text).toBe(first.text)
    expect(first.body.warnings).toHaveLength(1)
  })

  it('replays the first reply after the order has moved on', async () => {
    const text = JSON.stringify(market.order())
    const first = await market.acme.post('/orders', text)
    await market.validate(first.body.order_id)
    const second = await market.acme.post('/orders', text)
    expect(second.text).toBe(first.text)
    expect((await market.events(first.body.order_id)).map(({ seq }) => seq)).toEqual([1, 2, 3])
  })

  it('is per buyer: the same id of another buyer is another order', async () => {
    const text = JSON.stringify(market.order())
    const [mine, theirs] = [await market.acme.post('/orders', text), await market.zenith.post('/orders', text)]
    expect(theirs.status).toBe(201)
    expect(theirs.headers[REPLAY]).toBeUndefined()
    expect(theirs.body.order_id).not.toBe(mine.body.order_id)
    expect(theirs.body.buyer_entity).toBe('zenith')
  })

  it.each(Array.from({ length: DUPLICATED_KEYS / 10 }, (_, round) => round * 10))(
    'makes one order per key when fifty duplicates of each arrive at once, for ten keys from key %i on',
    async () => {
      const texts = Array.from({ length: 10 }, () => JSON.stringify(market.order()))
      const replies = await Promise.all(Array.from({ length: 500 }, (_, index) => market.acme.post('/orders', texts[index % 10])))
      for (const [key, text] of texts.entries()) {
        const duplicates = replies.filter((_, index) => index % 10 === key)
        expect(new Set(duplicates.map(({ status }) => status))).toEqual(new Set([201]))
        expect(new Set(duplicates.map((reply) => reply.text)).size).toBe(1)
        expect(duplicates.filter(({ headers }) => headers[REPLAY] === 'true')).toHaveLength(49)
        const [order, ...others] = await ordersOf(JSON.parse(text).external_order_id)
        expect(others).toEqual([])
        expect(order?.order_id).toBe(duplicates[0]?.body.order_id)
        expect(await rows('select seq from order_events where order_id = $1', [order?.order_id])).toEqual([{ seq: 1 }])
        expect(await rows('select kind from outbox where target = $1', [order?.order_id])).toHaveLength(1)
      }
    },
  )
})

describe('POST /orders: 409', () => {
  it.each([
    ['another content', (text: string) => text.replace('"units":10', '"units":11')],
    ['the same content in other bytes', (text: string) => ` ${text}`],
  ])('refuses %s under a used external_order_id, and the order stays', async (_, change) => {
    const order = market.order()
    const text = JSON.stringify(order)
    const { order_id } = (await market.acme.post('/orders', text)).body
    const reply = await market.acme.post('/orders', change(text))
    expect(reply.status).toBe(409)
    expect(reply.headers[REPLAY]).toBeUndefined()
    expect(reply.body).toMatchObject({ error_code: 'CONFLICT', details: { field: 'external_order_id' } })
    expect((await market.snapshot(order_id)).line_items[0]).toMatchObject({ units: 10 })
    expect(await ordersOf(order.external_order_id)).toHaveLength(1)
  })

  it('lets one of several different concurrent bodies win, and refuses the others', async () => {
    const order = market.order()
    const texts = Array.from({ length: 10 }, (_, n) => JSON.stringify({ ...order, line_items: [market.line({ units: n + 1 })] }))
    const replies = await Promise.all(texts.map((text) => market.acme.post('/orders', text)))
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(9)
    const winner = statuses.indexOf(201)
    const { line_items } = await market.snapshot(replies[winner]?.body.order_id)
    expect(line_items[0]?.units).toBe(winner + 1)
  })
})

describe('POST /orders: 403', () => {
  it('creates nothing when buyer_entity names another tenant, and reports that before the rest of the body is checked', async () => {
    const order = market.order({ buyer_entity: 'zenith' })
    const { seller: _, ...broken }: Record<string, unknown> = { ...order, line_items: 'none' }
    for (const body of [order, broken]) {
      const reply = await market.acme.post('/orders', body)
      expect(reply.status).toBe(403)
      expect(reply.body).toMatchObject({ error_code: 'TENANT_MISMATCH', stage: 'authentication' })
    }
    expect(await ordersOf(order.external_order_id)).toEqual([])
  })

  it.each(['', 'ACME', 7, ['acme']])('treats %j as another tenant as well', async (buyer_entity) => {
    expect((await market.acme.post('/orders', market.order({ buyer_entity }))).body.error_code).toBe('TENANT_MISMATCH')
  })
})

describe('POST /orders: a refusal', () => {
  it('stores nothing and frees the key', async () => {
    const order = market.order({ line_items: [market.line({ product_id: 'nothing' })] })
    const before = await rows('select (select count(*) from outbox) as outbox, (select count(*) from feed) as feed', [])
    expect((await market.acme.post('/orders', order)).status).toBe(422)
    expect(await ordersOf(order.external_order_id)).toEqual([])
    expect(await rows('select (select count(*) from outbox) as outbox, (select count(*) from feed) as feed', [])).toEqual(before)
    const reply = await market.acme.post('/orders', { ...order, line_items: [market.line()] })
    expect(reply.status).toBe(201)
    expect(reply.headers[REPLAY]).toBeUndefined()
  })
})
