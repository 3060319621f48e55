import { beforeAll, describe, expect, it } from '@jest/globals'
import { forgedCredential } from '../../support/access/accessWorld.ts'
import { disputing, PRICE } from '../../support/settlement/disputing.ts'
import { aBilled, aLogged, bookedOrder, sendPosts } from '../../support/settlement/sendPosts.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const BUYER = 'POST /orders/{order_id}/reconciliation/variances/{variance_id}'
const SELLER = 'POST /me/orders/{order_id}/reconciliation/variances/{variance_id}'
const { variances, late, disputable, answer, settle, invoicesOf, undisputed } = disputing(market, { ready: 16 })

describe(`${BUYER}: 200`, () => {
  it('disputes a spot, which the undisputed amount of the invoice excludes until it is accepted', async () => {
    const { order, id } = await disputable()
    const { status, body } = await answer(order, id, 'dispute', { actor: 'Bo', note: 'Too late' })
    expect(status).toBe(200)
    const stepTaken = { action: 'dispute', side: 'buyer', actor: 'Bo', note: 'Too late', units: 1, gross: PRICE, at: expect.any(String) }
    expect(body).toMatchObject({ order_id: order, revision: 2, air_date: '2030-06-03', network: 'CBL', variance_id: id, state: 'disputed' })
    expect(body.actions).toEqual([stepTaken])
    expect(await undisputed(order)).toBe(12_505 - PRICE)
    await settle(order, id, 'uphold')
    expect(await undisputed(order)).toBe(12_505 - PRICE)
    expect((await answer(order, id, 'accept')).body).toMatchObject({ state: 'accepted', revision: 4 })
    expect(await undisputed(order)).toBe(12_505)
    expect((await variances(order, '?state=accepted')).map(({ variance_id }) => variance_id)).toEqual([id])
  })

  it('answers an exact repeat the same, and changes nothing', async () => {
    const { order, id } = await disputable()
    const first = await answer(order, id, 'dispute', { note: 'Too late' })
    const again = await answer(order, id, 'dispute', { note: 'Too late' })
    expect([again.status, again.body]).toEqual([200, first.body])
  })

  it('excludes what is already disputed from an invoice that is issued later', async () => {
    const { order, id } = await disputable({ invoiced: false })
    await answer(order, id, 'dispute')
    await market.cable.post('/sandbox/settlement', { as_of: '2030-07-01T14:00:00Z' })
    expect(await undisputed(order)).toBe(12_505 - PRICE)
  })

  it('excludes a spot once, whichever of its variances are disputed', async () => {
    const rows = (order: string) => [aLogged(order, { air_time: '23:30', spot_length: 15 })]
    const { order, idOf } = await disputable({ rows })
    for (const code of ['OUT_OF_DAYPART', 'WRONG_LENGTH']) expect((await answer(order, idOf(code), 'dispute')).status).toBe(200)
    expect(await undisputed(order)).toBe(12_505 - PRICE)
    await settle(order, idOf('OUT_OF_DAYPART'), 'credit', { amount: 1000 })
    expect(await undisputed(order)).toBe(12_505 - 250.5)
    const { body } = await settle(order, idOf('WRONG_LENGTH'), 'credit')
    expect(body.actions.at(-1)).toMatchObject({ amount: 250.5 })
    expect(await invoicesOf(order)).toMatchObject([
      { undisputed_gross: 12_505, credited_gross: PRICE },
      { gross: -1000 },
      { gross: -250.5 },
    ])
  })

  it('excludes nothing from the invoice for what only the seller’s files bill', async () => {
    const rows = (order: string) => [aLogged(order), aBilled(order, { rate: 2000 })]
    const { order, idOf } = await disputable({ rows })
    await answer(order, idOf('RATE_MISMATCH'), 'dispute')
    expect(await undisputed(order)).toBe(12_505)
    const { body } = await settle(order, idOf('RATE_MISMATCH'), 'credit')
    expect(body).toMatchObject({ state: 'credited', actions: [{}, { amount: 749.5 }] })
    expect('invoice_id' in body.actions[1]).toBe(false)
    expect(await invoicesOf(order)).toHaveLength(1)
  })

  it('allows another dispute of what was credited in part', async () => {
    const { order, id } = await disputable()
    await answer(order, id, 'dispute')
    await settle(order, id, 'credit', { amount: 250.5 })
    await answer(order, id, 'dispute')
    expect(await undisputed(order)).toBe(11_505)
    expect((await settle(order, id, 'credit')).body.actions.map(({ amount }: { amount?: number }) => amount)).toEqual([
      undefined,
      250.5,
      undefined,
      1000,
    ])
  })
})

