import { describe, expect, it } from '@jest/globals'
import { everyPage } from '../../support/http/everyPage.ts'
import type { Tenant } from '../../support/market.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

type Item = Record<string, unknown> & { order_id: string; status: string }

describe('GET /orders/{id}: 200', () => {
  it('shows a created order as requested, and what the platform derived', async () => {
    const order = market.order({
      issued_at: '2030-01-02T03:04:05+02:00',
      flight: { start: '2030-05-27', end: '2030-06-30' },
      buyer_metadata: { advertiser_id: 'adv-1', estimate_id: 'est-9', buyer_contact: { name: 'Ann', desk: 4, notes: { deep: ['kept'] } } },
      buyer_requests: { min_separation_seconds: 600, scope: 'campaign' },
      line_items: [
        market.line({
          include_mirror: true,
          do_not_air: ['2029-01-01'],
          rc_impressions: { 'A25-54': 12.5 },
          provider: 'mine',
          network: 'mine',
        }),
      ],
    })
    const { order_id, created_at } = (await market.acme.post('/orders', order)).body
    const { line_items, ...snapshot } = await market.snapshot(order_id)
    expect(snapshot).toEqual({
      order_id,
      external_order_id: order.external_order_id,
      seller: 'cable',
      seller_name: 'cable',
      buyer_name: 'acme',
      buyer_entity: 'acme',
      workflow: 'catalog',
      status: 'submitted',
      substatus: null,
      last_seq: 1,
      rate_version: 'june',
      taxonomy_version: 'tax-1',
      buyer_metadata: order.buyer_metadata,
      issued_at: '2030-01-02T03:04:05+02:00',
      flight: order.flight,
      buyer_requests: order.buyer_requests,
      revision: { version: 1, supersedes: null },
      settlement_mode: 'direct',
      cancellation_terms: null,
      created_at,
      updated_at: created_at,
      totals: { gross: 12_505, currency: 'USD' },
      artifacts: [],
      events_url: `/v1/events?order=${order_id}`,
      allowed_actions: ['cancel'],
      waiting_on: { party: 'platform', since: created_at, overdue: false },
    })
    expect(line_items).toEqual([
      {
        unit_id: expect.stringMatching(/^unit_/),
        product_id: 'prime',
        product_title: 'Prime',
        provider: 'cable',
        network: 'CBL',
        period: { grain: 'week', start: '2030-W23' },
        allocation: [],
        spot_length: 30,
        units: 10,
        num_accepted: 0,
        status: 'pending',
        reason: null,
        rate: { ...(market.line().rate as object), rate_basis: 'per_unit' },
        availability: { state: 'available', basis: 'modelled', sellout_level: null },
        posting_policy: { policy: null, source: 'unstated' },
        include_mirror: true,
        mirror: { product_id: 'prime-west', network: 'CBL-W', allocation: [] },
        do_not_air: ['2029-01-01'],
        rc_impressions: { 'A25-54': 12.5 },
      },
    ])
  })

  it('sums guaranteed impressions by audience, and gross half up once per line', async () => {
    const guaranteed = {
      advertiser_class: 'guaranteed',
      buy_type: 'audience_guaranteed',
      cpm: 24.5,
      guaranteed_impressions: 40_000,
      audience_code: 'A25-54',
      locked_rate_id: market.price('prime', '2030-W23', 'guaranteed'),
    }
    const charity = { advertiser_class: 'charity', cpm: 0.67, locked_rate_id: market.price('prime', '2030-W23', 'charity') }
    const line_items = [
      market.line({}, guaranteed),
      market.line({ units: 2 }, guaranteed),
      ...[1, 1].map((units) => market.line({ units }, charity)),
    ]
    const { totals } = await market.snapshot(await market.created({ line_items }))
    // 10 x 980 + 2 x 980, and twice 0.335 (0.67 for 500 of 1,000), each half up to 0.34
    expect(totals).toEqual({ gross: 11_760.68, currency: 'USD', impressions: { 'A25-54': 480_000 } })
  })

  it('names whom a parked order waits for and until when, and shows both sides the same except for their actions', async () => {
    const orderId = await market.parked()
    const mine = await market.snapshot(orderId)
    const { body: theirs } = await market.cable.get(`/me/orders/${orderId}`)
    expect(mine).toMatchObject({ status: 'seller_review', last_seq: 3, allowed_actions: ['cancel'] })
    expect(mine.waiting_on).toEqual({ party: 'seller', since: mine.updated_at, due_by: expect.any(String), overdue: false })
    const { since, due_by } = mine.waiting_on as { since: string; due_by: string }
    expect(Date.parse(due_by) - Date.parse(since)).toBe(1440 * 60_000)
    expect(theirs).toEqual({ ...mine, allowed_actions: ['decide'] })
  })

  it('shows the error of an order that failed', async () => {
    const orderId = await market.failed()
    const snapshot = await market.snapshot(orderId)
    const [{ unit_id } = {}] = snapshot.line_items
    expect(snapshot).toMatchObject({ status: 'failed', allowed_actions: [], waiting_on: null })
    expect(snapshot.error).toMatchObject({ error_code: 'INVENTORY_UNAVAILABLE', stage: 'inventory', details: { unit_ids: [unit_id] } })
    expect((await market.events(orderId)).at(-1)).toMatchObject({ status: 'failed', prior_status: 'validating', error: snapshot.error })
  })
})

