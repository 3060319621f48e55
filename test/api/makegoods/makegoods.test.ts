import { beforeAll, describe, expect, it } from '@jest/globals'
import { MAKEGOODS_PER_DAY, MAKEGOODS_PER_ORDER } from '../../../src/contract/vocabulary/makegoods.ts'
import { CSV, expires, uploaded } from '../../support/files/uploads.ts'
import { FRIDAY, MONDAY, makegoodsOf, PRICE, WEDNESDAY } from '../../support/makegoods/makegoodsOf.ts'
import { aLogged, bookedOrder, sendPosts } from '../../support/settlement/sendPosts.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const { unitOf, missing, anOffer, notice, offered, revise, answer, read } = makegoodsOf(market)
const NOTICE = 'POST /me/orders/{order_id}/makegoods'
const REVISE = 'POST /me/orders/{order_id}/makegoods/{makegood_id}'
const ANSWER = 'POST /orders/{order_id}/makegoods/{makegood_id}'

let order = ''
beforeAll(async () => {
  order = await bookedOrder(market)
})

describe(`${NOTICE}: 201`, () => {
  it('says that spots do not air, with offers or without', async () => {
    const own = await bookedOrder(market)
    const { status, body } = await notice(own)
    expect([status, body]).toMatchObject([
      201,
      { order_id: own, seller: 'cable', buyer_entity: 'acme', status: 'noticed', version: 1, offers: [], expires_at: null, credits: [] },
    ])
    expect(body.for).toEqual([await missing(own)])
    expect(body.actions).toEqual([
      { action: 'notice', side: 'seller', actor: 'cable', status: 'noticed', version: 1, at: expect.any(String) },
    ])
    const second = await notice(own, { offers: [anOffer()], actor: 'Ada' })
    expect(second.body).toMatchObject({
      status: 'offered',
      offers: [{ offer_id: '1', network: 'CBL', replaces: [{ unit_id: await unitOf(own), date: MONDAY, units: 1 }] }],
      actions: [{ actor: 'Ada' }],
    })
    expect(second.body.expires_at > '2030-06-07').toBe(true)
  })

  it('accepts by the guidelines of the agreement', async () => {
    const makegood_guidelines = { auto_accept: {} }
    const terms = { buyer_entity: 'acme', effective: { start: '2020-01-01', end: '2099-12-31' }, catalog_scope: [], makegood_guidelines }
    expect((await market.cable.put('/me/agreements/agr-guided', terms)).status).toBe(201)
    const own = await bookedOrder(market, { agreement_id: 'agr-guided' })
    const { body } = await notice(own, { offers: [anOffer({ offer_id: 'fits' })] })
    expect(body).toMatchObject({
      status: 'accepted',
      agreed: { offer_id: 'fits', gross: PRICE, billing: 'aired' },
      actions: [{ action: 'notice' }, { action: 'accept', side: 'platform', actor: 'makegood_guidelines' }],
    })
  })

  it('records what was agreed outside', async () => {
    const own = await bookedOrder(market)
    expect((await notice(own, { offers: [anOffer()], agreed_outside: true })).body).toMatchObject({
      status: 'accepted',
      agreed_outside: true,
    })
  })
})

describe('the notice as a file', () => {
  const noticeFile = (tenant = market.cable) => uploaded(market, tenant, CSV, 'csv', '/me/uploads')

  it('is an upload of the seller, which both parties read for the life of the order', async () => {
    const own = await bookedOrder(market)
    const upload_id = await noticeFile()
    const { status, body } = await notice(own, { upload_id })
    expect([status, body.upload_id]).toEqual([201, upload_id])
    expect((await read(own, body.makegood_id)).upload_id).toBe(upload_id)
    await expires(market, upload_id)
    expect((await market.cable.get(`/me/uploads/${upload_id}`)).body).toMatchObject({ seller: 'cable', status: 'uploaded' })
    const bytes = (token: string, path: string) => market.request.get(`/v1${path}`).auth(token, { type: 'bearer' })
    for (const [token, path] of [[market.acme.token, ''] as const, [market.cable.token, '/me'] as const]) {
      const file = await bytes(token, `${path}/orders/${own}/attachments/${upload_id}`)
      expect([file.status, file.body.toString()]).toEqual([200, CSV.toString()])
    }
    expect((await bytes(market.zenith.token, `/orders/${own}/attachments/${upload_id}`)).status).toBe(404)
  })

  it('is one and the same 422 if it cannot be used, and nothing begins', async () => {
    const own = await bookedOrder(market)
    const lapsed = await noticeFile()
    await expires(market, lapsed)
    const pending = (await market.cable.post('/me/uploads', { filename: 'n.csv', format: 'csv', size_bytes: 9 })).body.upload_id
    const replies = []
    for (const upload_id of ['upl_none', await noticeFile(market.station), await uploaded(market, market.acme), lapsed, pending]) {
      const { status, body } = await notice(own, { upload_id })
      replies.push([status, body.details.field, body.error_message.replace(upload_id, '…')])
    }
    expect(replies).toEqual(Array.from({ length: 5 }, () => [422, 'upload_id', '… is not an uploaded file of yours.']))
    expect((await market.cable.get(`/me/orders/${own}/makegoods`)).body.items).toEqual([])
  })

  it('of another seller is as unknown as one that never was', async () => {
    const theirs = await noticeFile(market.station)
    const replies = await Promise.all([theirs, 'upl_none'].map((id) => market.cable.get(`/me/uploads/${id}`)))
    expect(replies.map(({ status }) => status)).toEqual([404, 404])
    expect(new Set(replies.map(({ body }) => body.error_message)).size).toBe(1)
  })
})

