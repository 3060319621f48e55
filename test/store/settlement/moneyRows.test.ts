import { beforeEach, describe, expect, it } from '@jest/globals'
import { NO_LONGER_BILLED } from '../../../src/contract/vocabulary/settlement.ts'
import type { Tx } from '../../../src/store/connection/database.ts'
import { dueOrders } from '../../../src/store/settlement/dueOrders.ts'
import { findInvoice, invoicedGross, listInvoices, readInvoices, sumInvoices } from '../../../src/store/settlement/invoiceReads.ts'
import { insertInvoice, postponeInvoice, readBilling } from '../../../src/store/settlement/issue.ts'
import { creditInvoice, lockInvoice, payInvoice } from '../../../src/store/settlement/settle.ts'
import {
  anAgreementRow,
  anOrderRow,
  BUYER,
  insertRows,
  OTHER_BUYER,
  OTHER_SELLER,
  PAST,
  SELLER,
  SOON,
} from '../../support/orders/rowsOfMarket.ts'
import { canceled, clearedAgreement, placedUnder } from '../../support/settlement/clearedOrders.ts'
import { anAcceptedMakegoodRow, anInvoiceRow } from '../../support/settlement/rowsOfSettlement.ts'
import { until } from '../../support/until.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
const rows = async (sql: string) => (await db.owner().query(sql)).rows
const inTx = <T>(work: (tx: Tx) => Promise<T>) => db.sql.transaction().execute(work)

beforeEach(async () => {
  await db.owner().query(`set session_replication_role = replica; delete from invoices; delete from invoice_counters; delete from orders;
    delete from agreements; delete from makegoods; set session_replication_role = origin`)
})

describe('the invoices of a reader', () => {
  beforeEach(() =>
    insertRows(db.owner(), [
      anInvoiceRow('inv_2', { ...OTHER_SELLER, order_id: 'ord_2', gross: 100, commission: 10, net: 90 }),
      anInvoiceRow('inv_3', { ...OTHER_BUYER, order_id: 'ord_3' }),
      anInvoiceRow('inv_4', { broadcast_month: '2030-07', status: 'paid', gross: 1, commission: 0, net: 1 }),
      anInvoiceRow('inv_1', { gross: 10, commission: 1, net: 9 }),
      anInvoiceRow('inv_5', { kind: 'credit_note', credits: 'inv_1', n: 1, gross: -2, commission: 0, net: -2 }),
      anInvoiceRow('inv_6', { agreement_id: 'agr_2', n: 2, gross: 1_000, commission: 0, net: 1_000 }),
    ]),
  )
  const list = async (filter: object = {}, reader: typeof BUYER | typeof SELLER = BUYER) =>
    (await listInvoices(db, reader, { limit: 9, ...filter })).map(({ invoice_id }) => invoice_id)

  it('are listed newest first, by page and each filter', async () => {
    expect([await list(), await list({}, SELLER)]).toEqual([
      ['inv_6', 'inv_5', 'inv_4', 'inv_2', 'inv_1'],
      ['inv_6', 'inv_5', 'inv_4', 'inv_3', 'inv_1'],
    ])
    expect(await list({ before: 'inv_4', limit: 1 })).toEqual(['inv_2'])
    const filters = [
      { seller: 'seller_two' },
      { agreement: 'agr_2' },
      { order_id: 'ord_2' },
      { broadcast_month: '2030-07' },
      { status: 'paid' },
    ]
    expect(await Promise.all(filters.map((filter) => list(filter)))).toEqual([['inv_2'], ['inv_6'], ['inv_2'], ['inv_4'], ['inv_4']])
    expect([await list({ kind: 'credit_note' }), await list({ ...OTHER_BUYER }, SELLER)]).toEqual([['inv_5'], ['inv_3']])
  })

  it('are summed, unless they are in several currencies', async () => {
    const sums = await sumInvoices(db, BUYER, { agreement: 'agr_1' })
    expect(sums).toEqual({ gross: 109, commission: 11, net: 98, currency: 'USD' })
    await db.owner().query(`update invoices set currency = 'EUR' where invoice_id = 'inv_6'`)
    expect(await sumInvoices(db, BUYER, {})).toBeUndefined()
    expect([await invoicedGross(db, 'agr_2'), await invoicedGross(db, 'agr_none')]).toEqual(['1000', '0'])
  })

  it('are read by id, its own', async () => {
    expect(await findInvoice(db, BUYER, 'inv_1')).toMatchObject({ invoice_id: 'inv_1', lines: [] })
    for (const [reader, id] of [
      [BUYER, 'inv_3'],
      [SELLER, 'inv_2'],
      [BUYER, 'inv_none'],
    ] as const)
      expect(await findInvoice(db, reader, id)).toBeUndefined()
    expect((await readInvoices(db, BUYER, ['inv_4', 'inv_3', 'inv_1'])).map(({ invoice_id }) => invoice_id)).toEqual(['inv_1', 'inv_4'])
  })
})

