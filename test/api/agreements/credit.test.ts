import { beforeAll, describe, expect, it } from '@jest/globals'
import { counterOrder, decideOrder } from '../../support/orders/decisions.ts'
import { parsedOrder, sheetOf, takesDocuments } from '../../support/orders/documentOrders.ts'
import { type Proposals, proposalsOf } from '../../support/orders/proposals.ts'
import { anAgreement } from '../../support/orders/published.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

const grant = async (id: string, more: object = {}) => {
  const body = anAgreement({ settlement_mode: 'cleared', ...more })
  expect((await market.cable.put(`/me/agreements/${id}`, body)).status).toBe(201)
}
const orderUnder = (agreement_id: string) =>
  market.acme.post('/orders', market.order({ agreement_id, line_items: [market.line({ units: 10 })] }))
const creditOf = async (id: string) => (await market.acme.get(`/settlement/credit?agreement=${id}`)).body
/** What ten units cost. */
const gross = async () =>
  (await market.acme.post('/orders?dry_run=true', market.order({ line_items: [market.line({ units: 10 })] }))).body.totals.gross

describe('POST /orders: 422 CREDIT_LIMIT', () => {
  it('lets an order reach the cap exactly, and refuses the next', async () => {
    const each = await gross()
    await grant('agr-cap', { credit_limit: each * 2 })
    expect((await orderUnder('agr-cap')).status).toBe(201)
    const second = await orderUnder('agr-cap')
    expect(second.status).toBe(201)
    expect(await creditOf('agr-cap')).toMatchObject({ credit_limit: each * 2, exposure: each * 2, available: 0 })
    const third = await orderUnder('agr-cap')
    expect(third.status).toBe(422)
    expect(third.body).toMatchObject({ error_code: 'CREDIT_LIMIT', details: { available: 0, gross: each } })
    await market.acme.post(`/orders/${second.body.order_id}/cancel`, {})
    expect((await orderUnder('agr-cap')).status).toBe(201)
  })

  it('holds under twenty creates at once', async () => {
    const each = await gross()
    await grant('agr-race', { credit_limit: each * 3 })
    const replies = await Promise.all(Array.from({ length: 20 }, () => orderUnder('agr-race')))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(replies.filter(({ status }) => status === 422)).toHaveLength(17)
    expect((await creditOf('agr-race')).available).toBe(0)
  })

  it('replays a simultaneous duplicate, and draws once', async () => {
    const each = await gross()
    await grant('agr-duplicates', { credit_limit: each })
    const order = market.order({ agreement_id: 'agr-duplicates', line_items: [market.line({ units: 10 })] })
    const replies = await Promise.all(Array.from({ length: 8 }, () => market.acme.post('/orders', order)))
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(201))
    expect(new Set(replies.map(({ body }) => body.order_id)).size).toBe(1)
    expect((await creditOf('agr-duplicates')).exposure).toBe(each)
  })

  it('is reported by a dry run too, and does not bind an order that settles direct', async () => {
    await grant('agr-dry', { credit_limit: 1 })
    const order = market.order({ agreement_id: 'agr-dry' })
    expect((await market.acme.post('/orders?dry_run=true', order)).body.error_code).toBe('CREDIT_LIMIT')
    await grant('agr-direct', { credit_limit: 1, settlement_mode: 'direct' })
    expect((await orderUnder('agr-direct')).status).toBe(201)
  })
})

describe('a revision of an order on credit', () => {
  const revised = (agreement_id: string, supersedes: string, units = 10) =>
    market.acme.post('/orders', market.order({ agreement_id, revision: { supersedes }, line_items: [market.line({ units })] }))

  it('is charged only what it adds, and counts once together with what it revises', async () => {
    const each = await gross()
    await grant('agr-revise', { credit_limit: each })
    const first = (await orderUnder('agr-revise')).body.order_id
    const second = await revised('agr-revise', first)
    expect(second.status).toBe(201)
    expect((await revised('agr-revise', first, 8)).status).toBe(201)
    expect(await creditOf('agr-revise')).toMatchObject({ exposure: each, available: 0 })
    const larger = await revised('agr-revise', second.body.order_id, 11)
    expect([larger.status, larger.body.details]).toMatchObject([
      422,
      { exposure: each, available: 0, gross: each + each / 10, adds: each / 10 },
    ])
    expect((await orderUnder('agr-revise')).body.error_code).toBe('CREDIT_LIMIT')
    await market.acme.post(`/orders/${second.body.order_id}/cancel`, {})
    await market.acme.post(`/orders/${first}/cancel`, {})
    expect((await creditOf('agr-revise')).exposure).toBe((each * 8) / 10)
  })
})

