import { beforeAll, describe, expect, it } from '@jest/globals'
import { bookOrder } from '../../../src/operations/settlement/bookOrder.ts'
import { issueInvoices } from '../../../src/operations/settlement/issueInvoices.ts'
import { issueCredential } from '../../../src/store/tenants/credentials.ts'
import { EXAMPLE_LINES } from '../../support/edi/anEdiOrder.ts'
import { feedSettled } from '../../support/engines/feedSettled.ts'
import type { Tenant } from '../../support/market.ts'
import { BUYER, SELLER } from '../../support/orders/anOrder.ts'
import { aCatalog, aProduct } from '../../support/orders/published.ts'
import { clearedAgreement, placedUnder } from '../../support/settlement/clearedOrders.ts'
import { EXAMPLE_SPOTS } from '../../support/settlement/exampleSpots.ts'
import { aBilled, aLogged, sendPosts } from '../../support/settlement/sendPosts.ts'
import { useMarket } from '../../support/useMarket.ts'

/** The example of docs/sell/reconciliation.md and docs/buy/invoices.md, from the seller's file to the credit note. */
const market = useMarket()
let buyer: Tenant
let seller: Tenant
let agreement: string
let order: string
const invoices = async () => (await buyer.get(`/settlement/invoices?order_id=${order}`)).body.items.reverse()
const reconciliation = async (query = '') => (await buyer.get(`/orders/${order}/reconciliation${query}`)).body

beforeAll(async () => {
  const { db, orders } = market.deps
  const granted = await clearedAgreement(db, { credit_limit: 100_000 })
  agreement = granted.agreement_id
  buyer = market.tenant((await issueCredential(db, { entity: BUYER, side: 'buyer', kind: 'test' })).token)
  seller = market.tenant((await issueCredential(db, { entity: SELLER, side: 'seller', kind: 'test' })).token)
  const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
  const daily = (start: string, end: string) => ({ selling_title: 'Daily', days, start, end, timezone: 'UTC' })
  const products = [aProduct('prime', { definition: daily('19:00', '22:00') }), aProduct('late', { definition: daily('23:00', '02:00') })]
  expect((await seller.put('/me/catalog', aCatalog(...products))).body.rejected).toBe(0)
  order = await placedUnder(orders, granted, { lines: EXAMPLE_LINES })
  await bookOrder(orders, db, order)
})

describe('the worked example', () => {
  it('is invoiced for three months, which draw on the credit', async () => {
    await issueInvoices(market.deps.orders, order, '2027-04-26T14:00:00.000Z')
    expect(
      (await invoices()).map(({ invoice_number, gross, commission, net }: Record<string, unknown>) => [
        invoice_number,
        gross,
        commission,
        net,
      ]),
    ).toEqual([
      ['2702-00001', 33_600, 5040, 28_560],
      ['2703-00001', 16_938.03, 2540.7, 14_397.33],
      ['2704-00001', 3908.77, 586.32, 3322.45],
    ])
    expect((await buyer.get(`/settlement/credit?agreement=${agreement}`)).body.exposure).toBe(54_446.8)
  })

  it('is reconciled with the seller’s log and invoice, to the cent', async () => {
    const [{ unit_id }] = (await buyer.get(`/orders/${order}`)).body.line_items
    const rows = EXAMPLE_SPOTS.flatMap(([air_date, air_time, rate = 4200, makegood_for_date]) => {
      const spot = { unit_id, air_date, air_time, makegood_for_date }
      return [aLogged(order, spot), aBilled(order, { ...spot, rate, invoice_date: '2027-02-28', broadcast_month: '2027-02' })]
    })
    await sendPosts(market, SELLER, rows)
    const { revision, totals, lines } = await reconciliation('?broadcast_month=2027-02')
    expect(revision).toBe(1)
    expect(totals).toMatchObject({ ordered_gross: 54_446.8, billed_gross: 38_100 })
    expect(
      lines.map((line: Record<string, unknown>) => [
        ...[line.air_date, line.ordered, line.aired_in_spec, line.aired_out_of_spec, line.makegood, line.unordered],
        ...[line.billed_gross, line.variance_gross, String(line.codes)],
      ]),
    ).toEqual([
      ['2027-02-01', 3, 3, 0, 0, 0, 12_900, 300, 'RATE_MISMATCH'],
      ['2027-02-03', 3, 2, 1, 0, 0, 12_600, 0, 'OUT_OF_DAYPART'],
      ['2027-02-05', 2, 1, 0, 1, 0, 8400, 0, 'MAKEGOOD'],
      ['2027-02-07', 0, 0, 0, 0, 1, 4200, 4200, 'RUN_NOT_ORDERED'],
    ])
  })

  it('has its late spot disputed and credited by 2702-00002', async () => {
    const [{ variances }] = (await reconciliation('?code=OUT_OF_DAYPART')).lines
    const [{ variance_id, gross, rows }] = variances
    expect([variances.length, gross, rows[0].air_time]).toEqual([1, 4200, '22:41'])
    const at = `/orders/${order}/reconciliation/variances/${variance_id}`
    expect((await buyer.post(at, { action: 'dispute', note: 'Ordered until 22:00' })).body.state).toBe('disputed')
    expect((await invoices())[0]).toMatchObject({ undisputed_gross: 29_400, credited_gross: 0 })
    const { body } = await seller.post(`/me${at}`, { action: 'credit' })
    const note = (await invoices()).find(({ kind }: { kind: string }) => kind === 'credit_note')
    expect(body).toMatchObject({ state: 'credited', revision: 3, actions: [{}, { amount: 4200, invoice_id: note.invoice_id }] })
    expect(note).toMatchObject({ invoice_number: '2702-00002', gross: -4200, commission: -630, net: -3570, reason: 'OUT_OF_DAYPART' })
    expect((await invoices())[0]).toMatchObject({ undisputed_gross: 33_600, credited_gross: 4200 })
    const statement = await buyer.get(`/settlement/invoices?agreement=${agreement}&broadcast_month=2027-02`)
    expect(statement.body.totals).toEqual({ gross: 29_400, commission: 4410, net: 24_990, currency: 'USD' })
    expect((await buyer.get(`/settlement/credit?agreement=${agreement}`)).body.exposure).toBe(50_246.8)
  })

  it('is in the change reads of both sides, at its last revision', async () => {
    await feedSettled(market.deps.db)
    for (const [side, path] of [
      [buyer, '/settlement/reconciliation'],
      [seller, '/me/settlement/reconciliation'],
    ] as const)
      expect((await side.get(`${path}?broadcast_month=2027-02`)).body.items).toMatchObject([{ order_id: order, revision: 3 }])
  })
})
