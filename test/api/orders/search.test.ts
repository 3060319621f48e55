import { describe, expect, it } from '@jest/globals'
import { issueCredential } from '../../../src/store/tenants/credentials.ts'
import { anAgreement } from '../../support/orders/published.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

const search = async (tenant: { get(path: string): Promise<{ body: Found }> }, q: string) =>
  (await tenant.get(`/search?q=${encodeURIComponent(q)}`)).body

interface Found {
  readonly orders: readonly { order_id: string; matched: string }[]
  readonly products: readonly { product_id: string; product_title?: string }[]
  readonly parties: readonly { entity: string; name?: string }[]
  readonly complete: boolean
}

const ids = ({ orders }: Found) => orders.map(({ order_id }) => order_id)

describe('GET /search', () => {
  it('finds orders by title, network, party, advertiser, order id and the beginning of the buyer’s own id, each word anywhere', async () => {
    const finale = market.line({ product_id: 'finale', units: 1 }, { unit_cost: 99.99, locked_rate_id: market.price('finale', '2030-W23') })
    const of = { external_order_id: 'PO-100%_a "b"', buyer_metadata: { advertiser_id: 'adv-ridgeline', campaign_id: 'winter' } }
    const orderId = await market.parked({ ...of, line_items: [market.line(), finale] })
    const other = await market.parked()
    for (const q of ['finale', 'FIN ridge', 'po-100%_a', 'PO-100%_a "b"', orderId, orderId.slice(0, 12), 'winter cbl finale']) {
      expect([q, ids(await search(market.acme, q))]).toEqual([q, expect.arrayContaining([orderId])])
      expect(ids(await search(market.cable, q))).toContain(orderId)
    }
    expect(ids(await search(market.acme, 'finale'))).toEqual([orderId])
    expect((await search(market.cable, 'fin')).orders[0]?.matched).toBe('Finale')
    for (const q of ['seller_review', 'line_items', 'USD', 'p%o', 'fina_e', 'finale nothing'])
      expect([q, ids(await search(market.acme, q))]).toEqual([q, []])
    expect(ids(await search(market.acme, 'prime'))).toEqual(expect.arrayContaining([orderId, other]))
  })

  it('finds what is the caller’s alone', async () => {
    const orderId = await market.parked()
    expect(ids(await search(market.zenith, orderId))).toEqual([])
    expect(ids(await search(market.station, orderId))).toEqual([])
    expect((await search(market.station, 'finale')).products).toEqual([])
  })

  it('finds the products of a seller, and those that a buyer may see', async () => {
    const titles = async (tenant: typeof market.acme, q: string) => (await search(tenant, q)).products.map(({ product_id }) => product_id)
    expect(await titles(market.cable, 'hidden')).toEqual(['hidden'])
    expect(await titles(market.acme, 'hidden')).toEqual([])
    await market.cable.put('/me/agreements/agr-search', anAgreement({ catalog_scope: ['hidden'] }))
    expect(await titles(market.acme, 'hidden')).toEqual(['hidden'])
    expect(await titles(market.zenith, 'hidden')).toEqual([])
    expect((await search(market.acme, 'fin')).products).toEqual([
      { seller: 'cable', product_id: 'finale', product_title: 'Finale', network: 'CBL' },
    ])
    expect((await search(market.acme, 'prime')).products.length).toBeGreaterThan(1)
  })

  it('finds sellers for a buyer, and for a seller the buyers that it knows', async () => {
    await market.parked()
    expect((await search(market.acme, 'cab')).parties.map(({ entity }) => entity)).toEqual(['cable'])
    expect((await search(market.cable, 'acm')).parties.map(({ entity }) => entity)).toEqual(['acme'])
    expect((await search(market.cable, 'zenith')).parties).toEqual([])
  })

  it('leaves out products and partners without the scope of catalogs', async () => {
    await market.parked()
    const { token } = await issueCredential(market.deps.db, { entity: 'acme', side: 'buyer', kind: 'test', scopes: ['orders:read'] })
    const found = await search(market.tenant(token), 'prime')
    expect([found.orders.length > 0, found.products, found.parties, found.complete]).toEqual([true, [], [], true])
  })

  it.each([
    ['nothing', ''],
    ['spaces', '%20'],
    ['too much', 'x'.repeat(201)],
  ])('refuses %s', async (_, q) => {
    expect(await market.acme.get(`/search?q=${q}`)).toMatchObject({ status: 422, body: { details: { field: 'q' } } })
  })
})