describe(`${NOTICE}: 404`, () => {
  it('knows no order of another seller, and no unit of another order', async () => {
    const { status, body } = await market.station.post(`/me/orders/${order}/makegoods`, { for: [await missing(order)] })
    const unknown = await market.station.post('/me/orders/ord_none/makegoods', { for: [await missing(order)] })
    expect([status, body.error_message]).toEqual([404, unknown.body.error_message])
    const foreign = await unitOf(await bookedOrder(market))
    for (const unit_id of [foreign, 'unit_none']) {
      const reply = await notice(order, { for: [{ ...(await missing(order)), unit_id }] })
      expect([reply.status, reply.body.error_message]).toEqual([404, 'There is no such unit.'])
    }
  })
})

describe(`${NOTICE}: 409`, () => {
  it('is of a placed order', async () => {
    const parked = await market.parked()
    expect(await notice(parked)).toMatchObject({ status: 409, body: { error_code: 'INVALID_STATE', details: { status: 'seller_review' } } })
  })
})

describe(`${NOTICE}: 422`, () => {
  it.each([
    ['more units than missing', { units: 5 }, {}, 'for.0.units'],
    ['a date that is not booked', { date: '2030-06-04' }, {}, 'for.0.date'],
    ['an unknown product', {}, { product_id: 'secret' }, 'offers.0.product_id'],
    ['a product that the buyer may not see', {}, { product_id: 'hidden' }, 'offers.0.product_id'],
    ['a date outside the flight', {}, { date: '2030-06-12' }, 'offers.0.date'],
    ['a length without a price', {}, { spot_length: 45 }, 'offers.0.spot_length'],
    ['an offer that costs more', {}, { unit_cost: 1250.51 }, 'offers.0.unit_cost'],
    ['no units', { units: 0 }, {}, 'for.0.units'],
  ])('refuses %s', async (_, spot, offer, field) => {
    const reply = await notice(order, { for: [{ ...(await missing(order)), ...spot }], offers: [anOffer(offer)] })
    expect([reply.status, reply.body.error_code, reply.body.details.field]).toEqual([422, 'INVALID_INPUT', field])
  })

  it('refuses a date that has aired, and more than did not air', async () => {
    const own = await bookedOrder(market)
    const aired = (times: number) => Array.from({ length: times }, (_, n) => aLogged(own, { air_time: `20:1${n}` }))
    await sendPosts(market, 'cable', aired(3))
    const two = await notice(own, { for: [await missing(own, 2)] })
    expect([two.status, two.body.details.field, two.body.details.errors?.[0]?.details ?? two.body.details]).toMatchObject([
      422,
      'for.0.units',
      { maximum: 1 },
    ])
    await sendPosts(market, 'cable', aired(4))
    const one = await notice(own, { for: [await missing(own)] })
    expect([one.status, one.body.details.field]).toEqual([422, 'for.0.date'])
  })

  it('refuses a deadline after the air date, or in the past', async () => {
    for (const expires_at of ['2030-06-09T00:00:00Z', '2020-01-01T00:00:00Z']) {
      const { status, body } = await notice(order, { offers: [anOffer()], expires_at })
      expect([status, body.details.field]).toEqual([422, 'expires_at'])
    }
  })

  it('refuses more than the bounds of an order and of a day', async () => {
    const own = await bookedOrder(market)
    const owner = market.owner()
    const copied = `json_build_object('makegood_id', 'mkg_' || n, 'status', 'recalled', 'due_at', null)`
    await notice(own, { for: [await missing(own, 1, WEDNESDAY)] })
    await owner.query(
      `insert into makegoods select (json_populate_record(m, ${copied})).* from makegoods m, generate_series(2, $2) n where order_id = $1`,
      [own, MAKEGOODS_PER_ORDER],
    )
    expect((await notice(own)).body).toMatchObject({ error_code: 'INVALID_INPUT', details: { bound: 'MAKEGOODS_PER_ORDER' } })
    await owner.query(`delete from makegoods m where not exists (select from makegood_steps s where s.makegood_id = m.makegood_id)`)
    await owner.query('update makegood_days set noticed = $1', [MAKEGOODS_PER_DAY])
    expect((await notice(order)).body).toMatchObject({ error_code: 'INVALID_INPUT', details: { bound: 'MAKEGOODS_PER_DAY' } })
    await owner.query('update makegood_days set noticed = 1')
  })
})

