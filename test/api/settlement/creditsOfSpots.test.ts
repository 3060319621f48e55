import { describe, expect, it } from '@jest/globals'
import { closeOrder } from '../../../src/operations/orders/closeOrder.ts'
import { issueCreditNote } from '../../../src/operations/settlement/issueCreditNote.ts'
import { tooLargeOrder } from '../../../src/operations/settlement/tooLargeOrder.ts'
import { readLargeSums } from '../../../src/store/settlement/readTooLarge.ts'
import { type ReconciledHead, readHeads } from '../../../src/store/settlement/readToReconcile.ts'
import { dueReconciliations } from '../../../src/store/settlement/reconcileQueue.ts'
import { saveLargeReconciliation } from '../../../src/store/settlement/saveLargeReconciliation.ts'
import { expectInvariants } from '../../support/invariants/expectInvariants.ts'
import { disputing, PRICE } from '../../support/settlement/disputing.ts'
import { aLogged, bookedOrder, sendPosts } from '../../support/settlement/sendPosts.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const { variances, idOf, late, disputable, answer, settle, invoicesOf, undisputed } = disputing(market)
const ORDER = 12_505

/** An order whose first date has as many spots as it has units, with the number of these. */
const severalOnMonday = async () => {
  const log = aLogged(await bookedOrder(market)) // a log of Monday, with no spot of the order
  const { order, idOf: found } = await disputable({ rows: () => [log] })
  const [missing] = await variances(order, '?code=ORDERED_NOT_RUN')
  return { order, id: found('ORDERED_NOT_RUN'), units: Math.round((missing?.gross ?? 0) / PRICE) }
}

describe('credits of a spot', () => {
  it('are at most its price where new data gives it another code and the other spots of its line have aired', async () => {
    const { order, units } = await severalOnMonday()
    expect(units).toBeGreaterThan(1)
    const aired = Array.from({ length: units - 1 }, (_, index) => aLogged(order, { air_time: `20:1${index}` }))
    await sendPosts(market, 'cable', aired)
    const id = await idOf(order, 'ORDERED_NOT_RUN')
    await answer(order, id, 'dispute')
    expect((await settle(order, id, 'credit')).body).toMatchObject({ units: 1, gross: PRICE, state: 'credited' })
    await sendPosts(market, 'cable', [...aired, late(order)])
    const now = await idOf(order, 'OUT_OF_DAYPART')
    await answer(order, now, 'dispute')
    expect(await undisputed(order)).toBe(ORDER)
    expect(await settle(order, now, 'credit', { amount: 0.01 })).toMatchObject({ status: 422, body: { details: { maximum: 0 } } })
    expect((await settle(order, now, 'credit')).body.actions.at(-1)).toMatchObject({ action: 'credit', amount: 0 })
    expect(await invoicesOf(order)).toMatchObject([{ credited_gross: PRICE, undisputed_gross: ORDER }, { gross: -PRICE }])
  })

  it('release what a dispute under another code of the spot withholds from the undisputed amount', async () => {
    const rows = (order: string) => [aLogged(order, { air_time: '23:30', spot_length: 15 })]
    const { order, idOf: found } = await disputable({ rows })
    for (const code of ['OUT_OF_DAYPART', 'WRONG_LENGTH']) await answer(order, found(code), 'dispute')
    expect(await undisputed(order)).toBe(ORDER - PRICE)
    await settle(order, found('OUT_OF_DAYPART'), 'credit')
    expect(await undisputed(order)).toBe(ORDER)
    expect((await settle(order, found('WRONG_LENGTH'), 'credit')).body).toMatchObject({ state: 'credited', actions: [{}, { amount: 0 }] })
    expect(await invoicesOf(order)).toHaveLength(2)
  })

  it('without an amount are limited to what the invoice has left', async () => {
    const { order, id } = await disputable()
    await answer(order, id, 'dispute')
    const rest = { order_id: order, broadcast_month: '2030-06', lines: [{ units: 9, gross: ORDER - 1250.49 }], reason: 'MISSED' }
    await market.deps.orders.exclusively(order, (_, { tx }) => issueCreditNote(tx, rest))
    expect(await settle(order, id, 'credit', { amount: PRICE })).toMatchObject({ status: 422, body: { details: { maximum: 1250.49 } } })
    const { status, body } = await settle(order, id, 'credit')
    expect([status, body.actions.at(-1).amount]).toEqual([200, 1250.49])
  })

  it('are not given again for dates that are no longer billed', async () => {
    const { order, id } = await disputable()
    await answer(order, id, 'dispute')
    await settle(order, id, 'credit')
    await market.acme.post(`/orders/${order}/cancel`, {})
    await closeOrder(market.deps.orders, market.deps.db, order)
    const [invoice, ...notes] = await invoicesOf(order)
    const spots = notes.filter(({ reason }) => reason === 'NO_LONGER_BILLED')
    expect(spots).toMatchObject([{ gross: PRICE - ORDER }])
    expect(notes.reduce((total, { gross }) => total + Number(gross), 0)).toBe(-ORDER)
    expect(invoice).toMatchObject({ credited_gross: ORDER, status: 'credited' })
  })

  it('are at most zero once another credit note has credited the date', async () => {
    const { order, id } = await disputable()
    await answer(order, id, 'dispute')
    await market.acme.post(`/orders/${order}/cancel`, {})
    expect(await settle(order, id, 'credit', { amount: 1 })).toMatchObject({ status: 422, body: { details: { maximum: 0 } } })
  })
})