describe('GET /orders/{id}: 404', () => {
  it("answers an unknown id, another buyer's and a malformed one with the same bytes, on both sides", async () => {
    const orderId = await market.parked()
    const texts = new Set<string>()
    const unknown = ['ord_00000000000000000000000000', 'x', "'; drop table orders; --", '%E2%98%83', '..%2f..%2fetc', 'a'.repeat(5_000)]
    for (const [reader, ids] of [
      [market.zenith, [orderId, ...unknown]],
      [market.acme, unknown],
    ] as [Tenant, string[]][]) {
      for (const id of ids) {
        const reply = await reader.get(`/orders/${id}`)
        expect(reply.status).toBe(404)
        texts.add(reply.text)
      }
    }
    for (const id of [orderId, ...unknown]) texts.add((await market.station.get(`/me/orders/${id}`)).text)
    expect([...texts]).toEqual([expect.stringContaining('NOT_FOUND')])
  })
})

describe.each([
  ['GET /orders', '/orders', () => market.acme],
  ['GET /me/orders', '/me/orders', () => market.cable],
] as [string, string, () => Tenant][])('%s: 200', (_, path, reader) => {
  const list = async (query = '') => {
    const reply = await reader().get(`${path}${query}`)
    expect(reply.status).toBe(200)
    return reply.body as { orders: Item[]; next_cursor: string | null }
  }
  const idsOf = ({ orders }: { orders: Item[] }) => orders.map(({ order_id }) => order_id)

  it('lists newest first, as snapshots without lines and artifacts', async () => {
    const [older, newer] = [await market.created(), await market.parked()]
    const page = await list()
    expect(idsOf(page).slice(0, 2)).toEqual([newer, older])
    const one = path === '/orders' ? await market.acme.get(`/orders/${newer}`) : await market.cable.get(`/me/orders/${newer}`)
    const { line_items: _, artifacts: __, ...head } = one.body
    expect(page.orders[0]).toEqual({ ...head, line_count: 1, units: 10, first_air_date: '2030-06-03' })
  })

  it('filters by one status and by several', async () => {
    const [submitted, parked, canceled] = [await market.created(), await market.parked(), await market.created()]
    await market.acme.post(`/orders/${canceled}/cancel`, {})
    const only = idsOf(await list('?status=seller_review'))
    expect(only).toContain(parked)
    expect(only).not.toContain(submitted)
    const two = await list('?status=seller_review,canceled')
    expect(idsOf(two)).toEqual(expect.arrayContaining([parked, canceled]))
    expect(new Set(two.orders.map(({ status }) => status))).toEqual(new Set(['seller_review', 'canceled']))
    expect(await list('?status=confirmed')).toEqual({ orders: [], next_cursor: null })
  })

  it('finds an order by external_order_id and by seller', async () => {
    const order = market.order()
    const { order_id } = (await market.acme.post('/orders', order)).body
    expect(idsOf(await list(`?external_order_id=${order.external_order_id}`))).toEqual([order_id])
    expect(idsOf(await list(`?external_order_id=${order.external_order_id}&seller=cable`))).toEqual([order_id])
    expect(idsOf(await list(`?external_order_id=${order.external_order_id}&seller=station`))).toEqual([])
  })

  it('pages through everything once, also while new orders arrive', async () => {
    for (let n = 0; n < 5; n++) await market.created()
    const all = idsOf(await list('?limit=200'))
    const pages = await everyPage(async (cursor) => {
      const page = await list(`?limit=2${cursor}`)
      await market.created()
      return page
    })
    for (const { orders } of pages) expect(orders.length).toBeLessThanOrEqual(2)
    expect(pages.flatMap(idsOf)).toEqual(all)
  })

  it('ends with a null cursor when the last page is exactly full', async () => {
    const order = market.order()
    await market.acme.post('/orders', order)
    expect((await list(`?external_order_id=${order.external_order_id}&limit=1`)).next_cursor).toBeNull()
  })

  it('does not show orders of other tenants', async () => {
    const theirs = await market.zenith.post('/orders', market.order())
    const elsewhere = await market.acme.post(
      '/orders',
      market.order({
        seller: 'station',
        rate_version: 'june-local',
        line_items: [market.line({ product_id: 'news' }, { locked_rate_id: market.price('news', '2030-W23') })],
      }),
    )
    const ids = idsOf(await list('?limit=200'))
    const [foreign, own] = path === '/orders' ? [theirs, elsewhere] : [elsewhere, theirs]
    expect([theirs.status, elsewhere.status]).toEqual([201, 201])
    expect(ids).not.toContain(foreign.body.order_id)
    expect(ids).toContain(own.body.order_id)
  })
})