describe(`${REVISE}: 200`, () => {
  it('offers, which raises the version, and recalls', async () => {
    const own = await bookedOrder(market)
    const id = (await notice(own)).body.makegood_id
    const first = await revise(own, id, { action: 'offer', offers: [anOffer()] })
    expect([first.status, first.body]).toMatchObject([200, { status: 'offered', version: 2 }])
    const second = await revise(own, id, { action: 'offer', offers: [anOffer({ date: WEDNESDAY })], version: 2 })
    expect(second.body).toMatchObject({ version: 3, offers: [{ date: WEDNESDAY }] })
    expect((await revise(own, id, { action: 'recall', note: 'It airs' })).body).toMatchObject({ status: 'recalled', version: 3 })
    expect((await revise(own, id, { action: 'recall', note: 'It airs' })).status).toBe(200)
  })
})

describe(`${REVISE}: 404`, () => {
  it('knows no makegood of another order or seller', async () => {
    const id = await offered(await bookedOrder(market))
    expect((await revise(order, id, { action: 'recall' })).status).toBe(404)
    expect((await market.station.post(`/me/orders/${order}/makegoods/${id}`, { action: 'recall' })).status).toBe(404)
    const foreign = [await revise(order, id, { action: 'recall' }), await market.acme.get(`/orders/${order}/makegoods/${id}`)]
    const unknown = [await revise(order, 'mkg_none', { action: 'recall' }), await market.acme.get(`/orders/${order}/makegoods/mkg_none`)]
    expect(foreign.map(({ status, body }) => [status, body])).toEqual(unknown.map(({ status, body }) => [status, body]))
  })
})

describe(`${REVISE}: 409`, () => {
  it('does not recall what is answered, nor change another version', async () => {
    const own = await bookedOrder(market)
    const id = await offered(own)
    const stale = await revise(own, id, { action: 'recall', version: 2 })
    expect(stale).toMatchObject({ status: 409, body: { details: { status: 'offered', version: 1 } } })
    await answer(own, id, 'accept')
    for (const body of [{ action: 'recall' }, { action: 'offer', offers: [anOffer()] }]) {
      expect(await revise(own, id, body)).toMatchObject({ status: 409, body: { details: { status: 'accepted', version: 1 } } })
    }
  })
})

describe(`${REVISE}: 422`, () => {
  it('needs offers to offer, and takes none to recall', async () => {
    const id = await offered(await bookedOrder(market))
    expect((await revise(order, id, { action: 'offer' })).body.details.field).toBe('offers')
    expect((await revise(order, id, { action: 'recall', offers: [anOffer()] })).body.details.field).toBe('offers')
  })
})

describe(`${ANSWER}: 200`, () => {
  it('accepts, declines or asks for credit, and answers a repeat alike', async () => {
    const own = await bookedOrder(market)
    const accepted = await offered(own)
    const { status, body } = await answer(own, accepted, 'accept', { actor: 'Bo' })
    expect([status, body]).toMatchObject([
      200,
      { status: 'accepted', agreed: { date: FRIDAY, gross: PRICE, replaces: [{ date: MONDAY, units: 1, network: 'CBL', gross: PRICE }] } },
    ])
    const again = await answer(own, accepted, 'accept', { actor: 'Bo' })
    expect([again.status, again.body]).toEqual([200, body])
    expect(again.headers['x-idempotent-replay']).toBe('true')
    expect((await answer(own, await offered(own), 'decline')).body.status).toBe('declined')
    const credited = await answer(own, (await notice(own)).body.makegood_id, 'credit')
    expect(credited.body).toMatchObject({
      status: 'credited',
      credits: [{ date: MONDAY, units: 1, gross: PRICE, broadcast_month: '2030-06' }],
    })
  })
})

