import { describe, expect, it } from '@jest/globals'
import { counterBody } from '../../support/orders/decisions.ts'
import { anAgreement } from '../../support/orders/published.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

const decide = (orderId: string, body: object, query = '') => market.cable.post(`/me/orders/${orderId}/decide${query}`, body)
const dryRun = (orderId: string, body: object) => decide(orderId, body, '?dry_run=true')
const APPROVE = { decision: 'approve', actor: 'Ada' }
const rowsOf = async () =>
  (
    await market.owner().query(`select (select count(*) from order_events) as events, (select count(*) from order_outcomes) as outcomes,
      (select count(*) from rate_commits) as commits, (select count(*) from outbox) as woken, (select sum(drawn) from orders) as drawn`)
  ).rows

describe('POST /me/orders/{id}/decide?dry_run=true: 200', () => {
  it('returns the reply that the decision would get, with the totals, and writes nothing', async () => {
    const orderId = await market.parked({ line_items: [market.line(), market.line({ units: 4 })] })
    const before = await rowsOf()
    const { line_items } = await market.snapshot(orderId)
    const some = { ...APPROVE, units: [{ unit_id: line_items[1]?.unit_id, action: 'reject' }] }
    for (const body of [APPROVE, some, { decision: 'reject', actor: 'Ada' }, await counterBody(market, orderId, { unit_cost: 900 })]) {
      const { status, body: preview } = await dryRun(orderId, body)
      expect([status, preview]).toMatchObject([200, { order_id: orderId, last_seq: 4, totals: { currency: 'USD' } }])
    }
    expect(await rowsOf()).toEqual(before)
    const { body: preview } = await dryRun(orderId, some)
    expect(preview).toMatchObject({ status: 'placed', units_accepted: 1, units_rejected: 1, totals: { gross: 12_505, currency: 'USD' } })
    const { body: reply } = await decide(orderId, some)
    const { totals, ...same } = preview
    expect(reply).toEqual(same)
    expect((await market.snapshot(orderId)).totals).toEqual(totals)
  })

  it('returns the stored outcome to a repeat', async () => {
    const orderId = await market.placed()
    const { status, body } = await dryRun(orderId, APPROVE)
    expect([status, body]).toMatchObject([200, { status: 'placed', last_seq: 4, totals: { gross: 12_505 } }])
  })
})

describe('POST /me/orders/{id}/decide?dry_run=true: 409', () => {
  it('refuses an order that has changed since its sender read it, or that accepts no decision', async () => {
    const { status, body } = await dryRun(await market.parked(), { ...APPROVE, last_seq: 2 })
    expect([status, body]).toMatchObject([409, { error_code: 'INVALID_STATE', details: { last_seq: 3 } }])
    expect((await dryRun(await market.failed(), APPROVE)).status).toBe(409)
  })
})

describe('POST /me/orders/{id}/decide?dry_run=true: 422', () => {
  it('refuses what the decision would refuse', async () => {
    const orderId = await market.parked()
    const faulty = { ...APPROVE, units: [{ unit_id: 'unit_none', action: 'reject' }] }
    const [dry, real] = [await dryRun(orderId, faulty), await decide(orderId, faulty)]
    expect([dry.status, dry.body]).toEqual([real.status, real.body])
    expect(dry.body.details.field).toBe('units.0.unit_id')
    expect((await decide(orderId, APPROVE, '?dry_run=maybe')).status).toBe(422)
  })

  it('holds a counter to the credit of the agreement, as the decision does', async () => {
    const terms = anAgreement({ settlement_mode: 'cleared', credit_limit: 13_000 })
    expect((await market.cable.put('/me/agreements/agr-dry', terms)).status).toBe(201)
    const orderId = await market.parked({ agreement_id: 'agr-dry' })
    const higher = await counterBody(market, orderId, { unit_cost: 2_000 })
    const [dry, real] = [await dryRun(orderId, higher), await decide(orderId, higher)]
    expect([dry.status, dry.body]).toEqual([real.status, real.body])
    expect(real.body).toMatchObject({ error_code: 'CREDIT_LIMIT' })
  })
})
