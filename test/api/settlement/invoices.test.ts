import { beforeAll, describe, expect, it } from '@jest/globals'
import { issueCreditNote } from '../../../src/operations/settlement/issueCreditNote.ts'
import { forgedCredential } from '../../support/access/accessWorld.ts'
import { feedSettled } from '../../support/engines/feedSettled.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
/** June 2030 has cleared. */
const CLEARED = '2030-07-01T14:00:00Z'
const GROSS = 12_505

const grant = (id: string, more: object = {}) =>
  market.cable.put(`/me/agreements/${id}`, {
    buyer_entity: 'acme',
    effective: { start: '2020-01-01', end: '2099-12-31' },
    settlement_mode: 'cleared',
    agency_commission_pct: 15,
    ...more,
  })
const settle = async (as_of = CLEARED) => {
  const reply = await market.cable.post('/sandbox/settlement', { as_of })
  expect(reply.status).toBe(202)
  return reply.body.issued
}
/** A placed order with its invoice. */
const invoiced = async (agreement_id: string, more: object = {}) => {
  await market.placed({ agreement_id, ...more })
  const [invoice] = await settle()
  return invoice
}
const credited = (order_id: string, gross: number) =>
  market.deps.orders.exclusively(order_id, (_, { tx }) =>
    issueCreditNote(tx, { order_id, broadcast_month: '2030-06', lines: [{ units: 1, gross }], reason: 'MISSED' }),
  )
const exposure = async (agreement: string) => (await market.acme.get(`/settlement/credit?agreement=${agreement}`)).body.exposure

beforeAll(async () => {
  expect((await grant('agr-1')).status).toBe(201)
})

describe('POST /sandbox/settlement: 202', () => {
  it('issues what has cleared by a given time, once, and notifies both sides', async () => {
    const buyer_metadata = { advertiser_id: 'adv-1', estimate_id: 'EST-7' }
    const orderId = await market.placed({ agreement_id: 'agr-1', buyer_metadata })
    await market.placed() // direct
    await market.parked({ agreement_id: 'agr-1' })
    expect(await settle('2030-07-01T13:59:59Z')).toEqual([])
    const issued = await settle('2030-07-01T16:00:00+02:00')
    expect(issued).toEqual([
      {
        invoice_id: expect.stringMatching(/^inv_/),
        invoice_number: '3006-00001',
        kind: 'invoice',
        seller: 'cable',
        buyer_entity: 'acme',
        order_id: orderId,
        external_order_id: expect.any(String),
        agreement_id: 'agr-1',
        estimate_id: 'EST-7',
        broadcast_month: '2030-06',
        currency: 'USD',
        gross: GROSS,
        commission_pct: 15,
        commission: 1875.75,
        net: 10_629.25,
        undisputed_gross: GROSS,
        credited_gross: 0,
        status: 'issued',
        issued_at: expect.any(String),
      },
    ])
    expect(await settle()).toEqual([])
    await feedSettled(market.deps.db)
    for (const side of [market.acme, market.cable]) {
      const { events } = (await side.get('/events/feed?events=settlement.invoice_issued')).body
      expect(events).toMatchObject([
        { event_type: 'settlement.invoice_issued', seller: 'cable', data: { order_id: orderId, gross: GROSS, net: 10_629.25 } },
      ])
    }
    expect((await market.zenith.get('/events/feed?events=settlement.invoice_issued')).body.events).toEqual([])
  })

  it('issues nothing for another seller', async () => {
    await market.placed({ agreement_id: 'agr-1' })
    expect((await market.station.post('/sandbox/settlement', { as_of: CLEARED })).body).toEqual({ issued: [], has_more: false })
    expect(await settle()).toHaveLength(1)
  })
})

describe('POST /sandbox/settlement: 404', () => {
  const production = useMarket({ mode: 'production' })
  it.each([{ as_of: CLEARED }, { as_of: 'soon' }, {}])('is the answer in production to any body: %j', async (body) => {
    expect((await production.cable.post('/sandbox/settlement', body)).status).toBe(404)
  })
})

describe('POST /sandbox/settlement: 422', () => {
  it.each([{}, { as_of: '2030-07-01' }, { as_of: null }])('%j', async (body) => {
    expect(await market.cable.post('/sandbox/settlement', body)).toMatchObject({ status: 422, body: { details: { field: 'as_of' } } })
  })
})

