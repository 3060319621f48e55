import { describe, expect, it } from '@jest/globals'
import { ELAPSE_S } from '../../../src/contract/vocabulary/sandbox.ts'
import { citing, heldBy } from '../../support/orders/holds.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const elapse = (order: string, body: object, by: 'acme' | 'cable' | 'zenith' | 'station' = 'acme') =>
  market[by].post(`/sandbox/orders/${order}/elapse`, body)

async function countered(): Promise<string> {
  const order = await market.parked()
  const [line] = (await market.snapshot(order)).line_items
  const units = [{ unit_id: line?.unit_id, action: 'counter', counter: { week: '2030-W24', unit_cost: 1300 } }]
  const { status } = await market.cable.post(`/me/orders/${order}/decide`, { decision: 'counter', actor: 'Ada', units })
  expect(status).toBe(202)
  return order
}
const respond = (order: string, more: object = {}) => market.acme.post(`/orders/${order}/respond`, { action: 'accept', ...more })

describe('POST /sandbox/orders/{id}/elapse: 200', () => {
  it('lets a quote lapse: the event is written, an accept is refused, and no stamp has moved', async () => {
    const order = await countered()
    const { status, body } = await elapse(order, { what: 'quote' })
    const events = await market.events(order)
    expect([status, body]).toEqual([
      200,
      {
        ...{ order_id: order, status: 'negotiating', substatus: 'quote_lapsed', last_seq: events.length },
        ...{ deadline: expect.any(String), elapsed_s: expect.any(Number) },
      },
    ])
    expect(events.at(-1)).toMatchObject({ substatus: 'quote_lapsed' })
    expect(Date.now() - Date.parse(String(events.at(-1)?.occurred_at))).toBeLessThan(60_000)
    expect((await respond(order)).body).toMatchObject({ error_code: 'STALE_RATE_CARD' })
  })

  it('goes on by so many seconds, which need not reach the deadline, and never goes back', async () => {
    const order = await countered()
    expect((await elapse(order, { what: 'quote', by: 60 })).body).toMatchObject({ elapsed_s: 60, substatus: null })
    expect((await elapse(order, { what: 'quote', by: 30 }, 'cable')).body).toMatchObject({ elapsed_s: 90, substatus: null })
    expect((await respond(order)).status).toBe(202)
  })

  it('loses no second of those that come together', async () => {
    const order = await countered()
    await Promise.all(Array.from({ length: 8 }, (_, at) => elapse(order, { what: 'quote', by: 60 }, at % 2 === 0 ? 'acme' : 'cable')))
    expect((await elapse(order, { what: 'quote', by: 20 })).body).toMatchObject({ elapsed_s: 500, substatus: null })
  })

  it('holds for the quotes of one round alone: a new counter has its own', async () => {
    const order = await countered()
    await elapse(order, { what: 'quote' })
    const ask = (await market.snapshot(order)).line_items[0]
    const units = [{ unit_id: ask?.unit_id, action: 'counter', counter: { week: '2030-W24', unit_cost: 1310 } }]
    await market.cable.post(`/me/orders/${order}/decide`, { decision: 'counter', actor: 'Ada', units })
    expect((await respond(order)).body).toMatchObject({ status: 'placed' })
  })

  it('comes after as_of of a command', async () => {
    const order = await countered()
    await elapse(order, { what: 'quote' })
    expect((await respond(order, { as_of: new Date().toISOString() })).body).toMatchObject({ status: 'placed' })
  })

  it('makes a decision overdue', async () => {
    const order = await market.parked()
    expect((await market.acme.get(`/orders/${order}`)).body.waiting_on.overdue).toBe(false)
    expect((await elapse(order, { what: 'decision' }, 'cable')).status).toBe(200)
    expect((await market.acme.get(`/orders/${order}`)).body.waiting_on.overdue).toBe(true)
    expect((await market.cable.get('/me/orders?overdue=true')).body.orders.map(({ order_id }: { order_id: string }) => order_id)).toContain(
      order,
    )
    expect((await market.cable.post(`/me/orders/${order}/decide`, { decision: 'approve', actor: 'Ada' })).status).toBe(202)
  })

  it('makes a cancel late', async () => {
    await market.cable.put('/me/agreements/agr-late', {
      ...{ buyer_entity: 'acme', effective: { start: '2026-01-01', end: '2030-12-31' } },
      cancellation_terms: { notice_days: 14, late_fee_pct: 10 },
    })
    const order = await market.placed({ agreement_id: 'agr-late' })
    expect((await elapse(order, { what: 'notice_window' })).status).toBe(200)
    const { cancellation } = (await market.acme.post(`/orders/${order}/cancel`, {})).body
    expect(cancellation).toMatchObject({ late_notice: 'late', notice: { fee_pct: 10 } })
  })
})

