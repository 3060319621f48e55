import { describe, expect, it } from '@jest/globals'
import { ROUTES } from '../../api/routes.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
/** Of every endpoint one path, with names that nothing has. */
const PATHS = [...new Set(ROUTES.map(({ endpoint }) => endpoint.path.replaceAll(/:\w+/g, 'Some-Name')))]

describe('a path that is not exactly that of an endpoint: 404', () => {
  it.each(PATHS)('%s in capitals, or with a slash at its end, names the right one', async (path) => {
    const upper = path.replaceAll(/[a-z][a-z-]*(?=\/|$)/g, (word) => word.toUpperCase())
    for (const other of [`${path}/`, `${path}//`, upper.replaceAll('Some-NAME', 'Some-Name')]) {
      if (other === path) continue
      const { status, body } = await market.acme.get(other)
      expect([status, body.error_code, body.error_message]).toEqual([
        404,
        'NOT_FOUND',
        `There is nothing at /v1${other}; the path is /v1${path}.`,
      ])
    }
  })

  it('creates no order', async () => {
    for (const path of ['/orders/', '/Orders']) {
      const order = market.order()
      expect((await market.acme.post(path, order)).status).toBe(404)
      expect((await market.acme.get(`/orders?external_order_id=${order.external_order_id}`)).body.orders).toEqual([])
    }
  })

  it('names no path where only a part is like one', async () => {
    const { body } = await market.acme.get('/orders/x/y/z')
    expect(body.error_message).toMatch(/^There is nothing at \/v1\/orders\/x\/y\/z; what there is begins with/)
  })
})