describe('a variance that new data ends', () => {
  it('has the state gone, keeps its actions, and disputes nothing', async () => {
    const { order, id } = await disputable()
    await answer(order, id, 'dispute', { note: 'Too late' })
    await sendPosts(market, 'cable', [aLogged(order)])
    expect(await undisputed(order)).toBe(12_505)
    expect(await variances(order, '?state=gone')).toMatchObject([
      { variance_id: id, code: 'OUT_OF_DAYPART', state: 'gone', gross: PRICE, rows: [], actions: [{}] },
    ])
    for (const reply of [await answer(order, id, 'accept'), await settle(order, id, 'uphold')])
      expect(reply).toMatchObject({ status: 409, body: { error_code: 'INVALID_STATE', details: { state: 'gone' } } })
    await sendPosts(market, 'cable', [{ ...late(order), revision: 1 }]) // the bytes of the first file would be its repeat
    expect([await undisputed(order), await variances(order, '?state=disputed')]).toMatchObject([12_505 - PRICE, [{ variance_id: id }]])
  })

  it('is listed on a line of its own where its line has ended too', async () => {
    const rows = (order: string) => [late(order), aLogged(order, { air_date: '2030-06-12' })]
    const { order, idOf } = await disputable({ rows })
    await answer(order, idOf('RUN_NOT_ORDERED'), 'accept')
    await sendPosts(market, 'cable', [aLogged(order, { air_date: '2030-06-12', air_time: undefined, status: 'Missed' })])
    for (const query of ['', '?state=gone', '?code=RUN_NOT_ORDERED']) {
      const { lines } = (await market.acme.get(`/orders/${order}/reconciliation${query}`)).body
      expect(lines.at(-1)).toMatchObject({
        ...{ unit_id: null, network: 'CBL', air_date: '2030-06-12', broadcast_month: '2030-06', ordered: 0, unordered: 0, codes: [] },
        variances: [{ code: 'RUN_NOT_ORDERED', state: 'gone' }],
      })
    }
  })

  it('is open again when its amount has changed', async () => {
    const rows = (order: string) => [aLogged(order), aBilled(order, { rate: 1300 })]
    const { order, idOf } = await disputable({ rows })
    const id = idOf('RATE_MISMATCH')
    await answer(order, id, 'accept')
    await sendPosts(market, 'cable', [aBilled(order, { rate: 1500 })])
    expect(await variances(order, '?code=RATE_MISMATCH')).toMatchObject([
      { variance_id: id, state: 'open', gross: 249.5, actions: [{ gross: 49.5 }] },
    ])
    expect((await answer(order, id, 'dispute')).body.state).toBe('disputed')
  })
})

describe(`${BUYER}: 404`, () => {
  it('is the same for an order of others and an unknown one, and for an unknown variance', async () => {
    const { order, id } = await disputable()
    const act = (tenant: 'zenith' | 'acme', of: string, variance: string) =>
      market[tenant].post(`/orders/${of}/reconciliation/variances/${variance}`, { action: 'accept' })
    const unknown = await act('zenith', 'ord_unknown', id)
    expect([unknown.status, (await act('zenith', order, id)).text]).toEqual([404, unknown.text])
    const other = await disputable()
    for (const variance of ['var_unknown', other.id, '"', '%'])
      expect((await act('acme', order, encodeURIComponent(variance))).status).toBe(404)
    expect((await act('acme', await market.placed(), id)).status).toBe(404)
  })
})

