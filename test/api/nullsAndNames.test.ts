import { describe, expect, it } from '@jest/globals'
import { aCard, aCatalog, anAvail, aProduct, aRate } from '../support/orders/published.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()

describe('null of an optional member', () => {
  it('reads as absent in a create, where cpm beside unit_cost would be refused', async () => {
    const line = market.line(
      { creative_id: null, rc_impressions: null, do_not_air: null, impressions_goal: null },
      { clearance_tier: null },
    )
    const rate = { ...(line.rate as object), cpm: null }
    const order = { ...market.order({ line_items: [{ ...line, rate }] }), request: null, document: null, buyer_entity: null, package: null }
    const { status, body } = await market.acme.post('/orders', order)
    expect([status, body]).toEqual([201, expect.not.objectContaining({ warnings: expect.anything() })])
    expect((await market.acme.post('/orders', order)).headers['x-idempotent-replay']).toBe('true')
    const { request, line_items } = await market.snapshot(body.order_id)
    expect(request).toBeUndefined()
    expect(line_items[0]).not.toHaveProperty('creative_id')
  })

  it('reads as absent in the entries of a publish', async () => {
    const product = aProduct('p-null', { external_ref: null, spot_lengths: null, grains: null, mirror_product_id: null })
    const { body } = await market.station.put('/me/catalog', aCatalog(aProduct('news'), product))
    expect(body).toMatchObject({ accepted: 2, rejected: 0 })
    const card = aCard('nulls', [{ ...aRate('news'), gross_rate_cpm: null, week: null, window: null }], { agreement_id: null })
    expect((await market.station.put('/me/rate-cards', card)).body).toMatchObject({ accepted: 1, rejected: 0 })
  })

  it('stays a wrong value of a required one', async () => {
    const { status, body } = await market.acme.post('/orders', market.order({ seller: null }))
    expect([status, body.details.field]).toEqual([422, 'seller'])
  })
})

describe('a retired member', () => {
  it.each([
    ['package_id', 'line_items.0.package_id is not part of this contract; use product_id'],
    ['packages', 'line_items.0.packages is not part of this contract; use product_id'],
  ])('%s of a line is told by what it is called now', async (name, message) => {
    const { status, body } = await market.acme.post('/orders', market.order({ line_items: [market.line({ [name]: 'x' })] }))
    expect([status, body.error_message]).toEqual([422, expect.stringContaining(message)])
  })

  it.each([
    ['/orders', 'package', 'package is not part of this contract; use line_items[].product_id'],
    ['/me/catalog', 'packages', 'packages is not part of this contract; use products'],
    ['/me/avails', 'package_id', 'package_id is not part of this contract; use avails[].product_id'],
    ['/me/rate-cards', 'package_id', 'package_id is not part of this contract; use entries[].product_id'],
  ])('%s says what stands for %s', async (path, name, message) => {
    const bodies: Record<string, object> = {
      '/orders': market.order(),
      '/me/catalog': aCatalog(aProduct('news')),
      '/me/avails': { avails: [anAvail('prime')] },
      '/me/rate-cards': aCard('none', [aRate('prime')]),
    }
    const tenant = path === '/orders' ? market.acme : market.cable
    const body = { ...bodies[path], [name]: 'x' }
    const reply = await (path === '/orders' ? tenant.post(path, body) : tenant.put(path, body))
    expect([reply.status, reply.body.error_message]).toEqual([422, expect.stringContaining(message)])
  })
})

describe('a control character in an identifier: 422', () => {
  it.each([
    ['external_order_id', (id: string) => ({ external_order_id: id })],
    ['rate_version', (id: string) => ({ rate_version: id })],
    ['buyer_metadata.campaign_id', (id: string) => ({ buyer_metadata: { advertiser_id: 'a', campaign_id: id } })],
    ['buyer_metadata.advertiser_id', (id: string) => ({ buyer_metadata: { advertiser_id: id } })],
  ])('%s', async (field, member) => {
    for (const id of ['PO-1\n', 'PO\t1', 'a\u007fb', 'a\u0085b']) {
      const { status, body } = await market.acme.post('/orders', market.order(member(id)))
      expect([status, body.details.field, body.error_message]).toEqual([
        422,
        field,
        `${field} must not have control characters, such as line feeds; ${JSON.stringify(id)} was sent`,
      ])
    }
  })
})
