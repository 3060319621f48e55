import { describe, expect, it } from '@jest/globals'
import type { OrderListItem } from '../../../src/contract/order.ts'
import { everyPage } from '../../support/http/everyPage.ts'
import type { Tenant } from '../../support/market.ts'
import { counterOrder } from '../../support/orders/decisions.ts'
import { proposalsOf } from '../../support/orders/proposals.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

/** The ids of a list, page by page. */
async function listed(reader: Tenant, query: string, limit = 200): Promise<string[]> {
  const path = reader === market.cable || reader === market.station ? '/me/orders' : '/orders'
  const pages = await everyPage(async (cursor) => {
    const { status, body, text } = await reader.get(`${path}?${query}&limit=${limit}${cursor}`)
    if (status !== 200) throw new Error(text)
    return body
  })
  return pages.flatMap(({ orders }) => orders.map(({ order_id }: OrderListItem) => order_id))
}
const itemOf = async (orderId: string) => (await market.acme.get(`/orders?q=${orderId}`)).body.orders[0] as OrderListItem
const of = (advertiser_id: string) => ({ buyer_metadata: { advertiser_id } })
const week = (start: string, more: object = {}) =>
  market.line({ period: { grain: 'week', start }, ...more }, { locked_rate_id: market.price('prime', start) })

describe('GET /orders: 200', () => {
  it('shows the number of lines and units of an order, and its first air date', async () => {
    const orderId = await market.parked({ line_items: [week('2030-W24', { units: 7 }), week('2030-W23', { units: 3 })] })
    expect(await itemOf(orderId)).toMatchObject({ line_count: 2, units: 10, first_air_date: '2030-06-03' })
    await counterOrder(market, orderId, { unit_cost: 900 })
    expect(await itemOf(orderId)).toMatchObject({ line_count: 2, units: 10, first_air_date: '2030-06-03' })
  })

  it('shows the first accepted date, or the start of the flight of an order without lines', async () => {
    const placed = await market.placed({ line_items: [market.line({ units: 1, do_not_air: ['2030-06-03', '2030-06-04'] })] })
    const { line_items } = await market.snapshot(placed)
    expect((await itemOf(placed)).first_air_date).toBe(line_items[0]?.allocation[0]?.date)
    const { asked } = await proposalsOf(market)
    const flight = { start: '2030-06-10', end: '2030-06-16' }
    expect(await itemOf(await asked({ flight }))).toMatchObject({ line_count: 0, units: 0, first_air_date: '2030-06-10' })
    expect((await itemOf(await asked())).first_air_date).toBeNull()
  })

  it('filters by each parameter, for either side, and combines filters', async () => {
    const [one, two] = [await market.parked(of('adv-filter')), await market.created(of('adv-filter'))]
    const other = await market.parked(of('adv-else'))
    for (const reader of [market.acme, market.cable]) {
      expect(await listed(reader, 'advertiser_id=adv-filter')).toEqual([two, one])
      expect(await listed(reader, 'advertiser_id=adv-filter&status=submitted,placed')).toEqual([two])
      expect(await listed(reader, 'advertiser_id=adv-filter&waiting_on=seller')).toEqual([one])
      expect(await listed(reader, 'advertiser_id=adv-filter&buyer=acme&seller=cable&workflow=catalog')).toEqual([two, one])
      expect(await listed(reader, 'advertiser_id=adv-filter&workflow=proposal,document')).toEqual([])
      expect(await listed(reader, 'advertiser_id=adv-filter&buyer=zenith')).toEqual([])
      expect(await listed(reader, 'advertiser_id=adv-filter&seller=station')).toEqual([])
      expect(await listed(reader, 'advertiser_id=adv-else&waiting_on=seller&overdue=false')).toEqual([other])
    }
    expect(await listed(market.zenith, 'advertiser_id=adv-filter')).toEqual([])
    expect(await listed(market.station, 'advertiser_id=adv-filter')).toEqual([])
    expect(await listed(market.zenith, 'buyer=acme')).toEqual([])
    expect(await listed(market.station, 'seller=cable')).toEqual([])
  })

  it('filters by the first air date, both bounds included', async () => {
    const orders = await Promise.all(
      ['2030-W23', '2030-W24', '2030-W25'].map((start) => market.created({ ...of('adv-air'), line_items: [week(start)] })),
    )
    const air = (query: string) => listed(market.acme, `advertiser_id=adv-air&${query}`)
    expect(await air('air_from=2030-06-10&air_to=2030-06-10')).toEqual([orders[1]])
    expect(new Set(await air('air_from=2030-06-10'))).toEqual(new Set(orders.slice(1)))
    expect(new Set(await air('air_to=2030-06-10'))).toEqual(new Set(orders.slice(0, 2)))
  })

  it('filters by the time of the last change, which the bound includes', async () => {
    const [still, moved] = [await market.created(of('adv-since')), await market.created(of('adv-since'))]
    await market.validate(moved)
    const { updated_at } = await market.snapshot(moved)
    const since = (at: unknown) => listed(market.acme, `advertiser_id=adv-since&updated_since=${at}`)
    expect(await since(updated_at)).toEqual([moved])
    expect(await since(new Date(Date.parse(String(updated_at)) + 1).toISOString())).toEqual([])
    expect(await since('2020-01-01T00:00:00Z')).toEqual([moved, still])
    const { status, body } = await market.acme.get('/orders?updated_since=yesterday')
    expect([status, body.details.field]).toEqual([422, 'updated_since'])
  })

  it('finds orders by the beginning of either id', async () => {
    const external = 'PO%_7-é-1'
    const orderId = await market.created({ external_order_id: external })
    const q = (text: string) => listed(market.cable, `q=${encodeURIComponent(text)}`)
    expect(await q(orderId)).toEqual([orderId])
    expect(await q(orderId.slice(0, -1))).toContain(orderId)
    expect(await q(external)).toEqual([orderId])
    expect(await q('PO%_7-é')).toEqual([orderId])
    for (const text of ['PO%_7-e', 'po%', '%', '_', 'O%_7', orderId.slice(1)]) expect(await q(text)).toEqual([])
    expect(await listed(market.zenith, `q=${orderId}`)).toEqual([])
    expect((await q('ord_')).length).toBeGreaterThan(3)
  })

  it('sorts the queue by deadline, filters it and pages through it', async () => {
    const ids = []
    for (let n = 0; n < 5; n++) ids.push(await market.parked(of('adv-queue')))
    await market.parked(of('adv-else'))
    const query = 'status=seller_review&advertiser_id=adv-queue'
    expect(await listed(market.cable, query)).toEqual(ids)
    expect(await listed(market.cable, query, 2)).toEqual(ids)
    expect(await listed(market.acme, query, 2)).toEqual([...ids].reverse())
  })

  it('filters by overdue and waiting_on as the order itself has them', async () => {
    const { asked, planned } = await proposalsOf(market)
    const [late, plan, lapsed, countered] = [await market.parked(), await asked(), await asked(), await market.parked()]
    await planned(plan)
    await planned(lapsed)
    await counterOrder(market, countered, { unit_cost: 900 })
    await market.failed()
    // Two days back, and forward again at the end. Both deadlines are within a day.
    const move = (days: number) =>
      market
        .owner()
        .query(`update orders set decide_by = decide_by + $2 * interval '1 day' where order_id = any($1)`, [[late, lapsed], days])
    await move(-2)
    const all = (await market.acme.get('/orders?limit=200')).body.orders as OrderListItem[]
    for (const party of ['buyer', 'seller', 'platform'] as const) {
      const waiting = all.filter(({ waiting_on }) => waiting_on?.party === party).map(({ order_id }) => order_id)
      expect(waiting.length).toBeGreaterThan(0)
      expect(await listed(market.acme, `waiting_on=${party}`, 3)).toEqual(waiting)
    }
    const overdue = all.filter(({ waiting_on }) => waiting_on?.overdue).map(({ order_id }) => order_id)
    expect(overdue).toEqual([late])
    expect(await listed(market.cable, 'overdue=true')).toEqual(overdue)
    expect(await listed(market.acme, 'overdue=false')).toEqual(all.map(({ order_id }) => order_id).filter((id) => id !== late))
    expect(await listed(market.acme, 'overdue=true&waiting_on=buyer')).toEqual([])

    const { body: counts } = await market.acme.get('/orders/counts')
    const open = all.filter(({ waiting_on }) => waiting_on !== null)
    const having = (status: string) => open.filter((order) => order.status === status).length
    const waiting = (party: string) => open.filter(({ waiting_on }) => waiting_on?.party === party).length
    expect(counts).toEqual({
      status: Object.fromEntries(Object.keys(counts.status).map((status) => [status, having(status)])),
      waiting_on: { buyer: waiting('buyer'), seller: waiting('seller'), platform: waiting('platform') },
      overdue: 1,
      complete: true,
    })
    expect((await market.cable.get('/me/orders/counts')).body).toEqual(counts)
    await move(2)
  })
})

