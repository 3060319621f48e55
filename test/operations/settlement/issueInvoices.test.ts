import { beforeAll, describe, expect, it } from '@jest/globals'
import type { Agreement } from '../../../src/contract/agreement.ts'
import { broadcastMonthOf } from '../../../src/domain/calendar.ts'
import { decimal, jsonNumber, sum } from '../../../src/domain/decimal.ts'
import { closeOrder } from '../../../src/operations/orders/closeOrder.ts'
import { issueCreditNote } from '../../../src/operations/settlement/issueCreditNote.ts'
import { issueDueInvoices } from '../../../src/operations/settlement/issueDueInvoices.ts'
import { issueInvoices } from '../../../src/operations/settlement/issueInvoices.ts'
import { payInvoice } from '../../../src/store/settlement/settle.ts'
import { readExposure } from '../../../src/store/tenants/credit.ts'
import { expectInvariants } from '../../support/invariants/expectInvariants.ts'
import { aLine, BUYER, SELLER } from '../../support/orders/anOrder.ts'
import { stored } from '../../support/orders/storedOrders.ts'
import { canceled, clearedAgreement, PAST_LINES, placedUnder } from '../../support/settlement/clearedOrders.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
let agreement: Agreement
let agreements = 0
beforeAll(async () => {
  agreement = await clearedAgreement(db)
})
db.beforeStop(() => expectInvariants(db.url))

/** An agreement of its own, for a test that looks at the exposure. */
const another = () => clearedAgreement(db, { agreement_id: `agr_${++agreements}`, credit_limit: 1_000_000 })
const exposure = async (agreementId: string) => Number(await readExposure(db.pool, agreementId))
const rows = async (orderId: string) =>
  (
    await db.pool.query(
      'select kind, broadcast_month, invoice_number, gross, commission, net, status from invoices where order_id = $1 order by invoice_id',
      [orderId],
    )
  ).rows
const idOf = async (orderId: string, month: string) =>
  (
    await db.pool.query(`select invoice_id from invoices where order_id = $1 and broadcast_month = $2 and kind = 'invoice'`, [
      orderId,
      month,
    ])
  ).rows[0].invoice_id
const toldOf = async (tenant: string, orderId: string) =>
  (
    await db.pool.query(
      `select n.body::json->'data'->>'invoice_number' as told from feed f join notices n using (event_id, tenant)
        where f.tenant = $1 and f.event_type = 'settlement.invoice_issued' and n.body::json->'data'->>'order_id' = $2 order by f.position`,
      [tenant, orderId],
    )
  ).rows.map(({ told }) => told)
const dueAt = async (orderId: string) =>
  (await db.pool.query('select invoice_due_at from orders where order_id = $1', [orderId])).rows[0].invoice_due_at

describe('an order whose months have cleared', () => {
  it('has an invoice for each, with consecutive numbers and one event to each side', async () => {
    const orderId = await placedUnder(db.log, agreement)
    expect(await issueInvoices(db.log, orderId)).toHaveLength(2)
    const [december, january] = await rows(orderId)
    expect(december).toMatchObject({ broadcast_month: '2024-12', gross: '600.00', commission: '90.00', net: '510.00', status: 'issued' })
    expect(january).toMatchObject({ broadcast_month: '2025-01', gross: '1.01', commission: '0.15', net: '0.86' })
    expect(december.invoice_number).toMatch(/^2412-\d{5}$/)
    for (const tenant of [BUYER, SELLER]) expect(await toldOf(tenant, orderId)).toEqual([december.invoice_number, january.invoice_number])
    expect(await dueAt(orderId)).toBeNull()
    expect(await issueInvoices(db.log, orderId)).toEqual([])
    expect(await rows(orderId)).toHaveLength(2)
  })

  it('is invoiced by its closing step, once', async () => {
    const orderId = await placedUnder(db.log, agreement)
    for (let times = 0; times < 2; times += 1) expect((await closeOrder(db.log, db, orderId)).closed).toBe(true)
    expect(await rows(orderId)).toHaveLength(2)
  })

  it('bills what stays billable when it is canceled, and is not billed again', async () => {
    const orderId = await placedUnder(db.log, agreement)
    await canceled(db.log, orderId)
    await closeOrder(db.log, db, orderId)
    expect((await rows(orderId)).map(({ gross }) => gross)).toEqual(['600.00', '1.01'])
  })

  it('is invoiced once by many at a time', async () => {
    const orders = await Promise.all(Array.from({ length: 5 }, () => placedUnder(db.log, agreement)))
    const issued = await Promise.all(orders.flatMap((orderId) => [1, 2, 3].map(() => issueInvoices(db.log, orderId))))
    expect(issued.flat()).toHaveLength(10)
  })
})