describe('GET /settlement/invoices: 200', () => {
  it('lists newest first, page by page, without lines', async () => {
    await grant('agr-pages')
    const ids: string[] = []
    for (let made = 0; made < 3; made += 1) ids.unshift((await invoiced('agr-pages')).invoice_id)
    for (const [side, path] of [
      [market.acme, '/settlement/invoices?agreement=agr-pages'],
      [market.cable, '/me/settlement/invoices?agreement=agr-pages'],
    ] as const) {
      const first = (await side.get(`${path}&limit=2`)).body
      const second = (await side.get(`${path}&limit=2&cursor=${first.next_cursor}`)).body
      const items = [...first.items, ...second.items]
      expect(items.map(({ invoice_id }: { invoice_id: string }) => invoice_id)).toEqual(ids)
      expect([second.next_cursor, items.some((item: object) => 'lines' in item), 'totals' in first]).toEqual([null, false, false])
    }
  })

  it('sums the statement of an agreement and a month over every page, credit notes included', async () => {
    await grant('agr-statement')
    const one = await invoiced('agr-statement')
    await invoiced('agr-statement', { line_items: [market.line({ units: 3 })] })
    await credited(one.order_id, 100.01)
    const path = '/settlement/invoices?agreement=agr-statement&broadcast_month=2030-06&limit=1'
    const totals = { gross: 16_156.49, commission: 2423.48, net: 13_733.01, currency: 'USD' }
    const { body } = await market.acme.get(path)
    expect(body.totals).toEqual(totals)
    expect((await market.acme.get(`${path}&cursor=${body.next_cursor}`)).body.totals).toEqual(totals)
    expect((await market.acme.get('/settlement/invoices?agreement=agr-statement&broadcast_month=2030-07')).body).toEqual({
      items: [],
      next_cursor: null,
    })
  })

  it('filters by each parameter, and together', async () => {
    await grant('agr-filter')
    const invoice = await invoiced('agr-filter')
    await credited(invoice.order_id, 5)
    const ids = async (query: string, path = '/settlement/invoices') =>
      (await (path.startsWith('/me') ? market.cable : market.acme).get(`${path}?agreement=agr-filter&${query}`)).body.items.map(
        ({ kind }: { kind: string }) => kind,
      )
    for (const query of [`order_id=${invoice.order_id}`, 'broadcast_month=2030-06', 'status=issued', 'seller=cable'])
      expect([query, await ids(query)]).toEqual([query, ['credit_note', 'invoice']])
    expect(await ids('kind=invoice&status=issued')).toEqual(['invoice'])
    expect(await ids('buyer_entity=acme', '/me/settlement/invoices')).toHaveLength(2)
    for (const query of ['order_id=ord_x', 'broadcast_month=2030-07', 'status=paid', 'seller=station']) expect(await ids(query)).toEqual([])
    expect(await ids('buyer_entity=zenith', '/me/settlement/invoices')).toEqual([])
  })
})

describe('GET /settlement/invoices: 422', () => {
  it.each(['broadcast_month=2030-13', 'status=open', 'kind=bill', 'limit=201', 'buyer_entity=acme', 'cursor=x'])('%s', async (query) => {
    expect((await market.acme.get(`/settlement/invoices?${query}`)).status).toBe(422)
  })
})

describe('GET /settlement/invoices/{invoice_id}: 200', () => {
  it('shows both sides the same lines', async () => {
    const { invoice_id } = await invoiced('agr-1')
    const { body } = await market.acme.get(`/settlement/invoices/${invoice_id}`)
    expect(body.lines).toEqual([
      {
        kind: 'spots',
        unit_id: expect.any(String),
        product_id: 'prime',
        product_title: 'Prime',
        network: 'CBL',
        spot_length: 30,
        units: 10,
        dates: [
          { date: '2030-06-03', units: 4 },
          { date: '2030-06-05', units: 3 },
          { date: '2030-06-07', units: 3 },
        ],
        unit_cost: 1250.5,
        gross: GROSS,
      },
    ])
    expect((await market.cable.get(`/me/settlement/invoices/${invoice_id}`)).body).toEqual(body)
  })
})

describe('GET /settlement/invoices/{invoice_id}: 404', () => {
  it('is the same for a stranger and for an unknown id', async () => {
    const { invoice_id } = await invoiced('agr-1')
    const unknown = await market.zenith.get('/settlement/invoices/inv_unknown')
    expect([unknown.status, (await market.zenith.get(`/settlement/invoices/${invoice_id}`)).text]).toEqual([404, unknown.text])
    expect((await market.station.get(`/me/settlement/invoices/${invoice_id}`)).status).toBe(404)
  })
})

const pay = (invoice_id: string, body: object = {}) => market.cable.post(`/me/settlement/invoices/${invoice_id}/paid`, body)