describe('GET /orders/counts: 200', () => {
  it('counts nothing for a tenant without orders', async () => {
    const { body } = await market.zenith.get('/orders/counts')
    expect(body).toMatchObject({ waiting_on: { buyer: 0, seller: 0, platform: 0 }, overdue: 0, complete: true })
  })
})

describe('GET /orders: 422', () => {
  it.each([
    ['workflow', 'workflow=barter'],
    ['waiting_on', 'waiting_on=nobody'],
    ['overdue', 'overdue=yes'],
    ['air_from', 'air_from=2030-W23'],
    ['air_to', 'air_to=2030-02-30'],
    ['q', 'q='],
    ['advertiser', 'advertiser=adv-1'],
  ])('refuses %s in ?%s', async (field, query) => {
    const { status, body } = await market.acme.get(`/orders?${query}`)
    expect([status, body]).toMatchObject([422, { error_code: 'INVALID_INPUT', details: { field } }])
  })

  it('refuses a cursor of other filters', async () => {
    await market.created()
    await market.created()
    const { next_cursor } = (await market.acme.get('/orders?limit=1&workflow=catalog')).body
    expect(next_cursor).toEqual(expect.any(String))
    expect((await market.acme.get(`/orders?limit=1&workflow=catalog&buyer=acme&cursor=${next_cursor}`)).status).toBe(422)
    expect((await market.acme.get(`/orders?limit=1&cursor=${next_cursor}`)).status).toBe(422)
  })
})
