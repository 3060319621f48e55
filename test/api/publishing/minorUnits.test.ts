import { describe, expect, it } from '@jest/globals'
import { counterOrder } from '../../support/orders/decisions.ts'
import { aCard, aRate } from '../../support/orders/published.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const JUNE = { start: '2030-05-27', end: '2030-06-30' }

/** Publishes prices of `prime` in one currency, each under a class of its own, and returns the reply. */
const publish = async (commit: string, rates: readonly Record<string, unknown>[]) => {
  const entries = rates.map((rate, index) => aRate('prime', { advertiser_class: `${commit}-${index}`, ...rate }))
  const { body } = await market.cable.put('/me/rate-cards', aCard(commit, entries, { effective: JUNE }))
  return body
}
const priceOf = async (commit: string) => {
  const { body } = await market.cable.get(`/me/rate-cards/${commit}`)
  return body.entries.find(({ week }: { week: string }) => week === '2030-W23').locked_rate_id as string
}
const refused = (body: { errors: { index: number; error_code: string; field: string }[] }) =>
  body.errors.map(({ index, error_code, field }) => [index, error_code, field])

describe('a price that is finer than its currency', () => {
  it('is INVALID_ENTRY on a card, whether the entry names the currency or its seller does', async () => {
    const reply = await publish('fine', [
      { currency: 'JPY', gross_rate_unit: 1000.5 },
      { currency: 'JPY', gross_rate_cpm: 350.5, guaranteed_impressions: 1000 },
      { gross_rate_unit: 0.335 },
      { currency: 'JPY', gross_rate_unit: 1000 },
      { currency: 'KWD', gross_rate_unit: 10.125 },
    ])
    expect([reply.result, reply.accepted]).toEqual(['partial', 2])
    expect(refused(reply)).toEqual([
      [0, 'INVALID_ENTRY', 'gross_rate_unit'],
      [1, 'INVALID_ENTRY', 'gross_rate_cpm'],
      [2, 'INVALID_ENTRY', 'gross_rate_unit'],
    ])
    expect(reply.errors[0]).toMatchObject({ value: 1000.5, message: expect.stringContaining('no decimal places') })
  })

  it('is 422 as the cost of a line, and of a counter', async () => {
    await publish('yen', [{ currency: 'JPY', gross_rate_unit: 1000 }])
    const cited = { advertiser_class: 'yen-0', currency: 'JPY', locked_rate_id: await priceOf('yen') }
    const fine = await market.acme.post('/orders', market.order({ line_items: [market.line({}, { ...cited, unit_cost: 1000.5 })] }))
    expect([fine.status, fine.body.details.field]).toEqual([422, 'line_items.0.rate.unit_cost'])
    const orderId = await market.parked({ line_items: [market.line({ units: 3 }, { ...cited, unit_cost: 1000 })] })
    expect((await market.snapshot(orderId)).totals).toEqual({ gross: 3000, currency: 'JPY' })
    const counter = await counterOrder(market, orderId, { unit_cost: 990.5 })
    expect([counter.status, counter.body.details.field]).toEqual([422, 'units.0.counter.unit_cost'])
    expect((await counterOrder(market, orderId, { unit_cost: 990 })).status).toBe(202)
  })
})

describe('amounts of an order in JPY', () => {
  it('are whole, though its price per spot is not', async () => {
    await publish('cpm', [{ currency: 'JPY', gross_rate_cpm: 1235, guaranteed_impressions: 105_500 }])
    const rate = { advertiser_class: 'cpm-0', currency: 'JPY', cpm: 1235, locked_rate_id: await priceOf('cpm') }
    const { totals } = await market.snapshot(await market.placed({ line_items: [market.line({ units: 3 }, rate)] }))
    expect(totals).toEqual({ gross: 390_878, currency: 'JPY' }) // 3 x 130,292.5
  })
})

describe('the limits of an agreement', () => {
  const granting = (more: object) =>
    market.cable.put('/me/agreements/agr-fine', { buyer_entity: 'acme', effective: { start: '2020-01-01', end: '2099-12-31' }, ...more })

  it.each([
    [{ currency: 'JPY', credit_limit: 1000.5 }, 'credit_limit'],
    [{ currency: 'USD', commitment_gross: 1000.125 }, 'commitment_gross'],
    [{ currency: 'KWD', credit_limit: 1_000_000_000_000 }, 'credit_limit'],
  ])('are refused as finer or larger than their currency allows: %j', async (more, field) => {
    const { status, body } = await granting(more)
    expect([status, body.details.field]).toEqual([422, field])
  })

  it('have the decimals of their currency', async () => {
    expect((await granting({ currency: 'KWD', credit_limit: 1000.125 })).status).toBe(201)
  })
})
