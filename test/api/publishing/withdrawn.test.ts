import { describe, expect, it } from '@jest/globals'
import { decideOrder } from '../../support/orders/decisions.ts'
import { aCatalog, aProduct } from '../../support/orders/published.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket({ productsPerSeller: 8 })

const put = async (...products: unknown[]) => {
  const { status, body } = await market.cable.put('/me/catalog', aCatalog(...products))
  expect(status).toBe(200)
  return body
}
const idsOf = ({ products }: { products: { product_id: string }[] }) => products.map(({ product_id }) => product_id)
const catalogOf = async (tenant = market.acme) => idsOf((await tenant.get('/sellers/cable/catalog')).body)
const offered = async (tenant = market.acme) => {
  const { body } = await tenant.get('/sellers')
  return body.sellers.find(({ seller }: { seller: string }) => seller === 'cable')
}
const ENDED = { effective: { start: '2020-01-01', end: '2020-12-31' } }

describe('PUT /me/catalog: a withdrawn product', () => {
  it('disappears from every buyer read, stays in the seller’s catalog, and comes back when it is published without the status', async () => {
    const prime = (await market.cable.get('/me/catalog')).body.products.find((p: { product_id: string }) => p.product_id === 'prime')
    const { unpriced: _, ...published } = prime
    const order = await market.parked()
    await put({ ...published, status: 'withdrawn' })
    expect(await catalogOf()).not.toContain('prime')
    const { body } = await market.acme.get('/sellers/cable/avails')
    expect(body.avails.map(({ product_id }: { product_id: string }) => product_id)).not.toContain('prime')
    const own = (await market.cable.get('/me/catalog')).body.products
    expect(own.find((p: { product_id: string }) => p.product_id === 'prime')).toMatchObject({ status: 'withdrawn' })
    const refused = await market.acme.post('/orders', market.order())
    expect(refused).toMatchObject({ status: 422, body: { error_code: 'INVALID_INPUT', details: { field: 'line_items.0.product_id' } } })
    expect(refused.body.error_message).toBe('prime is withdrawn and accepts no new orders.')
    expect((await decideOrder(market, order, { decision: 'approve' })).status).toBe(202)
    await put(published)
    expect(await catalogOf()).toContain('prime')
    await market.created()
  })
})

describe('PUT /me/catalog: a product past its effective dates', () => {
  it('is shown to no buyer and takes no order, but stays in the seller’s catalog', async () => {
    await put(aProduct('ended', ENDED))
    expect(await catalogOf()).not.toContain('ended')
    expect(idsOf((await market.cable.get('/me/catalog')).body)).toContain('ended')
    const line = market.line({ product_id: 'ended' })
    const { status, body } = await market.acme.post('/orders', market.order({ line_items: [line] }))
    expect([status, body.details.field]).toEqual([422, 'line_items.0.product_id'])
    expect(body.error_message).toBe('ended was sold until 2020-12-31 and accepts no new orders.')
    await put(aProduct('ended', { ...ENDED, status: 'withdrawn' }))
  })
})

describe('GET /sellers: what a seller offers', () => {
  it('follows what is published, withdrawn and past', async () => {
    expect((await offered()).grains).toEqual(['day', 'week', 'month'])
    const { body } = await market.cable.get('/me/catalog')
    const prime = body.products.find(({ product_id }: { product_id: string }) => product_id === 'prime')
    const { unpriced: _, ...published } = prime
    await put({ ...published, status: 'withdrawn' })
    expect((await offered()).grains).toEqual(['week'])
    await put({ ...published, effective: { start: '2020-01-01', end: '2020-12-31' } })
    expect((await offered()).grains).toEqual(['week'])
    await put({ ...published, grains: ['month'] })
    expect((await offered()).grains).toEqual(['week', 'month'])
    await put(published)
  })

  it('shows what is by agreement to those whose agreement names it', async () => {
    await put(aProduct('secret', { visibility: 'by_agreement', grains: ['day'] }), { ...aProduct('prime'), grains: ['week'] })
    expect((await offered()).grains).toEqual(['week'])
    const grant = (scope: unknown) =>
      market.cable.put('/me/agreements/ag-list', {
        buyer_entity: 'acme',
        effective: { start: '2020-01-01', end: '2040-12-31' },
        catalog_scope: scope,
      })
    for (const scope of ['*', ['elsewhere', 'secret']]) {
      await grant(scope)
      expect((await offered()).grains).toEqual(['day', 'week'])
      expect((await offered(market.zenith)).grains).toEqual(['week'])
    }
    await grant(['elsewhere'])
    expect((await offered()).grains).toEqual(['week'])
    await put(aProduct('secret', { status: 'withdrawn' }))
  })
})

describe('PUT /me/catalog: the bound on products', () => {
  it('names what exceeds the limit, accepts changes to existing products, and has room again after a withdrawal', async () => {
    const some = (count: number) => Array.from({ length: count }, (_, index) => aProduct(`many-${index}`))
    const { accepted, errors } = await put(...some(9))
    expect(accepted).toBeGreaterThan(0)
    expect(errors.length).toBe(9 - accepted)
    expect(errors[0]).toMatchObject({
      error_code: 'INVALID_ENTRY',
      field: 'product_id',
      message: expect.stringContaining('PRODUCTS_PER_SELLER'),
    })
    expect(await put(aProduct('many-0', { name: 'changed' }))).toMatchObject({ accepted: 1 })
    expect(await put(aProduct('another'))).toMatchObject({ accepted: 0, rejected: 1 })
    expect(await put(aProduct('another'), aProduct('many-0', { status: 'withdrawn' }))).toMatchObject({ accepted: 2 })
    expect(await put(aProduct('many-0'))).toMatchObject({ accepted: 0 })
  })
})
