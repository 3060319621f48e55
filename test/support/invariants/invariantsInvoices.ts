import type pg from 'pg'
import type { OrderEvent } from '../../../src/contract/event.ts'
import type { InvoiceLine } from '../../../src/contract/invoice.ts'
import { NO_LONGER_BILLED } from '../../../src/contract/vocabulary/settlement.ts'
import { canonicalJson } from '../../../src/domain/canonicalJson.ts'
import { decimal, sameAmount, sum } from '../../../src/domain/decimal.ts'
import { fold, type OrderState } from '../../../src/domain/order/state.ts'
import { billedMonths } from '../../../src/domain/settlement/billedMonths.ts'
import { clearsAt } from '../../../src/domain/settlement/clearsAt.ts'
import { creditAmounts, type InvoiceAmounts, invoiceAmounts } from '../../../src/domain/settlement/invoiceAmounts.ts'
import { invoiceNumber } from '../../../src/domain/settlement/invoiceNumber.ts'
import type { Violation } from './invariants.ts'
import type { StoredOrder } from './invariantsFold.ts'

/** An invoice as the table stores it, with its numbers as text. */
export interface StoredInvoice {
  invoice_id: string
  broadcast_month: string
  kind: 'invoice' | 'credit_note'
  n: number
  credits: string | null
  reason: string | null
  order_seq: number
  currency: string
  gross: string
  commission_pct: string
  commission: string
  net: string
  credited: string
  status: string
  /** Texts of equal width, so that times compare to the microsecond. */
  issued_at: string
  paid_at: string | null
  lines: InvoiceLine[]
}

/**
 * Checks that each invoice equals the log at its issue, that each month without an invoice will be looked at, that what is no longer billed
 * is credited, and that credits add up.
 */
export function brokenInvoices(stored: StoredOrder, order: OrderState): Violation[] {
  const found: Violation[] = []
  const broken = (problem: string) => void found.push({ invariant: 'I16', order_id: stored.order_id, problem })
  const invoices = stored.invoices.filter(({ kind }) => kind === 'invoice')
  for (const invoice of invoices) {
    const problem = issueFault(invoice, stored, order)
    if (problem !== undefined) broken(`${invoice.invoice_id} ${problem}`)
    const credits = stored.invoices.filter((note) => note.credits === invoice.invoice_id).sort((a, b) => a.n - b.n)
    for (const fault of creditFaults(invoice, credits)) broken(`${invoice.invoice_id} ${fault}`)
  }
  const looked = stored.invoice_due_at?.toISOString()
  const billed = new Map(billedMonths(order, stored.makegoods).map((month) => [month.broadcast_month, month.gross]))
  for (const month of new Set([...billed.keys(), ...invoices.map(({ broadcast_month }) => broadcast_month)])) {
    const ofMonth = stored.invoices.filter(({ broadcast_month }) => broadcast_month === month)
    if (!ofMonth.some(({ kind }) => kind === 'invoice')) {
      if (looked === undefined || looked > clearsAt(month)) broken(`${month} has no invoice, and nothing will issue one in time`)
      continue
    }
    const standing = ofMonth.filter(({ kind, reason }) => kind === 'invoice' || reason === NO_LONGER_BILLED)
    const isCredited = ofMonth.some(({ kind, n, status }) => kind === 'invoice' && n === 1 && status === 'credited')
    const willBeLookedAt = looked !== undefined && looked <= new Date().toISOString()
    const gross = sum(standing.map((invoice) => invoice.gross))
    if (!isCredited && !willBeLookedAt && !sameAmount(gross, billed.get(month) ?? 0))
      broken(`${month} is invoiced at ${gross} and billed at ${billed.get(month) ?? 0}`)
  }
  return found
}

/** Returns an invoice's fault by the order's state at its issue: the first of a month has all of its lines, another one its late fee, or makegoods. */
function issueFault(
  { broadcast_month, n, order_seq, lines, issued_at, ...invoice }: StoredInvoice,
  stored: StoredOrder,
  order: OrderState,
): string | undefined {
  const events: OrderEvent[] = stored.events.slice(0, order_seq).map((body) => JSON.parse(body))
  const agreed = stored.makegoods.filter(({ agreed_at }) => agreed_at <= issued_at)
  const billed = billedMonths(fold(order.request, order.facts, events), agreed).find((month) => month.broadcast_month === broadcast_month)
  const isNew = ({ kind, makegood_id }: InvoiceLine) =>
    kind === 'late_fee' || lines.some((line) => makegood_id !== undefined && line.makegood_id === makegood_id)
  const expected = billed?.lines.filter((line) => n === 1 || isNew(line)) ?? []
  if (expected.length === 0 || canonicalJson(lines) !== canonicalJson(expected))
    return `has other lines than the order of event ${order_seq}`
  const amounts = invoiceAmounts(sum(expected.map(({ gross }) => gross)), {
    commissionPct: invoice.commission_pct,
    currency: invoice.currency,
  })
  return hasAmounts({ lines, ...invoice }, amounts) ? undefined : 'does not add up'
}

function creditFaults(invoice: StoredInvoice, notes: readonly StoredInvoice[]): string[] {
  const faults: string[] = []
  let credited = decimal(0)
  for (const [index, note] of notes.entries()) {
    const amount = decimal(note.gross).times(decimal(-1))
    const expected = creditAmounts(amount, { credited, commissionPct: invoice.commission_pct, currency: invoice.currency })
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

function hasAmounts(
  stored: Pick<StoredInvoice, 'gross' | 'commission' | 'net' | 'lines'>,
  { gross, commission, net }: InvoiceAmounts,
): boolean {
  return (
    sameAmount(stored.gross, gross) &&
    sameAmount(stored.commission, commission) &&
    sameAmount(stored.net, net) &&
    sameAmount(sum(stored.lines.map((line) => line.gross)), gross)
  )
}

/** Checks that the numbers of each seller and month have no gap, and that their counter is the last of them. */
export async function brokenNumbers(client: pg.Client): Promise<Violation[]> {
  const { rows } = await client.query<{ seller: string; broadcast_month: string; last: number | null; numbers: string[] | null }>(
    `select seller, broadcast_month, last, numbers from invoice_counters full join (
        select seller, broadcast_month, array_agg(invoice_number order by invoice_number collate "C") as numbers from invoices group by 1, 2
      ) issued using (seller, broadcast_month)`,
  )
  return rows.flatMap(({ seller, broadcast_month, last, numbers }) => {
    const expected = Array.from({ length: last ?? 0 }, (_, index) => invoiceNumber(broadcast_month, index + 1))
    if (canonicalJson(numbers ?? []) === canonicalJson(expected)) return []
    const problem = `${seller} has ${numbers?.length ?? 0} numbers in ${broadcast_month}, and the counter says ${last ?? 'nothing'}`
    return [{ invariant: 'I16' as const, order_id: null, problem }]
  })
}
