import { beforeAll, describe, expect, it } from '@jest/globals'
import { aCard, aCatalog, aProduct, aRate } from '../../support/orders/published.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
/** Weeks 2030-W05 to 2030-W14: February ends on a Thursday, so that it shares W09 with March. */
const EFFECTIVE = { start: '2030-01-28', end: '2030-04-07' }
const SHARED = ['2030-02-25', '2030-02-27', '2030-03-01']
let cited = 0

/** A product for each test, since the orders of the others stay. */
const PRODUCTS = ['within', 'against', 'other', 'revised']

beforeAll(async () => {
  const rates = PRODUCTS.map((product_id) => aRate(product_id))
  await market.cable.put('/me/catalog', aCatalog(...PRODUCTS.map((product_id) => aProduct(product_id, { grains: ['month'] }))))
  await market.cable.put('/me/rate-cards', aCard('months', rates, { effective: EFFECTIVE }))
})

const rateOf = async (product_id: string, start: string) => {
  const { body } = await market.cable.get('/me/rate-cards/months')
  const week = { '2030-02': '2030-W07', '2030-03': '2030-W11' }[start]
  const found = body.entries.find((entry: { product_id: string; week: string }) => entry.product_id === product_id && entry.week === week)
  return found.locked_rate_id as string
}
const month = async (product_id: string, start: string) =>
  market.line({ product_id, period: { grain: 'month', start } }, { locked_rate_id: await rateOf(product_id, start) })
const order = (...line_items: object[]) => market.order({ external_order_id: `double-${cited++}`, rate_version: 'months', line_items })
type Reply = { body: { order_id: string; warnings?: { code: string }[] } }
const doubles = ({ body }: Reply) => (body.warnings ?? []).filter(({ code }) => code === 'DOUBLE_BOOKED_WEEK')
const warning = (product_id: string, more: object = {}) => ({ code: 'DOUBLE_BOOKED_WEEK', product_id, dates: SHARED, ...more })

describe('POST /orders: the warning DOUBLE_BOOKED_WEEK', () => {
  it('is given within one order, by its create and its preview', async () => {
    const body = order(await month('within', '2030-02'), await month('within', '2030-03'))
    expect(doubles((await market.acme.post('/orders/preview', body)) as Reply)).toEqual([warning('within')])
    const created = (await market.acme.post('/orders', body)) as Reply
    expect(doubles(created)).toEqual([warning('within')])
  })

  it('is given against the open orders of the buyer, placed ones included, and no others', async () => {
    const placed = await market.placed(order(await month('against', '2030-02')))
    const parked = await market.parked(order(await month('against', '2030-02')))
    const canceled = await market.parked(order(await month('against', '2030-02')))
    await market.acme.post(`/orders/${canceled}/cancel`, {})
    await market.parked(order(await month('other', '2030-02')))
    const next = order(await month('against', '2030-03'))
    const expected = [warning('against', { order_ids: [placed, parked].sort() })]
    expect(doubles((await market.acme.post('/orders/preview', next)) as Reply)).toEqual(expected)
    expect(doubles((await market.zenith.post('/orders/preview', next)) as Reply)).toEqual([])
    expect(doubles((await market.acme.post('/orders', next)) as Reply)).toEqual(expected)
  })

  it('is not given against the order that is revised', async () => {
    const prior = await market.placed(order(await month('revised', '2030-02')))
    const revision = { ...order(await month('revised', '2030-03')), revision: { supersedes: prior } }
    expect(doubles((await market.acme.post('/orders/preview', revision)) as Reply)).toEqual([])
  })
})
