import { beforeAll, describe, expect, it } from '@jest/globals'
import { inHours, type Proposals, proposalsOf } from '../../support/orders/proposals.ts'
import { aProduct } from '../../support/orders/published.ts'
import { rowCounts } from '../../support/orders/storedOrders.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
let proposals: Proposals
beforeAll(async () => {
  proposals = await proposalsOf(market)
})

const send = (orderId: string, plan: object | string) => market.cable.post(`/me/orders/${orderId}/plan`, plan)
const fieldsOf = ({ body }: { body: { details: { errors: { field: string }[] } } }) => body.details.errors.map(({ field }) => field)
const { product_id: _, ...NEW_PRODUCT } = aProduct('any', { name: 'Made for Acme', currencies: ['A25-54'] })

describe('POST /me/orders/{id}/plan: 404', () => {
  it("is the same for an unknown order and another seller's", async () => {
    const orderId = await proposals.asked()
    const foreign = await market.station.post(`/me/orders/${orderId}/plan`, proposals.plan())
    const unknown = await market.station.post('/me/orders/ord_none/plan', proposals.plan())
    expect([foreign.status, foreign.body]).toEqual([404, unknown.body])
  })
})

describe('POST /me/orders/{id}/plan: 409', () => {
  it('is CONFLICT for a plan_id with other bytes', async () => {
    const orderId = await proposals.asked()
    await proposals.planned(orderId, { plan_id: 'P-1' })
    const { status, body } = await send(orderId, proposals.plan({ plan_id: 'P-1', line_items: [proposals.line({ units: 3 })] }))
    expect([status, body.error_code, body.details.plan_id]).toEqual([409, 'CONFLICT', 'P-1'])
  })

  it('is INVALID_STATE with status and last_seq for an order that waits for no plan', async () => {
    const submitted = (await market.acme.post('/orders', { ...market.order(), line_items: undefined, request: { request_type: 'specs' } }))
      .body.order_id
    const confirmed = await proposals.asked()
    await proposals.planned(confirmed)
    await market.acme.post(`/orders/${confirmed}/confirm`, { action: 'confirm', actor: 'Bea' })
    for (const orderId of [submitted, confirmed, await market.parked(), await market.created()]) {
      const { status: at, last_seq } = await market.snapshot(orderId)
      const { status, body } = await send(orderId, proposals.plan())
      expect([status, body.error_code, body.details]).toMatchObject([409, 'INVALID_STATE', { status: at, last_seq }])
    }
  })
})

