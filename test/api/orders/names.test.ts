import { beforeAll, describe, expect, it } from '@jest/globals'
import { aCatalog, aProduct } from '../../support/orders/published.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

beforeAll(async () => {
  for (const [entity, name] of [
    ['acme', 'Acme Media'],
    ['cable', 'Cable Group'],
  ])
    await market.owner().query('update tenants set name = $2 where entity = $1', [entity, name])
})

describe('the names that people know an order by', () => {
  it('are of its parties and products, as they were when it was created, on reads, lists and events of both sides', async () => {
    const orderId = await market.parked({ line_items: [market.line(), market.line({ product_id: 'finale', units: 1 }, finale())] })
    const later = aProduct('prime', {
      grains: ['day', 'week', 'month'],
      definition: { ...aProduct('prime').definition, selling_title: 'Later' },
    })
    expect((await market.cable.put('/me/catalog', aCatalog(later))).status).toBe(200)
    const names = { seller: 'cable', seller_name: 'Cable Group', buyer_entity: 'acme', buyer_name: 'Acme Media' }
    for (const [tenant, path] of [
      [market.acme, '/orders'],
      [market.cable, '/me/orders'],
    ] as const) {
      const { body: read } = await tenant.get(`${path}/${orderId}`)
      expect(read).toMatchObject({ ...names, line_items: [{ product_title: 'Prime' }, { product_title: 'Finale' }] })
      expect((await tenant.get(path)).body.orders).toEqual([expect.objectContaining({ order_id: orderId, ...names })])
    }
    await market.cable.post(`/me/orders/${orderId}/decide`, { decision: 'approve', actor: 'Ada' })
    const { units } = (await market.events(orderId)).at(-1) as { units: { product_title: string }[] }
    expect(units.map(({ product_title }) => product_title)).toEqual(['Prime', 'Finale'])
    expect((await market.acme.post('/orders/preview', market.order())).body.line_items).toMatchObject([{ product_title: 'Later' }])
  })

  it('are left out where a product has none', async () => {
    const orderId = await market.parked({ line_items: [market.line({ product_id: 'weekend', units: 1 }, weekend())] })
    const { line_items } = await market.snapshot(orderId)
    expect(line_items[0]).not.toHaveProperty('product_title')
  })
})

const finale = () => ({ unit_cost: 99.99, locked_rate_id: market.price('finale', '2030-W23') })
const weekend = () => ({ unit_cost: 99.99, locked_rate_id: market.price('weekend', '2030-W23') })