describe('the orders that are due for an invoice', () => {
  it('come by their time and id, by page, as of a time, of a seller or of all', async () => {
    const due = (invoice_due_at: string, more: object = {}) => ({ invoice_due_at, ...more })
    const earlier = new Date(Date.parse(PAST) - 60_000).toISOString()
    await insertRows(db.owner(), [
      anOrderRow('ord_3', due(PAST)),
      anOrderRow('ord_1', due(PAST)),
      anOrderRow('ord_2', due(earlier, OTHER_SELLER)),
      anOrderRow('ord_4', due(SOON)),
      anOrderRow('ord_5'),
    ])
    const list = async (more: object = {}) => (await dueOrders(db, { limit: 9, ...more })).map(({ order_id }) => order_id)
    expect([await list(), await list({ limit: 2 })]).toEqual([
      ['ord_2', 'ord_1', 'ord_3'],
      ['ord_2', 'ord_1'],
    ])
    expect([await list({ asOf: SOON }), await list({ asOf: earlier })]).toEqual([['ord_2', 'ord_1', 'ord_3', 'ord_4'], ['ord_2']])
    expect(await list({ after: { order_id: 'ord_1', invoice_due_at: PAST }, limit: 1 })).toEqual(['ord_3'])
    expect([await list({ after: { order_id: 'ord_3', invoice_due_at: PAST } }), await list({ seller: 'seller_two' })]).toEqual([
      [],
      ['ord_2'],
    ])
    await inTx((tx) => postponeInvoice(tx, 'ord_1', null))
    expect(await list()).toEqual(['ord_2', 'ord_3'])
  })
})

describe('issuing', () => {
  it('reads what the order’s invoices billed, credited and took back, by month, and its agreed makegoods', async () => {
    const lines = (...units: number[]) => JSON.stringify(units.map((unit) => ({ unit })))
    const note = { kind: 'credit_note', credits: 'inv_1' }
    await insertRows(db.owner(), [
      anAgreementRow('agr_1', { body: '{"agency_commission_pct":15}' }),
      anAgreementRow('agr_2', { body: '{"agency_commission_pct":10}' }),
      anInvoiceRow('inv_1', { lines: lines(1, 2) }),
      anInvoiceRow('inv_2', { n: 2, lines: lines(3) }),
      anInvoiceRow('inv_3', { ...note, n: 1, lines: lines(4), reason: 'a variance' }),
      anInvoiceRow('inv_4', { ...note, n: 2, lines: lines(5), reason: NO_LONGER_BILLED }),
      anInvoiceRow('inv_5', { broadcast_month: '2030-07', lines: lines(6) }),
      anInvoiceRow('inv_6', { order_id: 'ord_2', lines: lines(7) }),
      anAcceptedMakegoodRow('mkg_2'),
      anAcceptedMakegoodRow('mkg_1'),
      anAcceptedMakegoodRow('mkg_3', { order_id: 'ord_2' }),
      anAcceptedMakegoodRow('mkg_4', { status: 'declined', agreed: null }),
    ])
    const billing = await inTx((tx) => readBilling(tx, 'ord_1', 'agr_2'))
    expect(billing.commission_pct).toBe('10')
    expect(billing.makegoods.map(({ makegood_id }) => makegood_id)).toEqual(['mkg_1', 'mkg_2'])
    const units = (list: unknown) => (list as { unit: number }[]).map(({ unit }) => unit).sort()
    const [june, july] = [...billing.issued].sort((one, other) => (one.broadcast_month < other.broadcast_month ? -1 : 1))
    const read = june as unknown as Record<string, unknown>
    expect([read.invoices, units(read.billed), units(read.credited), units(read.taken_back)]).toEqual([2, [1, 2, 3], [4], [5]])
    expect(july).toMatchObject({ broadcast_month: '2030-07', invoices: 1 })
    expect(await inTx((tx) => readBilling(tx, 'ord_9', 'agr_none'))).toMatchObject({ issued: [], makegoods: [], commission_pct: '0' })
  })

  it('numbers the invoices of a seller and month without a gap', async () => {
    await insertRows(db.owner(), [['invoice_counters', { seller: 'seller_two', broadcast_month: '2030-06', last: 9 }]])
    const invoice = (seller: string, broadcast_month: string, order_id: string) => {
      const [, { invoice_id: _, gross: __, commission: ___, net: ____, ...row }] = anInvoiceRow('', { seller, broadcast_month, order_id })
      const amount = { toFixed: () => '1' }
      return { ...row, estimate_id: null, credits: null, reason: null, gross: amount, commission: amount, net: amount, lines: [] } as never
    }
    const number = async (...of: Parameters<typeof invoice>) => (await inTx((tx) => insertInvoice(tx, invoice(...of)))).invoice_number
    await db
      .owner()
      .query(
        `insert into tenants (entity, side, name) values ('seller_one', 'seller', 'x'), ('seller_two', 'seller', 'x') on conflict do nothing`,
      )
    await db.owner().query(`insert into sellers (seller, profile) values ('seller_one', '{}'), ('seller_two', '{}') on conflict do nothing`)
    await insertRows(
      db.owner(),
      ['ord_1', 'ord_2', 'ord_3', 'ord_4'].map((id) => anOrderRow(id)),
    )
    const first = await number('seller_one', '2030-06', 'ord_1')
    const second = await number('seller_one', '2030-06', 'ord_2')
    expect(await number('seller_one', '2030-07', 'ord_3')).toBe(first.replace('3006', '3007'))
    expect([await number('seller_two', '2030-06', 'ord_4'), second].map((text) => Number(text.split('-').at(-1)))).toEqual([10, 2])
  })
})

