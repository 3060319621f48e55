import { beforeAll, describe, expect, it } from '@jest/globals'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
beforeAll(async () => {
  const modes = { catalog: true, proposal: true, document: false }
  expect((await market.cable.put('/me/capabilities', { modes })).status).toBe(200)
})

const PLAN = {
  request_type: 'audience_plan',
  audience: { definition: { demo: 'A25-54' }, currency_goal: { unit: 'A25-54', target: 5_000_000 } },
  budget_gross: 250_000.5,
  flight: { start: '2030-05-27', end: '2030-06-30' },
  acceptance_band: { metric: 'delivery', tolerance_pct: 2, action: 'auto_accept' },
}
const proposal = (request: unknown, more: object = {}) => {
  const { line_items: _, ...order } = market.order()
  return { ...order, request, ...more }
}
const create = (request: unknown, more: object = {}) => market.acme.post('/orders', proposal(request, more))
const faultsOf = async (request: unknown) => {
  const { status, body } = await create(request)
  expect(status).toBe(422)
  return body.details.errors.map(({ field }: { field: string }) => field)
}

describe('POST /orders with a request: 201', () => {
  it('is a proposal, which waits for the plan of its seller', async () => {
    const { status, body } = await create(PLAN, { workflow: 'catalog' })
    expect(status).toBe(201)
    expect(await market.snapshot(body.order_id)).toMatchObject({
      workflow: 'proposal',
      status: 'submitted',
      line_items: [],
      totals: { gross: 0, currency: 'USD' },
    })
    await market.validate(body.order_id)
    await market.validate(body.order_id)
    const snapshot = await market.snapshot(body.order_id)
    expect(snapshot).toMatchObject({ status: 'validating', substatus: 'awaiting_plan', last_seq: 2, waiting_on: { party: 'seller' } })
    expect(snapshot.allowed_actions).toEqual(['cancel'])
    const { body: forSeller } = await market.cable.get(`/me/orders/${body.order_id}`)
    expect(forSeller.allowed_actions).toEqual(['plan'])
    expect(forSeller.request).toEqual(PLAN)
    expect(snapshot.request).toEqual(PLAN)
    expect((await market.cable.get(`/me/orders/${body.order_id}?at_seq=1`)).body.request).toEqual(PLAN)
    const { body: list } = await market.cable.get('/me/orders?limit=1')
    expect(list.orders[0].order_id).toBe(body.order_id)
    expect(list.orders[0]).not.toHaveProperty('request')
    expect((await market.acme.post(`/orders/${body.order_id}/cancel`, {})).body.status).toBe('canceled')
  })

  it.each([
    ['specs with a budget', { request_type: 'specs', budget_gross: 1000, constraints: { spot_lengths: [15, 30] } }],
    ['an open brief', { request_type: 'open', brief: 'Reach young parents in the north before summer.' }],
    ['a budget band without a goal', { request_type: 'specs', acceptance_band: { metric: 'budget', tolerance_pct: 0, action: 'flag' } }],
  ])('takes %s', async (_, request) => {
    expect((await create(request)).status).toBe(201)
  })
})

describe('POST /orders with a request: 422', () => {
  it.each([
    ['no audience on an audience plan', { ...PLAN, audience: undefined }, ['acceptance_band.metric', 'audience']],
    ['no source of the audience', { ...PLAN, audience: { currency_goal: PLAN.audience.currency_goal } }, ['audience']],
    ['two sources of the audience', { ...PLAN, audience: { ...PLAN.audience, audience_id: 'aud' } }, ['audience.audience_id']],
    ['a delivery band without a currency_goal', { ...PLAN, audience: { audience_id: 'aud' } }, ['acceptance_band.metric']],
    ['an open request without its brief', { request_type: 'open' }, ['brief']],
    ['an unknown type', { request_type: 'wish' }, ['request_type']],
    [
      'a tolerance below zero',
      { ...PLAN, acceptance_band: { ...PLAN.acceptance_band, tolerance_pct: -1 } },
      ['acceptance_band.tolerance_pct'],
    ],
    ['a flight that ends before it starts', { ...PLAN, flight: { start: '2030-06-30', end: '2030-06-01' } }, ['flight.end']],
  ])('refuses %s', async (_, request, fields) => {
    expect(await faultsOf(request)).toEqual(fields.map((field) => `request.${field}`))
  })

  it('refuses attachments with a request, and a request with lines', async () => {
    const attachment = { upload_id: 'upl_1', format: 'pdf', role: 'other', filename: 'a.pdf', sha256: 'a'.repeat(64) }
    const beside = await create(PLAN, { attachments: [attachment] })
    expect(beside.body.details.field).toBe('attachments')
    const both = await create(PLAN, { line_items: [market.line()] })
    expect([both.status, both.body.error_code]).toEqual([422, 'INVALID_INPUT'])
  })

  it('refuses a workflow that the seller does not declare', async () => {
    const { status, body } = await create(PLAN, { seller: 'station', rate_version: 'june-local' })
    expect([status, body.details.field]).toEqual([422, 'workflow'])
  })
})