describe('POST /me/orders/{id}/plan: 422', () => {
  let orderId: string
  beforeAll(async () => {
    orderId = await proposals.asked({}, { flight: { start: '2030-05-27', end: '2030-06-30' } })
  })
  const charity = () => ({ advertiser_class: 'charity', cpm: 0.67, locked_rate_id: market.price('prime', '2030-W23', 'charity') })

  it.each<[string, () => Record<string, unknown>, string[]]>([
    ['no line', () => ({ line_items: [] }), ['line_items']],
    ['no expiry', () => ({ expires_at: undefined }), ['expires_at']],
    ['no plan_totals', () => ({ plan_totals: undefined }), ['plan_totals']],
    ['an expiry in the past', () => ({ expires_at: inHours(-1) }), ['expires_at']],
    ['an unknown product', () => ({ line_items: [proposals.line({ product_id: 'nothing' })] }), ['line_items.0.product_id']],
    [
      'a product that the buyer may not see',
      () => ({ line_items: [proposals.quoted({ product_id: 'hidden' })] }),
      ['line_items.0.product_id'],
    ],
    ['neither product nor product_id', () => ({ line_items: [proposals.line({ product_id: undefined })] }), ['line_items.0.product_id']],
    ['both product and product_id', () => ({ line_items: [proposals.quoted({ product: NEW_PRODUCT })] }), ['line_items.0.product_id']],
    [
      'a new product without a quote',
      () => ({ line_items: [proposals.line({ product_id: undefined, product: NEW_PRODUCT })] }),
      ['line_items.0.quote'],
    ],
    ['a cost beside a quote', () => ({ line_items: [proposals.quoted({}, {}, { unit_cost: 5 })] }), ['line_items.0.rate.unit_cost']],
    [
      'a citation beside a quote',
      () => ({ line_items: [proposals.quoted({}, {}, { locked_rate_id: 'lr_1' })] }),
      ['line_items.0.rate.locked_rate_id'],
    ],
    [
      'a quote that is null, as one that is absent',
      () => ({ line_items: [proposals.quoted({ quote: null })] }),
      ['line_items.0.rate.locked_rate_id', 'line_items.0.rate.unit_cost'],
    ],
    ['a quote of both costs', () => ({ line_items: [proposals.quoted({}, { unit_cost: 5, cpm: 5 })] }), ['line_items.0.quote.unit_cost']],
    ['a quote of nothing', () => ({ line_items: [proposals.quoted({}, { unit_cost: undefined })] }), ['line_items.0.quote.unit_cost']],
    [
      'neither citation nor quote',
      () => ({ line_items: [proposals.line({}, { locked_rate_id: undefined })] }),
      ['line_items.0.rate.locked_rate_id'],
    ],
    [
      'a price that is not the published one',
      () => ({ line_items: [proposals.line({}, { unit_cost: 1 })] }),
      ['line_items.0.rate.unit_cost'],
    ],
    ['neither units nor a goal', () => ({ line_items: [proposals.line({ units: undefined })] }), ['line_items.0.units']],
    [
      'a goal without a figure of what a unit delivers',
      () => ({ line_items: [proposals.line({ units: undefined, impressions_goal: 5 })] }),
      ['line_items.0.units'],
    ],
    [
      'units that are not those of the goal',
      () => ({
        line_items: [proposals.quoted({ units: 2, impressions_goal: 100 }, {}, { guaranteed_impressions: 100, audience_code: 'HH' })],
      }),
      ['line_items.0.units'],
    ],
    ['a cpm without impressions to apply it to', () => ({ line_items: [proposals.quoted({}, { cpm: 5 })] }), ['line_items.0.rate.cpm']],
    [
      'a guarantee without its audience',
      () => ({ line_items: [proposals.quoted({}, {}, { buy_type: 'audience_guaranteed' })] }),
      ['line_items.0.rate.audience_code'],
    ],
    ['another currency', () => ({ line_items: [proposals.quoted({}, {}, { currency: 'EUR' })] }), ['line_items.0.rate.currency']],
    ['a creative of the buyer', () => ({ line_items: [proposals.line({ creative_id: 'crv_1' })] }), ['line_items.0.creative_id']],
    ['a date outside the flight', () => ({ line_items: [proposals.quoted({ period: { grain: 'week', start: '2030-W28' } })] }), ['flight']],
    [
      'a week that does not exist',
      () => ({ line_items: [proposals.quoted({ period: { grain: 'week', start: '2030-W53' } })] }),
      ['line_items.0.period.start'],
    ],
    [
      'a mirror that the buyer may not see',
      () => ({ line_items: [proposals.quoted({ product_id: undefined, product: { ...NEW_PRODUCT, mirror_product_id: 'hidden' } })] }),
      ['line_items.0.product.mirror_product_id'],
    ],
    [
      'an expiry after the first quote lapses, and a line beside it that is wrong',
      () => ({
        line_items: [
          proposals.quoted({}, { expires_at: inHours(2) }),
          proposals.line({ product_id: 'nothing' }),
          proposals.line({}, { ...charity(), unit_cost: undefined, cpm: 7 }),
        ],
      }),
      ['line_items.1.product_id', 'line_items.2.rate.cpm', 'expires_at'],
    ],
  ])('refuses %s, and changes nothing', async (_, more, fields) => {
    const before = [await rowCounts(market.deps.db), (await market.cable.get('/me/catalog')).body.products.length]
    const reply = await send(orderId, proposals.plan(more()))
    expect([reply.status, fieldsOf(reply)]).toEqual([422, fields])
    expect([await rowCounts(market.deps.db), (await market.cable.get('/me/catalog')).body.products.length]).toEqual(before)
  })

  it('names the earliest quote that a plan would outlive, cited or new', async () => {
    const earliest_quote_expires_at = inHours(5)
    const first = await proposals.asked()
    await proposals.planned(first, {
      line_items: [proposals.quoted({}, { expires_at: earliest_quote_expires_at })],
      expires_at: earliest_quote_expires_at,
    })
    const [artifact] = (await market.snapshot(first)).artifacts as { line_items: { rate: { locked_rate_id: string } }[] }[]
    const cited = proposals.line(
      { period: { grain: 'week', start: '2030-W24' } },
      { unit_cost: 900.5, locked_rate_id: artifact?.line_items[0]?.rate.locked_rate_id },
    )
    for (const line of [cited, proposals.quoted({}, { expires_at: earliest_quote_expires_at })]) {
      const { status, body } = await send(orderId, proposals.plan({ line_items: [line, proposals.quoted()], expires_at: inHours(6) }))
      expect([status, body.details]).toMatchObject([422, { field: 'expires_at', earliest_quote_expires_at }])
    }
  })

  it('names the first line and date outside the flight of the request', async () => {
    const bounded = await proposals.asked({ flight: { start: '2030-06-10', end: '2030-06-30' } })
    const { status, body } = await send(bounded, proposals.plan())
    expect([status, body.details]).toMatchObject([422, { field: 'flight', line: 0, date: '2030-06-03' }])
    const inside = proposals.plan({ line_items: [proposals.quoted()] })
    expect((await send(bounded, inside)).status).toBe(202)
  })

  it('refuses an external_ref that another product has', async () => {
    await market.cable.put('/me/catalog', { taxonomy_version: 'tax-1', products: [aProduct('referred', { external_ref: 'ref-1' })] })
    const product = { ...NEW_PRODUCT, external_ref: 'ref-1' }
    const { status, body } = await send(orderId, proposals.plan({ line_items: [proposals.quoted({ product_id: undefined, product })] }))
    expect([status, body.error_code, body.details]).toMatchObject([
      422,
      'DUPLICATE_EXTERNAL_REF',
      { field: 'line_items.0.product.external_ref', external_ref: 'ref-1' },
    ])
  })
})