describe('an order that becomes too large for matching', () => {
  /** Does what the recompute does with an order of too many rows. */
  const becomesTooLarge = async (order: string) => {
    const [head] = await readHeads(market.deps.db, 'cable', [order])
    const result = tooLargeOrder(head as ReconciledHead, await readLargeSums(market.deps.db, order))
    await market.owner().query(`insert into reconcile_due (order_id, seller) values ($1, 'cable')`, [order])
    const [due] = await dueReconciliations(market.deps.db, 'cable', 1)
    expect(await saveLargeReconciliation(market.deps.db, { result, mark: due?.mark ?? '' })).toBe(true)
    expect((await market.acme.get(`/orders/${order}/reconciliation`)).body.state).toBe('too_large')
    await expectInvariants(market.databaseUrl)
  }

  it('keeps its disputes, which count until they are settled', async () => {
    const { order, id } = await disputable()
    await answer(order, id, 'dispute')
    await becomesTooLarge(order)
    expect([await undisputed(order), await variances(order)]).toMatchObject([ORDER - PRICE, [{ variance_id: id, state: 'disputed' }]])
    expect((await settle(order, id, 'credit')).body).toMatchObject({ state: 'credited', actions: [{}, { amount: PRICE }] })
    expect(await undisputed(order)).toBe(ORDER)
    await sendPosts(market, 'cable', [{ ...late(order), revision: 1 }])
    expect(await variances(order, '?state=credited')).toMatchObject([{ variance_id: id }])
  })

  it('counts a spot once that is disputed under two codes, and a credit under one releases the other', async () => {
    const { order, idOf: found } = await disputable({ rows: (of) => [aLogged(of, { air_time: '23:30', spot_length: 15 })] })
    for (const code of ['OUT_OF_DAYPART', 'WRONG_LENGTH']) await answer(order, found(code), 'dispute')
    await becomesTooLarge(order)
    expect(await undisputed(order)).toBe(ORDER - PRICE)
    await settle(order, found('WRONG_LENGTH'), 'uphold')
    expect(await undisputed(order)).toBe(ORDER - PRICE)
    await settle(order, found('OUT_OF_DAYPART'), 'credit')
    expect(await undisputed(order)).toBe(ORDER)
    await expectInvariants(market.databaseUrl)
  })

  it('counts each disputed spot, up to the number that the line books', async () => {
    const { order, units } = await severalOnMonday()
    const lateOnes = Array.from({ length: units }, (_, index) => late(order, `23:3${index}`))
    for (const rows of [lateOnes, lateOnes.map((row) => ({ ...row, spot_length: 15, revision: 1 }))]) {
      await sendPosts(market, 'cable', rows)
      for (const { variance_id, state } of await variances(order)) if (state === 'open') await answer(order, variance_id, 'dispute')
    }
    await becomesTooLarge(order)
    expect(await undisputed(order)).toBe(ORDER - units * PRICE)
  })
})
