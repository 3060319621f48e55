import { beforeAll, describe, expect, it } from '@jest/globals'
import { everyPage } from '../../support/http/everyPage.ts'
import { aCard, aCatalog, anAvail, aProduct, aRate } from '../../support/orders/published.ts'
import { useApp } from '../../support/useApp.ts'

/** More prices than are read at a time: 130 keys in 104 weeks. */
const KEYS = Array.from({ length: 130 }, (_, index) => ({ advertiser_class: `class-${index}` }))
const EFFECTIVE = { start: '2030-01-07', end: '2032-01-04' }
const WEEKS = 104

type Entry = { product_id: string; period: { grain: string; start: string }; rates: { locked_rate_id: string }[]; spots?: object }

const app = useApp()
const put = async (path: string, body: object) => {
  const reply = await app.request.put(`/v1${path}`).auth(app.tokens.sellers.cable, { type: 'bearer' }).send(body)
  expect([reply.status, reply.body.errors]).toEqual([200, []])
}
const read = async (query: string): Promise<{ avails: Entry[]; next_cursor?: string | null }> =>
  (await app.request.get(`/v1/sellers/cable/avails?${query}`).auth(app.tokens.buyers.acme, { type: 'bearer' }).expect(200)).body

beforeAll(async () => {
  const grains = ['day', 'week', 'month']
  await put('/me/catalog', aCatalog(...['a-few', 'dense', 'z-few'].map((id) => aProduct(id, { grains }))))
  const few = ['a-few', 'z-few'].map((id) => aRate(id))
  await put('/me/rate-cards', { ...aCard('dense', [...few, ...KEYS.map((key) => aRate('dense', key))]), effective: EFFECTIVE })
  const periods = [
    { grain: 'day', start: '2030-02-04' },
    { grain: 'day', start: '2031-02-04' },
    { grain: 'week', start: '2029-W40' },
    { grain: 'week', start: '2030-W10' },
    { grain: 'week', start: '2032-W30' },
    { grain: 'month', start: '2030-03' },
    { grain: 'month', start: '2031-12' },
  ]
  await put('/me/avails', { avails: periods.map((period) => anAvail('dense', { period })) })
}, 60_000)

const placeOf = ({ product_id, period: { grain, start } }: Entry) => `${product_id} ${['day', 'week', 'month'].indexOf(grain)} ${start}`

describe('GET /sellers/{seller}/avails: 200, of a product with more prices than are read at a time', () => {
  it('shows every avail and every priced week once, in order, with all of its prices', async () => {
    const { avails } = await read('product_id=dense')
    const places = avails.map(placeOf)
    expect(places).toEqual([...new Set(places)].sort())
    const counted = Object.fromEntries(
      ['day', 'week', 'month'].map((grain) => [grain, avails.filter(({ period }) => period.grain === grain).length]),
    )
    expect(counted).toEqual({ day: 2, week: WEEKS + 2, month: 2 })
    const unpriced = avails.filter(({ rates }) => rates.length === 0).map(({ period }) => period.start)
    expect(unpriced).toEqual(['2029-W40', '2032-W30'])
    for (const { rates } of avails.filter((avail) => avail.rates.length > 0))
      expect(new Set(rates.map(({ locked_rate_id }) => locked_rate_id)).size).toBe(KEYS.length)
    expect(avails.filter(({ spots }) => spots !== undefined).length).toBe(7)
  })

  it('comes between the others in a read of all', async () => {
    const [dense, few, all] = await Promise.all([read('product_id=dense'), read('product_id=a-few'), read('')])
    const last = await read('product_id=z-few')
    expect(all.avails).toEqual([...few.avails, ...dense.avails, ...last.avails])
  })

  it.each(['limit=40', 'limit=3&weeks=2030-W05..2030-W20', 'limit=25&product_id=dense'])(
    'returns page by page what one read returns: %s',
    async (query) => {
      const { avails } = await read(query.replace(/limit=\d+&?/, ''))
      const pages = await everyPage((cursor) => read(query + cursor))
      expect(pages.length).toBeGreaterThan(1)
      expect(pages.flatMap((page) => page.avails)).toEqual(avails)
    },
  )

  it('ends a page before its limit when the rates are many', async () => {
    const page = await read('limit=5000&product_id=dense')
    expect(page.next_cursor).not.toBeNull()
    expect(page.avails.length).toBeGreaterThan(10)
    expect(page.avails.reduce((sum, { rates }) => sum + rates.length, 0)).toBeLessThanOrEqual(10_000)
  })

  it('takes filters', async () => {
    const weeks = (await read('product_id=dense&weeks=2030-W10,2031-W40')).avails
    expect(weeks.map(placeOf)).toEqual(['dense 1 2030-W10', 'dense 1 2031-W40', 'dense 2 2030-03'])
    expect((await read('product_id=dense&spot_length=60')).avails).toEqual([])
    const { avails } = await read('product_id=dense&spot_length=30&market_class=scatter')
    expect(avails.map(placeOf)).toEqual((await read('product_id=dense')).avails.filter(({ rates }) => rates.length > 0).map(placeOf))
  })
})
