import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parsedOrder, sheetOf, takesDocuments } from '../../support/documentOrders.ts'
import { type Market, startMarket } from '../../support/market.ts'
import { type Proposals, proposalsOf } from '../../support/proposals.ts'

let market: Market
beforeAll(async () => {
  market = await startMarket()
})
afterAll(() => market.stop())

const grant = async (id: string, more: object = {}) => {
  const body = { buyer_entity: 'acme', effective: { start: '2020-01-01', end: '2099-12-31' }, settlement_mode: 'cleared', ...more }
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

  it('replays a twin that came at the same time, and draws once', async () => {
    const each = await gross()
    await grant('agr-twins', { credit_limit: each })
    const order = market.order({ agreement_id: 'agr-twins', line_items: [market.line({ units: 10 })] })
    const replies = await Promise.all(Array.from({ length: 8 }, () => market.acme.post('/orders', order)))
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(201))
    expect(new Set(replies.map(({ body }) => body.order_id)).size).toBe(1)
    expect((await creditOf('agr-twins')).exposure).toBe(each)
  })

  it('is told by a dry run too, and does not bind an order that settles direct', async () => {
    await grant('agr-dry', { credit_limit: 1 })
    const order = market.order({ agreement_id: 'agr-dry' })
    expect((await market.acme.post('/orders?dry_run=true', order)).body.error_code).toBe('CREDIT_LIMIT')
    await grant('agr-direct', { credit_limit: 1, settlement_mode: 'direct' })
    expect((await orderUnder('agr-direct')).status).toBe(201)
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

  it('leaves to the buyer what the acceptance band would confirm beyond the cap as it stands then', async () => {
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
  it('books placed orders at totals.gross; one that waits has not come, one that was canceled has left', async () => {
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

describe('GET /settlement/credit', () => {
  it('requires the agreement', async () => {
    const { status, body } = await market.acme.get('/settlement/credit')
    expect([status, body.details.missing]).toEqual([422, ['agreement']])
  })
  it('is null where there is no cap, and 404 to others', async () => {
    await grant('agr-open')
    expect(await creditOf('agr-open')).toMatchObject({ credit_limit: null, available: null, exposure: 0 })
    expect((await market.zenith.get('/settlement/credit?agreement=agr-open')).status).toBe(404)
  })
})