describe.each([
  ['GET /orders', '/orders', () => market.acme, () => market.zenith],
  ['GET /me/orders', '/me/orders', () => market.cable, () => market.station],
] as [string, string, () => Tenant, () => Tenant][])('%s: 422', (_, path, reader, stranger) => {
  it.each([
    ['limit', 'limit=0'],
    ['limit', 'limit=201'],
    ['limit', 'limit=ten'],
    ['limit', 'limit=-1'],
    ['limit', 'limit=1e2'],
    ['limit', 'limit='],
    ['limit', 'limit=5&limit=5'],
    ['status', 'status=lost'],
    ['status', 'status=submitted,,placed'],
    ['status', 'status='],
    ['status', 'status=submitted&status=placed'],
    ['cursor', 'cursor=made-up'],
    ['cursor', 'cursor='],
    ['page', 'page=2'],
    ['__proto__', '__proto__=1'],
  ])('refuses %s in ?%s', async (field, query) => {
    const reply = await reader().get(`${path}?${query}`)
    expect(reply.status).toBe(422)
    expect(reply.body).toMatchObject({ error_code: 'INVALID_INPUT', details: { field, errors: [{ pointer: `/${field}` }] } })
    expect(reply.body.details).not.toHaveProperty('missing')
  })

  it('refuses a cursor of another tenant, of other filters, and one that was changed', async () => {
    for (let n = 0; n < 2; n++) await market.created()
    const { next_cursor } = (await reader().get(`${path}?limit=1`)).body
    expect(next_cursor).toEqual(expect.any(String))
    expect((await reader().get(`${path}?limit=2&cursor=${next_cursor}`)).status).toBe(200)
    const changed = `A${next_cursor.slice(1)}`
    for (const [who, query] of [
      [stranger(), `cursor=${next_cursor}`],
      [reader(), `status=submitted&cursor=${next_cursor}`],
      [reader(), `cursor=${changed}`],
      [reader(), `cursor=${next_cursor}x`],
    ] as [Tenant, string][]) {
      const reply = await who.get(`${path}?${query}`)
      expect(reply.body).toMatchObject({ error_code: 'INVALID_INPUT', details: { field: 'cursor' } })
    }
  })
})