describe(`${BUYER}: 409`, () => {
  it('names the state that does not allow the action', async () => {
    const { order, id } = await disputable()
    await answer(order, id, 'dispute')
    expect(await answer(order, id, 'accept')).toMatchObject({
      status: 409,
      body: { error_code: 'INVALID_STATE', details: { state: 'disputed' } },
    })
    expect(await answer(order, id, 'dispute', { note: 'again' })).toMatchObject({ status: 409, body: { details: { state: 'disputed' } } })
    await settle(order, id, 'uphold')
    await answer(order, id, 'accept')
    expect(await answer(order, id, 'dispute')).toMatchObject({ status: 409, body: { details: { state: 'accepted' } } })
  })

  it('lets one of two simultaneous actions win, and reports the state to the others', async () => {
    const { order, id } = await disputable()
    const replies = await Promise.all([
      answer(order, id, 'accept'),
      answer(order, id, 'dispute'),
      answer(order, id, 'accept', { note: 'x' }),
    ])
    const won = replies.filter(({ status }) => status === 200)
    const lost = replies.filter(({ status }) => status === 409)
    expect([won.length, lost.length]).toEqual([1, 2])
    for (const { body } of lost) expect(body.details.state).toBe(won[0]?.body.state)
    expect((await variances(order, '?code=OUT_OF_DAYPART'))[0]).toMatchObject({ state: won[0]?.body.state, actions: [{}] })
  })
})

describe(`${BUYER}: 422`, () => {
  let order: string
  let id: string
  beforeAll(async () => {
    ;({ order, id } = await disputable())
  })
  it.each([
    [{}, 'action'],
    [{ action: 'credit' }, 'action'],
    [{ action: 'accept', note: 'x'.repeat(1_001) }, 'note'],
    [{ action: 'accept', actor: '' }, 'actor'],
  ])('%j', async (body, field) => {
    const reply = await market.acme.post(`/orders/${order}/reconciliation/variances/${id}`, body)
    expect(reply).toMatchObject({ status: 422, body: { error_code: 'INVALID_INPUT', details: { field } } })
  })
})

describe(`${SELLER}: 200`, () => {
  it('credits a disputed spot by a credit note with the next number, which both sides see', async () => {
    const { order, id } = await disputable({ invoiced: true })
    await answer(order, id, 'dispute')
    const { status, body } = await settle(order, id, 'credit', { note: 'Sorry' })
    const [invoice, note] = await invoicesOf(order)
    expect([status, body.state, body.actions.at(-1)]).toMatchObject([
      200,
      'credited',
      { action: 'credit', side: 'seller', actor: 'cable', amount: PRICE, invoice_id: note?.invoice_id },
    ])
    expect(note).toMatchObject({
      kind: 'credit_note',
      credits: invoice?.invoice_id,
      reason: 'OUT_OF_DAYPART',
      gross: -PRICE,
      commission: -187.58,
      net: -1062.92,
    })
    expect(invoice).toMatchObject({ undisputed_gross: 12_505, credited_gross: PRICE, status: 'issued' })
    const numbers = [invoice, note].map((each) => Number(String(each?.invoice_number).slice(5)))
    expect(numbers[1]).toBe((numbers[0] ?? 0) + 1)
    expect((await market.acme.get(`/settlement/invoices/${note?.invoice_id}`)).body.lines).toEqual([
      {
        ...{ kind: 'credit', unit_id: body.unit_id, product_id: 'prime', network: 'CBL', spot_length: 30, units: 1 },
        ...{ dates: [{ date: '2030-06-03', units: 1 }], gross: -PRICE },
      },
    ])
    expect((await settle(order, id, 'credit', { note: 'Sorry' })).body).toEqual(body)
    expect(await invoicesOf(order)).toHaveLength(2)
  })

  it('credits spots once when new data gives them another code', async () => {
    const other = await bookedOrder(market)
    const { order, idOf } = await disputable({ rows: () => [aLogged(other)] }) // a log of Monday, with no spot of the order
    const id = idOf('ORDERED_NOT_RUN')
    await answer(order, id, 'dispute')
    const { units, gross } = (await settle(order, id, 'credit')).body
    expect(units).toBeGreaterThan(1)
    const missed = Array.from({ length: units }, (_, index) => aLogged(order, { air_time: `20:4${index}`, status: 'Missed' }))
    await sendPosts(market, 'cable', missed)
    const now = await variances(order, '?code=MISSED')
    expect(now).toHaveLength(units)
    for (const { variance_id } of now) {
      await answer(order, variance_id, 'dispute')
      expect(await undisputed(order)).toBe(12_505)
      const reply = await settle(order, variance_id, 'credit', { amount: 0.01 })
      expect(reply).toMatchObject({ status: 422, body: { details: { field: 'amount', maximum: 0 } } })
    }
    expect(await invoicesOf(order)).toMatchObject([{ credited_gross: gross }, { gross: -gross }])
  })

  it('only records a credit of an order that settles direct', async () => {
    const { order, id } = await disputable({ cleared: false })
    await answer(order, id, 'dispute')
    const { body } = await settle(order, id, 'credit', { amount: 100 })
    expect([body.state, body.actions[1].amount, 'invoice_id' in body.actions[1]]).toEqual(['credited', 100, false])
    expect(await invoicesOf(order)).toEqual([])
  })

  it('upholds a dispute, and issues nothing', async () => {
    const { order, id } = await disputable()
    await answer(order, id, 'dispute')
    expect((await settle(order, id, 'uphold', { note: 'In the window of the agreement' })).body.state).toBe('upheld')
    expect(await invoicesOf(order)).toHaveLength(1)
  })

  it('credits once when many credits arrive at the same time', async () => {
    const { order, id } = await disputable()
    await answer(order, id, 'dispute')
    const replies = await Promise.all(Array.from({ length: 4 }, () => settle(order, id, 'credit')))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await invoicesOf(order)).toHaveLength(2)
  })
})