describe('a negotiation on credit', () => {
  const counter = (orderId: string, unit_cost: number) => counterOrder(market, orderId, { unit_cost })

  it('counts the more expensive of request and counter, refuses a counter beyond the cap, and never refuses an accept', async () => {
    const each = await gross()
    await grant('agr-counter', { credit_limit: each * 2 })
    const orderId = await market.parked({ agreement_id: 'agr-counter', line_items: [market.line({ units: 10 })] })
    expect((await counter(orderId, each / 20)).status).toBe(202)
    expect(await creditOf('agr-counter')).toMatchObject({ exposure: each })
    expect((await counter(orderId, each / 5)).status).toBe(202)
    expect(await creditOf('agr-counter')).toMatchObject({ exposure: each * 2, available: 0 })
    const beyond = await counter(orderId, each / 5 + 0.01)
    expect([beyond.status, beyond.body.error_code]).toEqual([422, 'CREDIT_LIMIT'])
    expect((await orderUnder('agr-counter')).body.error_code).toBe('CREDIT_LIMIT')
    const agreement = (await market.cable.get('/me/agreements/agr-counter')).body
    await market.cable.put('/me/agreements/agr-counter', { ...agreement, credit_limit: 1 })
    expect((await market.acme.post(`/orders/${orderId}/respond`, { action: 'accept' })).body).toMatchObject({ status: 'placed' })
    expect(await creditOf('agr-counter')).toMatchObject({ exposure: each * 2 })
  })

  it('releases what was reserved for a counter once the seller approves the original request', async () => {
    const each = await gross()
    await grant('agr-back', { credit_limit: each * 2 })
    const orderId = await market.parked({ agreement_id: 'agr-back', line_items: [market.line({ units: 10 })] })
    await counter(orderId, each / 5)
    await decideOrder(market, orderId, { decision: 'approve' })
    expect(await creditOf('agr-back')).toMatchObject({ exposure: each })
  })

  it('grants what is left to one of two counters at once', async () => {
    const each = await gross()
    await grant('agr-rounds', { credit_limit: each * 3 })
    const order = { agreement_id: 'agr-rounds', line_items: [market.line({ units: 10 })] }
    const orders = [await market.parked(order), await market.parked(order)]
    const replies = await Promise.all(orders.map((orderId) => counter(orderId, each / 5)))
    expect(replies.map(({ status }) => status).sort()).toEqual([202, 422])
    expect((await creditOf('agr-rounds')).available).toBe(0)
  })
})

describe('POST /orders: 422 for a currency other than that of the cleared agreement', () => {
  it('names the line, and accepts any currency in an order that settles direct', async () => {
    const inEuro = { advertiser_class: 'export', currency: 'EUR', locked_rate_id: market.price('prime', '2030-W23', 'export') }
    const order = (agreement_id: string) => market.order({ agreement_id, line_items: [market.line({}, inEuro)] })
    await grant('agr-dollar', { credit_limit: 1_000_000 })
    const { status, body } = await market.acme.post('/orders', order('agr-dollar'))
    expect([status, body.details]).toMatchObject([422, { field: 'line_items.0.rate.currency', currency: 'USD' }])
    await grant('agr-euro', { currency: 'EUR' })
    expect((await market.acme.post('/orders', order('agr-euro'))).status).toBe(201)
    await grant('agr-any', { settlement_mode: 'direct' })
    expect((await market.acme.post('/orders', order('agr-any'))).status).toBe(201)
  })
})

