import { beforeAll, describe, expect, it } from '@jest/globals'
import { MAX_GROSS } from '../../../src/contract/vocabulary/bounds.ts'
import { counterOrder, decideOrder } from '../../support/orders/decisions.ts'
import { aCard, aRate } from '../../support/orders/published.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
let cited: string
beforeAll(async () => {
  const effective = { start: '2030-06-03', end: '2030-06-09' }
  const card = aCard('expensive', [aRate('prime', { advertiser_class: 'expensive', gross_rate_unit: UNIT_COST })], { effective })
  expect((await market.cable.put('/me/rate-cards', card)).body.rejected).toBe(0)
  cited = (await market.cable.get('/me/rate-cards/expensive')).body.entries[0].locked_rate_id
})

const UNIT_COST = 137_174_210.13
const ordering = (units: number) =>
  market.order({ line_items: [market.line({ units }, { advertiser_class: 'expensive', unit_cost: UNIT_COST, locked_rate_id: cited })] })

describe('POST /orders: 422 for its total', () => {
  it('refuses an amount that a JSON number cannot carry to the cent, and takes one that it can', async () => {
    const { status, body } = await market.acme.post('/orders', ordering(1_000_000_000))
    expect([status, body.error_code, body.details]).toMatchObject([
      422,
      'INVALID_INPUT',
      { field: 'line_items.0.units', maximum: MAX_GROSS },
    ])
    expect(body.error_message).toContain('137174210130000000.00')
    const { body: created } = await market.acme.post('/orders', ordering(72_899))
    const { text } = await market.acme.get(`/orders/${created.order_id}`)
    expect(text).toContain('"gross":9999862744266.87,')
  })

  it('is reported by a dry run too', async () => {
    const { body } = await market.acme.post('/orders?dry_run=true', ordering(72_901))
    expect(body.details).toMatchObject({ field: 'line_items.0.units', maximum: MAX_GROSS })
  })
})

describe('POST /me/orders/{id}/decide: 422 for the total that would result', () => {
  it('takes no counter beyond the bound', async () => {
    const { body } = await market.acme.post('/orders', ordering(72_899))
    await market.validate(body.order_id)
    const reply = await counterOrder(market, body.order_id, { unit_cost: 138_000_000 })
    expect([reply.status, reply.body.details]).toMatchObject([422, { field: 'units', maximum: MAX_GROSS }])
  })
})

describe('PUT /me/agreements/{id}: 422 for an amount', () => {
  it.each([
    ['credit_limit', 0.001],
    ['commitment_gross', 10_000_000_000_000],
  ])('refuses a %s of %d', async (member, amount) => {
    const body = { buyer_entity: 'acme', effective: { start: '2020-01-01', end: '2099-12-31' }, [member]: amount }
    const reply = await market.cable.put('/me/agreements/agr-amount', body)
    expect([reply.status, reply.body.details.field]).toEqual([422, member])
  })
})

describe('GET /agreements/{id}/pacing', () => {
  it('returns no figure that a JSON number cannot carry', async () => {
    await market.cable.put('/me/agreements/agr-huge', { buyer_entity: 'acme', effective: { start: '2020-01-01', end: '2099-12-31' } })
    for (let each = 0; each < 2; each++) {
      const { body } = await market.acme.post('/orders', { ...ordering(72_899), agreement_id: 'agr-huge' })
      await market.validate(body.order_id)
      await decideOrder(market, body.order_id, { decision: 'approve' })
    }
    const { status, body } = await market.acme.get('/agreements/agr-huge/pacing')
    expect([status, body.details.field]).toEqual([422, 'agreement_id'])
  })
})