it('an order that was never placed is closed without a look at its log', async () => {
  const orderId = await stored(db.log, { agreement_id: agreement.agreement_id, intake: { agreements: [agreement] } })
  await canceled(db.log, orderId)
  const unread = { ...db.log, load: () => Promise.reject(new Error('the log is read')) }
  expect((await closeOrder(unread, db, orderId)).closed).toBe(true)
  expect(await rows(orderId)).toEqual([])
})

describe('an order whose months have not cleared', () => {
  const FUTURE = [aLine({ period: { grain: 'week', start: '2098-W10' } }), ...PAST_LINES.slice(0, 1)]
  it('waits for them, and is invoiced for the others', async () => {
    const orderId = await placedUnder(db.log, agreement, { lines: FUTURE })
    expect(await dueAt(orderId)).toBe('2024-12-30T14:00:00.000Z')
    await closeOrder(db.log, db, orderId)
    expect((await rows(orderId)).map(({ broadcast_month }) => broadcast_month)).toEqual(['2024-12'])
    expect(await dueAt(orderId)).toBe('2098-03-31T14:00:00.000Z')
    expect(await issueInvoices(db.log, orderId, '2098-03-31T13:59:59.999Z')).toEqual([])
    expect(await issueInvoices(db.log, orderId, '2098-03-31T14:00:00.000Z')).toHaveLength(1)
  })

  it('is billed by the dates before its cancellation alone, with its late fee', async () => {
    const terms = { notice_days: 30_000, late_fee_pct: 10 }
    const orderId = await placedUnder(db.log, agreement, { lines: FUTURE, terms })
    await canceled(db.log, orderId)
    await closeOrder(db.log, db, orderId)
    expect(await rows(orderId)).toMatchObject([{ broadcast_month: '2024-12', gross: '600.00' }])
    const [, fee] = await issueInvoices(db.log, orderId, '2099-01-01T00:00:00.000Z').then(() => rows(orderId))
    expect(fee).toMatchObject({ gross: '120.00', commission: '18.00' })
  })
})

describe('an order that is canceled after its months were invoiced ahead', () => {
  const COMING = aLine({ period: { grain: 'week', start: '2098-W10' } })
  const ahead = '2098-04-30T00:00:00.000Z'

  it('is invoiced for its late fee, and credited what it no longer bills, by its closing step and once', async () => {
    const own = await another()
    const terms = { notice_days: 30_000, late_fee_pct: 10 }
    const month = broadcastMonthOf(new Date().toISOString().slice(0, 10))
    const lines = [...PAST_LINES.slice(0, 1), COMING, aLine({ product_id: 'now', period: { grain: 'month', start: month }, units: 28 })]
    const orderId = await placedUnder(db.log, own, { lines, terms })
    await issueInvoices(db.log, orderId, ahead)
    await payInvoice(db, await idOf(orderId, '2098-03'), {})
    await canceled(db.log, orderId)
    for (let times = 0; times < 2; times += 1) await closeOrder(db.log, db, orderId)
    expect(await issueInvoices(db.log, orderId, ahead)).toEqual([])
    const issued = await rows(orderId)
    expect(issued.filter(({ broadcast_month }) => broadcast_month === '2098-03')).toMatchObject([
      { kind: 'invoice', gross: '600.00', status: 'credited' },
      { kind: 'credit_note', gross: '-600.00', commission: '-90.00' },
    ])
    const ofMonth = issued.filter(({ broadcast_month }) => broadcast_month === month)
    expect(ofMonth.filter(({ kind }) => kind === 'invoice')).toMatchObject([{}, { gross: '400.00', commission: '60.00' }])
    const owed = sum(issued.map(({ gross }) => gross))
    // 600.00 were paid for a month of which nothing is left: they count for the other months.
    expect(await exposure(own.agreement_id)).toBe(jsonNumber(owed.minus(decimal(600))))
  })

  it('is credited at most what other credit notes have left', async () => {
    const orderId = await placedUnder(db.log, agreement, { lines: [COMING] })
    await issueInvoices(db.log, orderId, ahead)
    await db.log.exclusively(orderId, (_, { tx }) =>
      issueCreditNote(tx, { order_id: orderId, broadcast_month: '2098-03', lines: [{ units: 1, gross: 100 }], reason: 'WRONG_COPY' }),
    )
    await canceled(db.log, orderId)
    await closeOrder(db.log, db, orderId)
    expect((await rows(orderId)).map(({ gross }) => gross)).toEqual(['600.00', '-100.00', '-500.00'])
    expect(await issueInvoices(db.log, orderId, ahead)).toEqual([])
  })
})