describe('POST /orders/{id}/confirm: 422 CREDIT_LIMIT', () => {
  let proposals: Proposals
  beforeAll(async () => {
    proposals = await proposalsOf(market)
    await takesDocuments(market)
  })
  const confirm = (orderId: string) => market.acme.post(`/orders/${orderId}/confirm`, { action: 'confirm', actor: 'Bea' })
  const planned = async (agreement_id: string, request = {}) => {
    const orderId = await proposals.asked(request, { agreement_id })
    return { orderId, ...(await proposals.planned(orderId, { plan_totals: { gross: await gross() } })) }
  }

  it('lets a plan and a document reach the cap exactly, refuses the next, and changes nothing then', async () => {
    const each = await gross()
    await grant('agr-confirm', { credit_limit: each * 2 })
    const [first, second] = [await planned('agr-confirm'), await planned('agr-confirm')]
    const document = await parsedOrder(market, sheetOf({}), 'csv', { agreement_id: 'agr-confirm' })
    expect(await creditOf('agr-confirm')).toMatchObject({ exposure: 0 })
    expect([(await confirm(first.orderId)).status, (await confirm(document)).status]).toEqual([202, 202])
    expect(await creditOf('agr-confirm')).toMatchObject({ exposure: each * 2, available: 0 })
    const { status, body } = await confirm(second.orderId)
    expect([status, body]).toMatchObject([422, { error_code: 'CREDIT_LIMIT', details: { available: 0, gross: each } }])
    expect(await market.snapshot(second.orderId)).toMatchObject({ status: 'needs_confirmation', last_seq: second.last_seq })
    await market.acme.post(`/orders/${document}/cancel`, {})
    expect((await confirm(second.orderId)).status).toBe(202)
    expect((await confirm(first.orderId)).status).toBe(202) // a repeat draws nothing
  })

  it('holds under confirms and creates at once', async () => {
    const each = await gross()
    await grant('agr-both', { credit_limit: each * 3 })
    const plans = await Promise.all(Array.from({ length: 6 }, () => planned('agr-both')))
    const replies = await Promise.all(plans.flatMap(({ orderId }) => [confirm(orderId), orderUnder('agr-both')]))
    expect(replies.filter(({ status }) => status < 300)).toHaveLength(3)
    expect((await creditOf('agr-both')).available).toBe(0)
  })

  it('leaves a plan to the buyer where the acceptance band would confirm it beyond the current cap', async () => {
    const each = await gross()
    await grant('agr-band', { credit_limit: each - 1 })
    const { orderId, ...plan } = await planned('agr-band', {
      acceptance_band: { metric: 'budget', tolerance_pct: 0, action: 'auto_accept' },
    })
    expect(plan).toMatchObject({ acceptance_band: 'satisfied', status: 'needs_confirmation', last_seq: 3 })
    expect((await confirm(orderId)).body.error_code).toBe('CREDIT_LIMIT')
    const agreement = (await market.cable.get('/me/agreements/agr-band')).body
    expect((await market.cable.put('/me/agreements/agr-band', { ...agreement, credit_limit: each })).status).toBe(200)
    expect((await confirm(orderId)).body).toMatchObject({ status: 'seller_review' })
  })

  it('does not bind an order that settles direct', async () => {
    await grant('agr-free', { credit_limit: 1, settlement_mode: 'direct' })
    expect((await confirm((await planned('agr-free')).orderId)).status).toBe(202)
  })
})

describe('GET /agreements/{id}/pacing: 200', () => {
  it('books placed orders at totals.gross, without those that wait or were canceled', async () => {
    await grant('agr-pace', { commitment_gross: 1_000_000, settlement_mode: 'direct' })
    const pacing = async () => (await market.acme.get('/agreements/agr-pace/pacing')).body
    await market.parked({ agreement_id: 'agr-pace' })
    expect(await pacing()).toMatchObject({ booked_gross: 0, remaining: 1_000_000 })
    const placed = await market.placed({ agreement_id: 'agr-pace' })
    const { gross } = (await market.snapshot(placed)).totals as { gross: number }
    expect(gross).toBeGreaterThan(0)
    expect(await pacing()).toMatchObject({ commitment_gross: 1_000_000, booked_gross: gross, remaining: 1_000_000 - gross })
    await market.acme.post(`/orders/${placed}/cancel`, {})
    expect(await pacing()).toMatchObject({ booked_gross: 0, remaining: 1_000_000 })
  })
})

describe('GET /me/agreements/{id}/pacing and /credit: 200', () => {
  it('have the figures that the buyer reads', async () => {
    await grant('agr-granted', { commitment_gross: 1_000_000, credit_limit: 500_000 })
    await market.placed({ agreement_id: 'agr-granted' })
    const without = ({ as_of: _, ...figures }: Record<string, unknown>) => figures
    const pacing = (await market.cable.get('/me/agreements/agr-granted/pacing')).body
    expect(pacing.booked_gross).toBeGreaterThan(0)
    expect(without(pacing)).toEqual(without((await market.acme.get('/agreements/agr-granted/pacing')).body))
    const credit = (await market.cable.get('/me/agreements/agr-granted/credit')).body
    expect(credit.exposure).toBeGreaterThan(0)
    expect(without(credit)).toEqual(without(await creditOf('agr-granted')))
  })
})

describe('GET /me/agreements/{id}/pacing and /credit: 404', () => {
  it('is the answer to other sellers, and for an unknown agreement', async () => {
    await grant('agr-of-cable')
    for (const figures of ['pacing', 'credit']) {
      expect((await market.station.get(`/me/agreements/agr-of-cable/${figures}`)).status).toBe(404)
      expect((await market.cable.get(`/me/agreements/agr-nowhere/${figures}`)).status).toBe(404)
    }
  })
})

describe('GET /settlement/credit: 200', () => {
  it('has no limit where the agreement has none', async () => {
    await grant('agr-open')
    expect(await creditOf('agr-open')).toMatchObject({ credit_limit: null, available: null, exposure: 0 })
  })
})

describe('GET /settlement/credit: 404', () => {
  it('is the answer for the agreement of another buyer', async () => {
    await grant('agr-of-acme')
    expect((await market.zenith.get('/settlement/credit?agreement=agr-of-acme')).status).toBe(404)
  })
})

describe('GET /settlement/credit: 422', () => {
  it('requires the agreement', async () => {
    const { status, body } = await market.acme.get('/settlement/credit')
    expect([status, body.details.missing]).toEqual([422, ['agreement']])
  })
})