describe('POST /me/settlement/invoices/{invoice_id}/paid: 200', () => {
  it('restores the credit, and changes nothing when it is sent again', async () => {
    await grant('agr-paid', { credit_limit: 100_000 })
    const { invoice_id } = await invoiced('agr-paid')
    expect(await exposure('agr-paid')).toBe(GROSS)
    const paid = await pay(invoice_id, { paid_on: '2030-07-20', reference: 'wire 7' })
    expect(paid).toMatchObject({
      status: 200,
      body: { status: 'paid', paid_on: '2030-07-20', reference: 'wire 7', paid_at: expect.any(String) },
    })
    expect(await exposure('agr-paid')).toBe(0)
    expect((await pay(invoice_id, { reference: 'another' })).body).toEqual(paid.body)
    expect(await exposure('agr-paid')).toBe(0)
    expect((await market.acme.get('/agreements/agr-paid/pacing')).body).toMatchObject({ booked_gross: GROSS, invoiced_gross: GROSS })
  })

  it('uses today’s date when no body is sent', async () => {
    const { invoice_id } = await invoiced('agr-1')
    const { body } = await market.cable.post(`/me/settlement/invoices/${invoice_id}/paid`, undefined)
    expect(body).toMatchObject({ status: 'paid', paid_on: body.paid_at.slice(0, 10) })
    expect('reference' in body).toBe(false)
  })

  it('takes effect once when many arrive at the same time', async () => {
    await grant('agr-many')
    const [first, second] = [await invoiced('agr-many'), await invoiced('agr-many')]
    await Promise.all(Array.from({ length: 8 }, (_, index) => pay(first.invoice_id, { reference: `wire ${index}` })))
    expect(await exposure('agr-many')).toBe(GROSS)
    await Promise.all([pay(second.invoice_id), market.acme.post(`/orders/${second.order_id}/cancel`, {})])
    expect(await exposure('agr-many')).toBe(0)
  })
})

describe('POST /me/settlement/invoices/{invoice_id}/paid: 403', () => {
  it('without the scope settlement:write', async () => {
    const reader = market.tenant(await forgedCredential(market, 'cable', 'seller', { scopes: ['settlement:read', 'orders:approve'] }))
    const { invoice_id } = await invoiced('agr-1')
    const reply = await reader.post(`/me/settlement/invoices/${invoice_id}/paid`, {})
    expect(reply).toMatchObject({ status: 403, body: { details: { required_scope: 'settlement:write' } } })
  })
})

describe('POST /me/settlement/invoices/{invoice_id}/paid: 404', () => {
  it('for another seller, also with a body that is wrong', async () => {
    const { invoice_id } = await invoiced('agr-1')
    for (const body of [{}, { paid_on: 'soon' }])
      expect((await market.station.post(`/me/settlement/invoices/${invoice_id}/paid`, body)).status).toBe(404)
    expect((await market.acme.get(`/settlement/invoices/${invoice_id}`)).body.status).toBe('issued')
  })
})

describe('POST /me/settlement/invoices/{invoice_id}/paid: 409', () => {
  it('when credit notes have credited all of it, and for a credit note', async () => {
    const { invoice_id, order_id } = await invoiced('agr-1')
    const note = await credited(order_id, GROSS)
    for (const [id, kind, status] of [
      [invoice_id, 'invoice', 'credited'],
      [note, 'credit_note', 'issued'],
    ] as const)
      expect(await pay(id)).toMatchObject({ status: 409, body: { error_code: 'INVALID_STATE', details: { kind, status } } })
    expect((await market.acme.get(`/settlement/invoices/${note}`)).body).toMatchObject({
      credits: invoice_id,
      reason: 'MISSED',
      gross: -GROSS,
      net: -10_629.25,
      lines: [{ kind: 'credit', units: 1, gross: -GROSS }],
    })
  })
})

describe('POST /me/settlement/invoices/{invoice_id}/paid: 422', () => {
  it.each([{ paid_on: '2030-02-30' }, { reference: '' }, { reference: 7 }])('%j', async (body) => {
    const { invoice_id } = await invoiced('agr-1')
    expect((await pay(invoice_id, body)).status).toBe(422)
  })
})

describe('PUT /me/agreements/{agreement_id}: 422', () => {
  it.each([-1, 100.01, 15.125, '15'])('an agency_commission_pct of %j', async (agency_commission_pct) => {
    expect(await grant('agr-pct', { agency_commission_pct })).toMatchObject({
      status: 422,
      body: { details: { field: 'agency_commission_pct' } },
    })
  })
})