describe('a run over all that is due', () => {
  it('leaves out an order that cannot be invoiced, and says so', async () => {
    const march = [aLine({ period: { grain: 'week', start: '2023-W10' } })]
    const [broken, sound] = [await placedUnder(db.log, agreement, { lines: march }), await placedUnder(db.log, agreement)]
    await db.pool.query(`insert into invoice_counters values ($1, '2023-03', 359999)`, [SELLER]) // as many as a month has numbers
    const failures: string[] = []
    const run = await issueDueInvoices({ log: db.log, db }, { onFailure: (orderId) => failures.push(orderId) })
    expect([run.failed, failures]).toEqual([[broken], [broken]])
    expect([(await rows(broken)).length, (await rows(sound)).length]).toEqual([0, 2])
    await db.owner().query(`delete from invoice_counters where broadcast_month = '2023-03'`)
    const again = await issueDueInvoices({ log: db.log, db }, { onFailure: () => undefined })
    expect(again).toEqual({ orders: 1, issued: 1, failed: [] })
  })
})

describe('what an order draws on credit', () => {
  it('falls as its invoices are paid and credited, by each amount once and never below 0', async () => {
    const own = await another()
    const orderId = await placedUnder(db.log, own)
    expect(await exposure(own.agreement_id)).toBe(601.01)
    await issueInvoices(db.log, orderId)
    expect(await exposure(own.agreement_id)).toBe(601.01)
    const credit = (gross: number, broadcast_month = '2024-12') =>
      db.log.exclusively(orderId, (_, { tx }) =>
        issueCreditNote(tx, { order_id: orderId, broadcast_month, lines: [{ unit_id: 'unit_1', units: 1, gross }], reason: 'WRONG_COPY' }),
      )
    await credit(100)
    expect(await exposure(own.agreement_id)).toBe(501.01)
    const december = await idOf(orderId, '2024-12')
    for (let times = 0; times < 2; times += 1) await payInvoice(db, december, {})
    expect(await exposure(own.agreement_id)).toBe(1.01) // January is not paid
    await credit(500)
    expect(await exposure(own.agreement_id)).toBe(0)
    expect((await rows(orderId)).map(({ kind, gross, status }) => [kind, gross, status])).toEqual([
      ['invoice', '600.00', 'credited'],
      ['invoice', '1.01', 'issued'],
      ['credit_note', '-100.00', 'issued'],
      ['credit_note', '-500.00', 'issued'],
    ])
    await expect(credit(0.01)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { maximum: 0 } })
    await expect(credit(1, '2025-03')).rejects.toMatchObject({ code: 'INVALID_STATE' })
    expect(await exposure(own.agreement_id)).toBe(0)
  })

  it('is what stays billable once it is canceled, less what is paid', async () => {
    const own = await another()
    const terms = { notice_days: 30_000, late_fee_pct: 10 }
    const lines = [aLine({ period: { grain: 'week', start: '2098-W10' } }), ...PAST_LINES.slice(0, 1)]
    const orderId = await placedUnder(db.log, own, { lines, terms })
    expect(await exposure(own.agreement_id)).toBe(1200)
    await issueInvoices(db.log, orderId)
    await payInvoice(db, await idOf(orderId, '2024-12'), { paid_on: '2025-01-15', reference: 'wire 1' })
    expect(await exposure(own.agreement_id)).toBe(600)
    await canceled(db.log, orderId)
    expect(await exposure(own.agreement_id)).toBe(120)
  })
})
