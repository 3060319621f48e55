import { describe, expect, it } from '@jest/globals'
import { anAgreement } from '../../support/orders/published.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

const cancel = (orderId: string, body: object = {}, buyer = market.acme) => buyer.post(`/orders/${orderId}/cancel`, body)
const dryRun = (orderId: string, body: object = {}, buyer = market.acme) => buyer.post(`/orders/${orderId}/cancel?dry_run=true`, body)
const rowsOf = async () =>
  (
    await market.owner().query(`select (select count(*) from order_events) as events, (select count(*) from order_outcomes) as outcomes,
    (select count(*) from outbox) as woken, (select sum(drawn) from orders) as drawn`)
  ).rows

describe('POST /orders/{id}/cancel?dry_run=true: 200', () => {
  it('returns the reply that the cancel would get, with its fee, and writes nothing', async () => {
    const cancellation_terms = { notice_days: 14, late_fee_pct: 25 }
    expect((await market.cable.put('/me/agreements/agr-dry-cancel', anAgreement({ cancellation_terms }))).status).toBe(201)
    const orderId = await market.placed({ agreement_id: 'agr-dry-cancel' })
    const before = await rowsOf()
    const { first_air_date } = (await dryRun(orderId)).body.cancellation.notice
    const late = { as_of: `${first_air_date}T00:00:00Z`, actor: 'Bea', reason: 'Budget cut' }
    const { status, body } = await dryRun(orderId, late)
    expect([status, body]).toMatchObject([200, { status: 'canceled', cancellation: { late_notice: 'late', notice: { fee_pct: 25 } } }])
    expect(body.cancellation.notice.fee_amount).toBeGreaterThan(0)
    expect(await rowsOf()).toEqual(before)
    expect((await market.snapshot(orderId)).status).toBe('placed')
    expect((await cancel(orderId, late)).body).toEqual(body)
  })

  it('returns the first cancellation of an order that is canceled', async () => {
    const orderId = await market.parked()
    const { body } = await cancel(orderId, { reason: 'Budget cut' })
    expect(await dryRun(orderId)).toMatchObject({ status: 200, body })
  })
})

describe('POST /orders/{id}/cancel?dry_run=true: 404', () => {
  it('finds no order of another buyer', async () => {
    expect((await dryRun(await market.parked(), {}, market.zenith)).status).toBe(404)
  })
})

describe('POST /orders/{id}/cancel?dry_run=true: 409', () => {
  it('refuses an order that has changed since its sender read it', async () => {
    const { status, body } = await dryRun(await market.parked(), { last_seq: 1 })
    expect([status, body]).toMatchObject([409, { error_code: 'INVALID_STATE', details: { last_seq: 3 } }])
  })
})

describe('POST /orders/{id}/cancel?dry_run=true: 422', () => {
  it('refuses another value', async () => {
    expect((await market.acme.post(`/orders/${await market.parked()}/cancel?dry_run=maybe`, {})).status).toBe(422)
  })
})