describe(`${SELLER}: 403`, () => {
  it('is the answer without orders:approve, which the settlement scopes do not include', async () => {
    const { order, id } = await disputable()
    const token = await forgedCredential(market, 'cable', 'seller', { scopes: ['settlement:write', 'settlement:read', 'orders:read'] })
    const reply = await market.tenant(token).post(`/me/orders/${order}/reconciliation/variances/${id}`, { action: 'uphold' })
    expect(reply).toMatchObject({ status: 403, body: { details: { required_scope: 'orders:approve' } } })
  })
})

describe(`${SELLER}: 404`, () => {
  it('is the same for an order of others and an unknown one', async () => {
    const { order, id } = await disputable()
    const act = (of: string) => market.station.post(`/me/orders/${of}/reconciliation/variances/${id}`, { action: 'uphold' })
    expect([(await act(order)).status, (await act(order)).text]).toEqual([404, (await act('ord_unknown')).text])
  })
})

describe(`${SELLER}: 409`, () => {
  it('names the state that does not allow the action', async () => {
    const { order, id } = await disputable()
    expect(await settle(order, id, 'credit')).toMatchObject({
      status: 409,
      body: { error_code: 'INVALID_STATE', details: { state: 'open' } },
    })
  })

  it('is the answer to a credit before the invoice of the month, and nothing is recorded', async () => {
    const { order, id } = await disputable({ invoiced: false })
    await answer(order, id, 'dispute')
    expect(await settle(order, id, 'credit')).toMatchObject({
      status: 409,
      body: { error_code: 'INVALID_STATE', details: { broadcast_month: '2030-06' } },
    })
    expect(await variances(order, '?state=disputed')).toMatchObject([{ actions: [{ action: 'dispute' }] }])
  })

  it('lets one of a simultaneous credit and uphold win', async () => {
    const { order, id } = await disputable()
    await answer(order, id, 'dispute')
    const replies = await Promise.all([settle(order, id, 'credit'), settle(order, id, 'uphold')])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    const won = replies.find(({ status }) => status === 200)?.body.state
    expect(await invoicesOf(order)).toHaveLength(won === 'credited' ? 2 : 1)
  })
})

describe(`${SELLER}: 422`, () => {
  let order: string
  let id: string
  beforeAll(async () => {
    ;({ order, id } = await disputable())
    await answer(order, id, 'dispute')
  })
  it.each([
    [{ action: 'accept' }, 'action'],
    [{ action: 'uphold', amount: 1 }, 'amount'],
    [{ action: 'credit', amount: 0.001 }, 'amount'],
    [{ action: 'credit', amount: -1 }, 'amount'],
    [{ action: 'credit', amount: 0 }, 'amount'],
    [{ action: 'credit', amount: 1250.51 }, 'amount'],
  ])('%j', async (body, field) => {
    const reply = await market.cable.post(`/me/orders/${order}/reconciliation/variances/${id}`, body)
    expect(reply).toMatchObject({ status: 422, body: { error_code: 'INVALID_INPUT', details: { field } } })
    expect(await variances(order, '?state=disputed')).toMatchObject([{ actions: [{ action: 'dispute' }] }])
  })
})
