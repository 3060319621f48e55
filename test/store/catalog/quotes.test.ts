import { beforeAll, describe, expect, it } from '@jest/globals'
import type { Quote } from '../../../src/domain/lines/quote.ts'
import { decided } from '../../../src/domain/order/decision.ts'
import { applyCommand } from '../../../src/operations/orders/applyCommand.ts'
import type { Tenant } from '../../support/market.ts'
import { aCard, aRate } from '../../support/orders/published.ts'
import { command, seqOf } from '../../support/orders/storedOrders.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
let orderId: string
beforeAll(async () => {
  orderId = await market.parked()
})

const IN_AN_HOUR = new Date(Date.now() + 3_600_000).toISOString()
const LONG_AGO = '2020-01-01T00:00:00.000Z'

function aQuote(locked_rate_id: string, more: Partial<Quote> = {}): Quote {
  return {
    locked_rate_id,
    product_id: 'prime',
    weeks: ['2030-W24'],
    market_class: 'scatter',
    advertiser_class: 'general',
    spot_length: 30,
    buy_type: 'preemptible',
    clearance_tier: null,
    gross_rate_unit: '900.5',
    gross_rate_cpm: null,
    currency: 'USD',
    guaranteed_impressions: null,
    audience_code: null,
    quote_expires_at: IN_AN_HOUR,
    ...more,
  }
}

/** Appends an event that cites quotes, as a counter or a plan does. */
const quoted = (...quotes: Quote[]) =>
  applyCommand(market.deps.orders, orderId, command(), () => decided([{ status: 'negotiating' }], seqOf, quotes))
const ratesOf = async (buyer: Tenant, week = '2030-W24') => {
  const { body } = await buyer.get(`/sellers/cable/avails?product_id=prime&weeks=${week}`)
  return body.avails.flatMap(({ rates }: { rates: { locked_rate_id: string }[] }) => rates)
}
const citing = (locked_rate_id: string, unit_cost: number, start = '2030-W24') =>
  market.order({ line_items: [market.line({ period: { grain: 'week', start } }, { locked_rate_id, unit_cost })] })

describe('a quote', () => {
  it('is on the card of its buyer, beside the open price, and on no other', async () => {
    const open = await ratesOf(market.acme)
    await quoted(aQuote('lr_one'))
    expect(await ratesOf(market.zenith)).toEqual(open)
    const quote = { locked_rate_id: 'lr_one', gross_rate_unit: 900.5, quote_expires_at: IN_AN_HOUR }
    const seen = await ratesOf(market.acme)
    expect(seen).toHaveLength(open.length + 1)
    expect(seen).toEqual(expect.arrayContaining([...open, expect.objectContaining(quote)]))
  })

  it('can be cited by that buyer, and does not exist for others', async () => {
    await quoted(aQuote('lr_cited'))
    expect((await market.acme.post('/orders', citing('lr_cited', 900.5))).status).toBe(201)
    const { body } = await market.zenith.post('/orders', citing('lr_cited', 900.5))
    expect(body).toMatchObject({ error_code: 'INVALID_INPUT', details: { locked_rate_id: 'lr_cited' } })
  })

  it('is a price until it lapses', async () => {
    await quoted(aQuote('lr_past', { quote_expires_at: LONG_AGO }))
    expect(JSON.stringify(await ratesOf(market.acme))).not.toContain('lr_past')
    const { body } = await market.acme.post('/orders', citing('lr_past', 900.5))
    expect(body).toMatchObject({ error_code: 'INVALID_INPUT', details: { locked_rate_id: 'lr_past' } })
  })

  it('is not a drift of the open price or of an earlier quote', async () => {
    const open = await market.created({
      line_items: [
        market.line({ period: { grain: 'week', start: '2030-W25' } }, { locked_rate_id: market.price('prime', '2030-W25') }),
        market.line({ period: { grain: 'month', start: '2030-06' } }, { locked_rate_id: market.price('prime', '2030-W25') }),
      ],
    })
    const week = { weeks: ['2030-W25'] } as const
    await quoted(aQuote('lr_low', { ...week, gross_rate_unit: '1' }))
    const cited = (await market.acme.post('/orders', citing('lr_low', 1, '2030-W25'))).body.order_id
    await quoted(aQuote('lr_high', { ...week, gross_rate_unit: '2' }))
    expect([await market.validate(open), await market.validate(cited)]).toEqual(['seller_review', 'seller_review'])
  })

  it('prices every week of a period alike, the first under the id that the line cites', async () => {
    await quoted(aQuote('lr_month', { weeks: ['2030-W22', '2030-W23'], gross_rate_unit: null, gross_rate_cpm: '17.25' }))
    const prices = [...(await ratesOf(market.acme, '2030-W22')), ...(await ratesOf(market.acme, '2030-W23'))]
    const found = prices.filter(({ gross_rate_cpm }) => gross_rate_cpm === 17.25).map(({ locked_rate_id }) => locked_rate_id)
    expect([...new Set(found)]).toEqual(['lr_month', expect.stringMatching(/^lr_\w{26}$/)])
  })

  it('is shown to its seller as a quote, and not as a version of the card', async () => {
    await quoted(aQuote('lr_shown'), aQuote('lr_shown_2', { weeks: ['2030-W26'] }))
    const [newest] = (await market.cable.get('/me/rate-cards')).body.items
    expect(newest).toMatchObject({
      effective: { start: '2030-06-10', end: '2030-06-30' },
      quote: { buyer_entity: 'acme', order_id: orderId },
    })
    const { entries } = (await market.cable.get(`/me/rate-cards/${newest.commit}`)).body
    expect(entries.map(({ locked_rate_id }: { locked_rate_id: string }) => locked_rate_id)).toEqual(['lr_shown', 'lr_shown_2'])
    expect((await market.acme.get('/sellers/cable/catalog')).body.rate_version).toBe('june')
    const order = market.order({ rate_version: newest.commit })
    expect((await market.zenith.post('/orders', order)).body).toMatchObject({ details: { field: 'rate_version' } })
    expect((await market.station.get(`/me/rate-cards/${newest.commit}`)).status).toBe(404)
  })

  it('is published with its event or not at all', async () => {
    const commits = async () => (await market.cable.get('/me/rate-cards?limit=200')).body.items.length
    const before = await commits()
    const outcome = { events: [{ status: 'negotiating' as const }], quotes: [aQuote('lr_one')], outcome: seqOf } // an id that is taken
    await expect(applyCommand(market.deps.orders, orderId, command(), () => outcome)).rejects.toThrow(/duplicate key/)
    expect([await commits(), (await market.snapshot(orderId)).status]).toEqual([before, 'negotiating'])
  })
  it('is no price in force of its seller, and no commit that a later one is compared with', async () => {
    const inForce = async () => (await market.cable.get('/me/rates?product_id=prime&weeks=2030-W27')).body.rates
    const before = await inForce()
    await quoted(aQuote('lr_own', { weeks: ['2030-W27'] }))
    expect(await inForce()).toEqual(before)
    const card = aCard('july', [aRate('prime')], { effective: { start: '2030-07-01', end: '2030-07-31' } })
    expect((await market.cable.put('/me/rate-cards', card)).status).toBe(200)
    expect((await market.cable.get('/me/rate-cards/july/diff')).body.against).toBe('june')
  })
})