describe('POST /sandbox/orders/{id}/elapse: 404', () => {
  it('is the answer to strangers, also with a body that is refused', async () => {
    const order = await market.parked()
    for (const by of ['zenith', 'station'] as const) {
      for (const body of [{ what: 'decision' }, { what: 'lunch' }]) expect((await elapse(order, body, by)).status).toBe(404)
    }
    expect((await elapse('ord_none', { what: 'decision' })).status).toBe(404)
  })
})

describe('POST /sandbox/orders/{id}/elapse: 409', () => {
  it('names the deadlines that the order has', async () => {
    const order = await market.parked()
    expect(await elapse(order, { what: 'quote' })).toMatchObject({
      status: 409,
      body: { error_code: 'INVALID_STATE', details: { status: 'seller_review', last_seq: 3, possible: ['decision'] } },
    })
    const canceled = await market.created()
    await market.acme.post(`/orders/${canceled}/cancel`, {})
    expect((await elapse(canceled, { what: 'decision' })).body.details.possible).toEqual([])
  })
})

describe('POST /sandbox/orders/{id}/elapse: 422', () => {
  it.each([
    [{}, 'what'],
    [{ what: 'lunch' }, 'what'],
    [{ what: 'quote', by: 0 }, 'by'],
    [{ what: 'quote', by: -5 }, 'by'],
    [{ what: 'quote', by: 1e12 }, 'by'],
  ])('%j', async (body, field) => {
    const order = await market.parked()
    expect(await elapse(order, body)).toMatchObject({ status: 422, body: { details: { field } } })
  })

  it('beyond fifty years in all', async () => {
    const order = await market.parked()
    const decade = () => elapse(order, { what: 'decision', by: ELAPSE_S })
    for (let times = 0; times < 5; times += 1) expect((await decade()).status).toBe(200)
    expect(await decade()).toMatchObject({ status: 422, body: { details: { field: 'by', maximum: 0 } } })
  })
})

describe('POST /sandbox/holds/{hold_id}/elapse', () => {
  const held = async () => {
    await market.cable.put('/me/capabilities', { holds: true })
    return heldBy(market)
  }
  const elapseHold = (hold: string, by: 'acme' | 'zenith' = 'acme') => market[by].post(`/sandbox/holds/${hold}/elapse`, undefined)

  it('200: the hold is expired, an order that cites it is refused, and its run hears of it', async () => {
    const hold_id = await held()
    const { status, body } = await elapseHold(hold_id)
    expect([status, body]).toMatchObject([200, { hold_id, status: 'expired' }])
    expect(Date.parse(body.expires_at)).toBeLessThanOrEqual(Date.now())
    expect((await market.acme.get(`/holds/${hold_id}`)).body.status).toBe('expired')
    expect((await market.acme.post('/orders', citing(market, hold_id))).body.details.field).toBe('line_items.0.hold_id')
    const { rows } = await market.owner().query(`select count(*)::int as n from outbox where kind = 'hold' and target = $1`, [hold_id])
    expect(rows).toEqual([{ n: 2 }])
  })

  it('404: of another buyer', async () => {
    const hold_id = await held()
    expect([(await elapseHold(hold_id, 'zenith')).status, (await elapseHold('hold_none')).status]).toEqual([404, 404])
  })

  it('409: once it is over', async () => {
    const hold_id = await held()
    await elapseHold(hold_id)
    expect(await elapseHold(hold_id)).toMatchObject({
      status: 409,
      body: { error_code: 'INVALID_STATE', details: { status: 'expired', order_id: null, possible: [] } },
    })
  })
})
