import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import type { OrderEvent } from '../../../src/contract/event.ts'
import type { InvoiceLine } from '../../../src/contract/invoice.ts'
import { decimal, sameAmount, sum } from '../../../src/domain/decimal.ts'
import { fold, type OrderState } from '../../../src/domain/order/state.ts'
import { billedMonths } from '../../../src/domain/settlement/billedMonths.ts'
import { clearsAt } from '../../../src/domain/settlement/clearsAt.ts'
import { creditAmounts, type InvoiceAmounts, invoiceAmounts } from '../../../src/domain/settlement/invoiceAmounts.ts'
import { invoiceNumber } from '../../../src/domain/settlement/invoiceNumber.ts'
import type { Violation } from './invariants.ts'
import type { StoredOrder } from './invariantsFold.ts'

/** An invoice as it lies in the table, its numbers as text. */
export interface StoredInvoice {
  invoice_id: string
  broadcast_month: string
  kind: 'invoice' | 'credit_note'
  n: number
  credits: string | null
  order_seq: number
  gross: string
  commission_pct: string
  commission: string
  net: string
  credited: string
  status: string
  /** As text of one width, so that times compare to the microsecond. */
  issued_at: string
  paid_at: string | null
  lines: InvoiceLine[]
}

/** Each invoice is what the log said when it was issued, each month that is not invoiced will be looked at, and credits add up. */
export function brokenInvoices(stored: StoredOrder, order: OrderState): Violation[] {
  const found: Violation[] = []
  const broken = (problem: string) => void found.push({ invariant: 'I16', order_id: stored.order_id, problem })
  const invoices = stored.invoices.filter(({ kind }) => kind === 'invoice')
  for (const invoice of invoices) {
    const { broadcast_month, order_seq, invoice_id } = invoice
    const events: OrderEvent[] = stored.events.slice(0, order_seq).map((body) => JSON.parse(body))
    const billed = billedMonths(fold(order.request, order.facts, events)).find((month) => month.broadcast_month === broadcast_month)
    if (billed === undefined) broken(`${invoice_id} bills ${broadcast_month}, in which the order of event ${order_seq} bills nothing`)
    else if (!isDeepStrictEqual(invoice.lines, billed.lines)) broken(`${invoice_id} has other lines than the order of event ${order_seq}`)
    else if (!hasAmounts(invoice, invoiceAmounts(billed.gross, invoice.commission_pct))) broken(`${invoice_id} does not add up`)
    const credits = stored.invoices.filter((note) => note.credits === invoice_id).sort((a, b) => a.n - b.n)
    for (const problem of creditFaults(invoice, credits)) broken(`${invoice_id} ${problem}`)
  }
  const invoiced = new Set(invoices.map(({ broadcast_month }) => broadcast_month))
  for (const { broadcast_month } of billedMonths(order)) {
    if (invoiced.has(broadcast_month)) continue
    const looked = stored.invoice_due_at?.toISOString()
    if (looked === undefined || looked > clearsAt(broadcast_month))
      broken(`${broadcast_month} has no invoice, and nothing will issue one in time`)
  }
  return found
}

function creditFaults(invoice: StoredInvoice, notes: readonly StoredInvoice[]): string[] {
  const faults: string[] = []
  let credited = decimal(0)
  for (const [index, note] of notes.entries()) {
    const amount = decimal(note.gross).times(decimal(-1))
    const expected = creditAmounts(amount, { credited, commissionPct: invoice.commission_pct })
    if (note.n !== index + 1 || !hasAmounts(note, expected)) faults.push(`has a credit note that does not add up: ${note.invoice_id}`)
    credited = credited.plus(amount)
  }
  if (!sameAmount(invoice.credited, credited)) faults.push(`counts ${invoice.credited} as credited; its credit notes come to ${credited}`)
  if (credited.gt(decimal(invoice.gross))) faults.push('is credited beyond its gross')
  const isInFull = notes.length > 0 && credited.eq(decimal(invoice.gross))
  const status = isInFull ? 'credited' : invoice.paid_at === null ? 'issued' : 'paid'
  if (invoice.status !== status) faults.push(`is ${invoice.status} and should be ${status}`)
  return faults
}

function hasAmounts(stored: StoredInvoice, { gross, commission, net }: InvoiceAmounts): boolean {
  return (
    sameAmount(stored.gross, gross) &&
    sameAmount(stored.commission, commission) &&
    sameAmount(stored.net, net) &&
    sameAmount(sum(stored.lines.map((line) => line.gross)), gross)
  )
}

/** The numbers of each seller and month have no gap, and their counter is the last of them. */
export async function brokenNumbers(client: pg.Client): Promise<Violation[]> {
  const { rows } = await client.query<{ seller: string; broadcast_month: string; last: number | null; numbers: string[] | null }>(
    `select seller, broadcast_month, last, numbers from invoice_counters full join (
        select seller, broadcast_month, array_agg(invoice_number order by invoice_number collate "C") as numbers from invoices group by 1, 2
      ) issued using (seller, broadcast_month)`,
  )
  return rows.flatMap(({ seller, broadcast_month, last, numbers }) => {
    const expected = Array.from({ length: last ?? 0 }, (_, index) => invoiceNumber(broadcast_month, index + 1))
    if (isDeepStrictEqual(numbers ?? [], expected)) return []
    const problem = `${seller} has ${numbers?.length ?? 0} numbers in ${broadcast_month}, and the counter says ${last ?? 'nothing'}`
    return [{ invariant: 'I16' as const, order_id: null, problem }]
  })
}