describe('an invoice that is credited or paid', () => {
  const order = (order_id: string, more: object = {}) => anOrderRow(order_id, { drawn: 100, settled_gross: 0, last_seq: 7, ...more })
  const drawn = async () =>
    (await rows('select order_id, drawn::int, settled_gross::int from orders order by 1')).map((row) => Object.values(row).join())
  beforeEach(() =>
    insertRows(db.owner(), [
      ...['ord_1', 'ord_2'].map((id) => order(id)),
      anInvoiceRow('inv_2', { n: 2 }),
      anInvoiceRow('inv_3', { broadcast_month: '2030-07' }),
      anInvoiceRow('inv_4', { order_id: 'ord_2' }),
      anInvoiceRow('inv_1', { credited: 10 }),
      anInvoiceRow('inv_5', { kind: 'credit_note', credits: 'inv_1' }),
      anInvoiceRow('inv_6', { kind: 'credit_note', credits: 'inv_3', broadcast_month: '2030-07' }),
      anInvoiceRow('inv_7', { kind: 'credit_note', credits: 'inv_4', order_id: 'ord_2', n: 3 }),
    ]),
  )

  it('is the first of its order and month, locked, with the number of its credit notes', async () => {
    await inTx(async (tx) => {
      expect(await lockInvoice(tx, 'ord_1', '2030-06')).toMatchObject({ invoice_id: 'inv_1', credit_notes: 1, order_seq: 7 })
      expect(await lockInvoice(tx, 'ord_1', '2030-09')).toBeUndefined()
      const paying = payInvoice(db, 'inv_1', {})
      await until(async () => (await rows('select from pg_locks where not granted')).length > 0)
      await creditInvoice(tx, { invoice_id: 'inv_1', order_id: 'ord_1', credited: '30', amount: '20', isInFull: false })
      void paying.catch(() => undefined)
    })
    await until(async () => (await rows(`select from invoices where status = 'paid'`)).length === 1)
    expect(await drawn()).toEqual(['ord_1,10,90', 'ord_2,100,0'])
  })

  it('ends credited in full, and changes no other', async () => {
    await inTx((tx) => creditInvoice(tx, { invoice_id: 'inv_1', order_id: 'ord_1', credited: '100', amount: '190', isInFull: true }))
    expect(await rows(`select invoice_id, credited::int from invoices where status <> 'issued'`)).toEqual([
      { invoice_id: 'inv_1', credited: 100 },
    ])
    expect(await drawn()).toEqual(['ord_1,0,190', 'ord_2,100,0'])
  })

  it('is paid once, if it is an invoice that is neither paid nor credited', async () => {
    await db.owner().query(`update invoices set status = 'credited' where invoice_id = 'inv_3'`)
    for (const id of ['inv_1', 'inv_1', 'inv_3', 'inv_5']) await payInvoice(db, id, { paid_on: '2030-07-01', reference: id })
    expect(await rows(`select invoice_id, reference from invoices where reference is not null`)).toEqual([
      { invoice_id: 'inv_1', reference: 'inv_1' },
    ])
    expect(await drawn()).toEqual(['ord_1,10,90', 'ord_2,100,0'])
    await payInvoice(db, 'inv_2', {})
    expect(await rows(`select paid_on = (now() at time zone 'utc')::date as today from invoices where invoice_id = 'inv_2'`)).toEqual([
      { today: true },
    ])
  })
})

describe('what an order draws on the credit of its agreement', () => {
  it('is what it owes less what was settled, and never below nothing', async () => {
    const agreement = await clearedAgreement(db)
    const orderId = await placedUnder(db.log, agreement)
    const [{ owed }] = await rows(`select drawn::int as owed from orders where order_id = '${orderId}'`)
    expect(owed).toBeGreaterThan(0)
    await db.owner().query(`update orders set settled_gross = $2 where order_id = $1`, [orderId, owed + 1])
    await canceled(db.log, orderId)
    expect(await rows(`select drawn::int from orders where order_id = '${orderId}'`)).toEqual([{ drawn: 0 }])
  })
})
