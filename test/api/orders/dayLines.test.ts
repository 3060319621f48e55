import { describe, expect, it } from '@jest/globals'
import { proposalsOf } from '../../support/orders/proposals.ts'
import { anAvail } from '../../support/orders/published.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

const on = (product_id: string, start: string, unit_cost = 99.99) =>
  market.order({
    line_items: [
      market.line({ product_id, period: { grain: 'day', start } }, { unit_cost, locked_rate_id: market.price(product_id, '2030-W23') }),
    ],
  })
const publish = async (product_id: string, more: object) => {
  const reply = await market.cable.put('/me/avails', { avails: [anAvail(product_id, more as Record<string, unknown>)] })
  expect(reply.body.rejected).toBe(0)
}

describe('POST /orders: 422 for a day on which the product does not air', () => {
  it('names the days on which a daypart airs', async () => {
    const { status, body } = await market.acme.post('/orders', on('prime', '2030-06-09', 1250.5))
    expect([status, body.error_code, body.details.field]).toEqual([422, 'INVALID_INPUT', 'line_items.0.period'])
    expect(body.error_message).toBe('prime does not air on Sun 2030-06-09; it airs on Mon, Tue, Wed, Thu, Fri.')
  })

  it('takes an airing day that a week line would not book', async () => {
    expect((await market.acme.post('/orders', on('prime', '2030-06-04', 1250.5))).status).toBe(201)
  })

  it('takes a day for which the seller published an avail', async () => {
    await publish('prime', { period: { grain: 'day', start: '2030-06-08' } })
    expect((await market.acme.post('/orders', on('prime', '2030-06-08', 1250.5))).status).toBe(201)
  })
})

describe('POST /me/orders/{id}/plan: 422 for a day on which a new program does not air', () => {
  it('names its dates', async () => {
    const proposals = await proposalsOf(market)
    const orderId = await proposals.asked()
    const product = {
      type: 'program',
      network: 'CBL',
      definition: { title: 'Special', timezone: 'UTC', occurrences: [{ date: '2030-06-05', start: '20:00', end: '22:00' }] },
      buy_types: ['preemptible'],
      grains: ['day'],
    }
    const plan = (start: string) =>
      proposals.plan({ line_items: [proposals.quoted({ product_id: undefined, product, period: { grain: 'day', start } })] })
    const { status, body } = await market.cable.post(`/me/orders/${orderId}/plan`, plan('2030-06-12'))
    expect([status, body.details.field]).toEqual([422, 'line_items.0.period'])
    expect(body.error_message).toContain('it airs on 2030-06-05')
    expect((await market.cable.post(`/me/orders/${orderId}/plan`, plan('2030-06-05'))).status).toBe(202)
  })
})

describe('POST /orders: the warning ABOVE_PUBLISHED_AVAIL', () => {
  const above = ({ body }: { body: { warnings?: { code: string }[] } }) =>
    (body.warnings ?? []).filter(({ code }) => code === 'ABOVE_PUBLISHED_AVAIL')

  it('names the dates of a product of which more is ordered than is published, on dry run and create', async () => {
    const order = market.order({ line_items: [market.line({ units: 99_999 })] })
    const warning = { code: 'ABOVE_PUBLISHED_AVAIL', product_id: 'prime', dates: ['2030-06-03', '2030-06-05', '2030-06-07'] }
    const preview = await market.acme.post('/orders?dry_run=true', order)
    const created = await market.acme.post('/orders', order)
    expect([preview.status, above(preview), created.status, above(created)]).toEqual([200, [warning], 201, [warning]])
    expect(await market.validate(created.body.order_id)).toBe('seller_review') // published counts never fail an order
  })

  it('adds up the lines of one period, and is absent where they fit', async () => {
    const lines = (...units: number[]) => market.order({ line_items: units.map((count) => market.line({ units: count })) })
    expect(above(await market.acme.post('/orders', lines(6, 6)))).toEqual([])
    expect(above(await market.acme.post('/orders', lines(6, 7)))).toHaveLength(1)
  })

  it('is absent for counts that are not disclosed', async () => {
    const overrides = { disclosure_overrides: [{ product_id: 'prime', avails_policy: 'withheld' }] }
    const agreement = { buyer_entity: 'acme', effective: { start: '2020-01-01', end: '2099-12-31' }, ...overrides }
    expect((await market.cable.put('/me/agreements/agr-withheld', agreement)).status).toBe(201)
    const order = market.order({ agreement_id: 'agr-withheld', line_items: [market.line({ units: 99_999 })] })
    expect(above(await market.acme.post('/orders', order))).toEqual([])
  })
})