describe(`${ANSWER}: 404`, () => {
  it('knows no makegood of another buyer', async () => {
    const id = await offered(order)
    const { status, body } = await market.zenith.post(`/orders/${order}/makegoods/${id}`, { action: 'accept', version: 1 })
    const unknown = await market.zenith.post('/orders/ord_none/makegoods/mkg_none', { action: 'accept', version: 1 })
    expect([status, body.error_message]).toEqual([404, unknown.body.error_message])
    await revise(order, id, { action: 'recall' })
  })
})

describe(`${ANSWER}: 409`, () => {
  it('is the first answer to this version, in time', async () => {
    const own = await bookedOrder(market)
    const id = await offered(own)
    expect(await answer(own, id, 'accept', { version: 2 })).toMatchObject({
      status: 409,
      body: { details: { status: 'offered', version: 1 } },
    })
    await answer(own, id, 'decline')
    expect(await answer(own, id, 'accept')).toMatchObject({ status: 409, body: { details: { status: 'declined', version: 1 } } })
    const late = await offered(own)
    await market.owner().query(`update makegoods set expires_at = now() where makegood_id = $1`, [late])
    expect(await answer(own, late, 'accept')).toMatchObject({ status: 409, body: { details: { status: 'expired', version: 1 } } })
    expect((await read(own, late)).status).toBe('expired')
  })

  it('is one of two answers at once', async () => {
    const own = await bookedOrder(market)
    const id = await offered(own)
    const replies = await Promise.all(['accept', 'decline', 'credit'].map((action) => answer(own, id, action)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const [won] = replies.filter(({ status }) => status === 200)
    expect((await read(own, id)).status).toBe(won?.body.status)
  })

  it('is to an offer', async () => {
    const own = await bookedOrder(market)
    const id = (await notice(own)).body.makegood_id
    for (const action of ['accept', 'decline'])
      expect((await answer(own, id, action)).body.details).toEqual({ status: 'noticed', version: 1 })
  })
})

describe(`${ANSWER}: 422`, () => {
  it('names an offer that there is, and only to accept it', async () => {
    const own = await bookedOrder(market)
    const id = await offered(own, { offers: [anOffer(), anOffer({ offer_id: 'b' })] })
    for (const [action, more] of [
      ['accept', {}] as const,
      ['accept', { offer_id: 'c' }] as const,
      ['decline', { offer_id: 'b' }] as const,
    ]) {
      const { status, body } = await answer(own, id, action, more)
      expect([status, body.details.field]).toEqual([422, 'offer_id'])
    }
  })
})

describe('GET makegoods', () => {
  it('lists those of an order and of a party, by status, product and time of change', async () => {
    const own = await bookedOrder(market)
    const open = await offered(own)
    const ended = (await notice(own)).body.makegood_id
    await revise(own, ended, { action: 'recall' })
    const ids = async (tenant: 'acme' | 'cable', path: string) =>
      (await market[tenant].get(path)).body.items.map(({ makegood_id }: { makegood_id: string }) => makegood_id)
    for (const [tenant, prefix] of [['acme', ''] as const, ['cable', '/me'] as const]) {
      expect(await ids(tenant, `${prefix}/orders/${own}/makegoods`)).toEqual([ended, open])
      expect(await ids(tenant, `${prefix}/orders/${own}/makegoods?status=offered`)).toEqual([open])
      expect(await ids(tenant, `${prefix}/makegoods?order_id=${own}&product=prime`)).toEqual([ended, open])
      expect(await ids(tenant, `${prefix}/makegoods?order_id=${own}&product=weekend`)).toEqual([])
      expect(await ids(tenant, `${prefix}/makegoods?order_id=${own}&since=2099-01-01T00:00:00Z`)).toEqual([])
      expect(await ids(tenant, `${prefix}/makegoods?order_id=${own}&since=2020-01-01T00:00:00Z&limit=1`)).toEqual([ended])
    }
    expect((await market.zenith.get('/makegoods')).body.items).toEqual([])
    expect((await market.zenith.get(`/orders/${own}/makegoods`)).status).toBe(404)
  })

  it('reads one with an ETag that its changes change', async () => {
    const own = await bookedOrder(market)
    const id = await offered(own)
    const before = (await market.acme.get(`/orders/${own}/makegoods/${id}`)).headers.etag
    await answer(own, id, 'accept')
    const after = await market.cable.get(`/me/orders/${own}/makegoods/${id}`)
    expect([before === after.headers.etag, after.body.status]).toEqual([false, 'accepted'])
  })
})
