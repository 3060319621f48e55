import { beforeAll, describe, expect, it } from '@jest/globals'
import { issueCreditNote } from '../../../src/operations/settlement/issueCreditNote.ts'
import { issueInvoices } from '../../../src/operations/settlement/issueInvoices.ts'
import { expectInvariants } from '../../support/invariants/expectInvariants.ts'
import { checkInvariants } from '../../support/invariants/invariants.ts'
import { aLine } from '../../support/orders/anOrder.ts'
import { clearedAgreement, PAST_LINES, placedUnder } from '../../support/settlement/clearedOrders.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
let orderId: string
beforeAll(async () => {
  const agreement = await clearedAgreement(db, { credit_limit: 100_000 })
  orderId = await placedUnder(db.log, agreement, {
    lines: [...PAST_LINES, aLine({ product_id: 'coming', period: { grain: 'week', start: '2098-W10' } })],
  })
  await issueInvoices(db.log, orderId)
  await db.log.exclusively(orderId, (_, { tx }) =>
    issueCreditNote(tx, {
      order_id: orderId,
      broadcast_month: '2024-12',
      lines: [{ unit_id: 'unit_1', units: 1, gross: 100 }],
      reason: 'MISSED',
    }),
  )
  await db.owner().query('alter table feed disable trigger all')
})

const NOTE = `kind = 'credit_note'`
describe('the checker sees', () => {
  it('nothing wrong with invoices that were issued', async () => {
    await db.owner().query('alter table feed enable trigger all')
    await expectInvariants(db.url)
    await db.owner().query('alter table feed disable trigger all')
  })

  it.each<[string, string, string, string]>([
    [
      'an invoice of other lines',
      `invoices set lines = replace(lines::text, '"units":6', '"units":5')::json`,
      `broadcast_month = '2024-12'`,
      'I16',
    ],
    ['an invoice that does not add up', 'invoices set net = net - 0.01', `broadcast_month = '2025-01'`, 'I16'],
    ['an invoice of another state of the order', 'invoices set order_seq = 3', `broadcast_month = '2025-01'`, 'I16'],
    ['a credit that is not counted', 'invoices set credited = 0', `kind = 'invoice'`, 'I16'],
    ['a credit note that does not add up', 'invoices set commission = 0', NOTE, 'I16'],
    ['a payment that was not made', `invoices set status = 'paid'`, `broadcast_month = '2025-01'`, 'I16'],
    ['a payment that the order still draws', `invoices set status = 'paid', paid_at = now()`, `broadcast_month = '2025-01'`, 'I15'],
    ['a number that is left out', `invoices set invoice_number = '2501-00002'`, `broadcast_month = '2025-01'`, 'I16'],
    ['a counter that ran ahead', 'invoice_counters set last = last + 1', 'true', 'I16'],
    ['a side that was not told', `feed set event_type = 'catalog.window_opened'`, `event_type = 'settlement.invoice_issued'`, 'I16'],
    ['a month that nobody will bill', 'orders set invoice_due_at = null', 'true', 'I16'],
    ['a month that will be billed too late', `orders set invoice_due_at = invoice_due_at + interval '1 s'`, 'true', 'I16'],
    ['an order that draws what it does not owe', 'orders set drawn = drawn + 1', 'true', 'I15'],
    ['an order that has settled what it has not', 'orders set settled_gross = 0', 'true', 'I15'],
  ])('%s', async (_, change, where, invariant) => {
    const owner = db.owner()
    const [table = ''] = change.split(' ')
    await owner.query(`create table kept as select * from ${table}`)
    const { rowCount } = await owner.query(`update ${change} where ${where}`)
    expect(rowCount).toBeGreaterThan(0)
    const found = (await checkInvariants(db.url)).filter((broken) => broken.invariant !== 'I11')
    expect(new Set(found.map((broken) => broken.invariant))).toEqual(new Set([invariant]))
    await restore(table)
  })
})

/** Puts back every column of the rows that were changed. */
async function restore(table: string): Promise<void> {
  const owner = db.owner()
  const { rows } = await owner.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attidentity = ''`,
    [table],
  )
  const key = { invoices: 'invoice_id', invoice_counters: 'broadcast_month', feed: 'position', orders: 'order_id' }[table]
  const columns = rows.map(({ name }) => `${name} = kept.${name}`).join(', ')
  await owner.query(`update ${table} set ${columns} from kept where kept.${key} = ${table}.${key}`)
  await owner.query('drop table kept')
}
