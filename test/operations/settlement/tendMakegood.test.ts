import { beforeAll, describe, expect, it } from '@jest/globals'
import { closeOrder } from '../../../src/operations/orders/closeOrder.ts'
import { tendMakegood } from '../../../src/operations/settlement/tendMakegood.ts'
import { sweepMakegoods } from '../../../src/store/makegoods/makegoodQueue.ts'
import { FRIDAY, MONDAY, makegoodsOf, PRICE } from '../../support/makegoods/makegoodsOf.ts'
import { aBilled, aLogged, bookedOrder, sendPosts } from '../../support/settlement/sendPosts.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const { missing, anOffer, notice, offered, answer, read, unitOf } = makegoodsOf(market)
const CLEARED = '2030-07-01T14:00:00Z'
const terms = {
  buyer_entity: 'acme',
  effective: { start: '2020-01-01', end: '2099-12-31' },
  settlement_mode: 'cleared',
  agency_commission_pct: 15,
}
const tend = (id: string) => tendMakegood(market.deps.orders, market.deps.db, id)
const invoicesOf = async (order: string) => (await market.acme.get(`/settlement/invoices?order_id=${order}`)).body.items.reverse()
const lineOf = async (order: string) =>
  (await market.acme.get(`/orders/${order}/reconciliation`)).body.lines.find(
    (line: { air_date: string; network: string }) => line.air_date === MONDAY && line.network === 'CBL',
  )
const moveTo = (column: 'expires_at' | 'due_at', id: string) =>
  market
    .owner()
    .query(`update makegoods set ${column} = now() - interval '1 second', due_at = now() - interval '1 second' where makegood_id = $1`, [
      id,
    ])

beforeAll(async () => {
  await market.cable.put('/me/agreements/agr-1', terms)
})

describe('the run of a makegood', () => {
  it('expires an offer when its time is over, once', async () => {
    const order = await bookedOrder(market)
    const id = await offered(order)
    expect(await tend(id)).toMatchObject({ status: 'offered', version: 1, due_at: expect.any(String) })
    await moveTo('expires_at', id)
    expect(await tend(id)).toEqual({ status: 'expired', version: 1, due_at: null })
    expect(await tend(id)).toEqual({ status: 'expired', version: 1, due_at: null })
    expect((await read(order, id)).actions).toMatchObject([{ action: 'notice' }, { action: 'expire', side: 'platform', actor: 'deadline' }])
  })

  it('credits a notice without an offer at the end of the flight, once', async () => {
    const order = await bookedOrder(market, { agreement_id: 'agr-1' })
    const id = (await notice(order)).body.makegood_id
    await tend(id)
    await market.owner().query(`update makegoods set due_at = now() where makegood_id = $1`, [id])
    expect((await tend(id))?.status).toBe('noticed') // the flight has not ended by the log
    await answer(order, id, 'credit')
    await market.cable.post('/sandbox/settlement', { as_of: CLEARED })
    await tend(id)
    const notes = (await invoicesOf(order)).filter(({ kind }: { kind: string }) => kind === 'credit_note')
    expect(notes).toMatchObject([{ gross: -PRICE, commission: -187.58, net: -1062.92, reason: 'NOT_MADE_GOOD' }])
    expect((await read(order, id)).credits).toMatchObject([{ invoice_id: notes[0].invoice_id }])
  })

  it('gives the credit note at once for a month that is invoiced', async () => {
    const order = await bookedOrder(market, { agreement_id: 'agr-1' })
    await market.cable.post('/sandbox/settlement', { as_of: CLEARED })
    const id = (await notice(order)).body.makegood_id
    await answer(order, id, 'credit')
    await Promise.all([tend(id), tend(id)])
    expect(await invoicesOf(order)).toMatchObject([{ gross: 12_505, credited_gross: PRICE }, { gross: -PRICE }])
  })

  it('recalls what is open of an order that ended', async () => {
    const order = await bookedOrder(market)
    const [open, accepted] = [await offered(order), await offered(order)]
    await answer(order, accepted, 'accept')
    await market.acme.post(`/orders/${order}/cancel`, {})
    await closeOrder(market.deps.orders, market.deps.db, order)
    const { rows } = await market.owner().query(`select target from outbox where kind = 'makegood' and target = $1`, [open])
    expect(rows.length).toBeGreaterThan(0)
    expect([(await tend(open))?.status, (await tend(accepted))?.status]).toEqual(['recalled', 'accepted'])
    expect((await read(order, open)).actions.at(-1)).toMatchObject({ action: 'recall', actor: 'order_end', note: 'The order is canceled.' })
  })

  it('is woken again when it was lost', async () => {
    const order = await bookedOrder(market)
    const id = await offered(order)
    await market.owner().query(`delete from outbox where kind = 'makegood'`)
    await market.owner().query(`update makegoods set updated_at = now() - interval '2 minutes' where makegood_id = $1`, [id])
    expect(await sweepMakegoods(market.deps.db)).toBeGreaterThan(0)
    expect(await sweepMakegoods(market.deps.db)).toBe(0)
  })
})

describe('what was agreed', () => {
  it('is what reconciliation expects', async () => {
    const order = await bookedOrder(market)
    await sendPosts(market, 'cable', [aLogged(order)])
    const id = await offered(order)
    await answer(order, id, 'accept')
    await tend(id)
    await sendPosts(market, 'cable', [{ ...aLogged(order), revision: 1 }])
    expect(await lineOf(order)).toMatchObject({ ordered: 4, aired_in_spec: 1, made_good: 1, makegood: 0, missed: 3 })
    const row = { air_date: FRIDAY, air_time: '20:10', unit_id: await unitOf(order) }
    await sendPosts(
      market,
      'cable',
      Array.from({ length: 4 }, (_, spot) => aLogged(order, { ...row, air_time: `20:1${spot}`, log_id: `${order}-f` })),
    )
    const line = await lineOf(order)
    expect(line).toMatchObject({ makegood: 1, makegood_airings: 1, missed: 2 })
    expect(line.variances.find(({ code }: { code: string }) => code === 'MAKEGOOD')).toMatchObject({
      agreed: true,
      makegood_id: id,
      gross: PRICE,
    })
  })

  it('cannot be noticed once it has aired', async () => {
    const order = await bookedOrder(market)
    await sendPosts(
      market,
      'cable',
      Array.from({ length: 4 }, (_, spot) => aLogged(order, { air_time: `20:1${spot}` })),
    )
    const { status, body } = await notice(order)
    expect([status, body.details.field]).toEqual([422, 'for.0.date'])
  })

  it('moves the change reads of both sides', async () => {
    const order = await bookedOrder(market)
    await sendPosts(market, 'cable', [aLogged(order), aBilled(order)])
    const revision = async () => (await market.acme.get(`/orders/${order}/reconciliation`)).body.revision
    const before = await revision()
    await notice(order, { for: [await missing(order)], offers: [anOffer()] })
    expect(await revision()).toBe(before + 1)
  })
})

describe('a log with preempted spots', () => {
  const preempted = (order: string, more: object = {}) => aLogged(order, { air_time: undefined, status: 'Preempted', ...more })
  const noticesOf = async (order: string) => (await market.cable.get(`/me/orders/${order}/makegoods`)).body.items

  it('begins a makegood if the seller wants that, also before the date, once', async () => {
    const unwanted = await bookedOrder(market)
    await sendPosts(market, 'cable', [preempted(unwanted)])
    expect(await noticesOf(unwanted)).toEqual([])
    const { body: capabilities } = await market.cable.get('/me/capabilities')
    await market.cable.put('/me/capabilities', { notices_from_logs: true })
    const order = await bookedOrder(market)
    await sendPosts(market, 'cable', [preempted(order), preempted(order, { status: 'Scheduled' })])
    const [notice, ...others] = await noticesOf(order)
    expect([others, notice]).toMatchObject([
      [],
      { status: 'noticed', for: [{ date: MONDAY, units: 1, reason_code: 'preempted' }], actions: [{ side: 'seller', actor: 'as_run' }] },
    ])
    await market.cable.post(`/me/orders/${order}/makegoods/${notice.makegood_id}`, { action: 'recall' })
    await sendPosts(market, 'cable', [{ ...preempted(order), revision: 1 }])
    expect(await noticesOf(order)).toHaveLength(1)
    await sendPosts(market, 'cable', [
      { ...preempted(order), revision: 2 },
      { ...preempted(order, { reason: 'news' }), revision: 2 },
    ])
    expect(await noticesOf(order)).toHaveLength(2)
    await market.cable.put('/me/capabilities', { holds: capabilities.holds ?? false })
  })
})
