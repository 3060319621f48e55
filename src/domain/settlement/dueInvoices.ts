import type { InvoiceLine } from '../../contract/invoice.ts'
import type { Instant } from '../calendar.ts'
import { decimal, sum } from '../decimal.ts'
import type { OrderState } from '../order/state.ts'
import { type BilledMonth, billedMonths, isBilled } from './billedMonths.ts'
import { clearsAt } from './clearsAt.ts'
import type { CreditedLine } from './creditNote.ts'

/** What was issued for an order in one broadcast month. */
export interface IssuedMonth {
  broadcast_month: string
  /** Its invoices, the first of which bills the spots. */
  invoices: number
  /** The lines of all of them. */
  billed: readonly InvoiceLine[]
  /** The lines of credit notes of what the order no longer bills. */
  taken_back: readonly InvoiceLine[]
  /** The lines of other credit notes: of spots that did not air as ordered. */
  credited: readonly InvoiceLine[]
}

/** What is to be issued for an order in one broadcast month. */
export interface DueMonth {
  broadcast_month: string
  /** The number of the invoice within its month, and what it bills. */
  invoice?: { n: number; lines: InvoiceLine[] }
  /** What is invoiced and no longer billed. */
  credit?: CreditedLine[]
}

/** What is to be issued for an order, in the order of its months, and when to look at it again. */
export interface DueInvoices {
  months: DueMonth[]
  /** The time at which its next month clears; null if every month that it bills is invoiced. */
  next_at: Instant | null
}

/**
 * Returns what is to be issued for an order as of a time: an invoice of each month that has cleared and has none; of a month that was invoiced before
 * the order was canceled, an invoice of the late fee, and a credit of the dates that it no longer bills (choices, Invoices: issued ahead).
 */
export function dueInvoices(order: OrderState, issued: readonly IssuedMonth[], asOf: Instant): DueInvoices {
  const billed = billedMonths(order)
  const ofMonth = <T extends { broadcast_month: string }>(all: readonly T[], month: string) =>
    all.find(({ broadcast_month }) => broadcast_month === month)
  const open = billed.filter(({ broadcast_month }) => ofMonth(issued, broadcast_month) === undefined)
  const hasCleared = ({ broadcast_month }: BilledMonth) => clearsAt(broadcast_month) <= asOf
  const next = open.find((month) => !hasCleared(month))
  const months = [
    ...open.filter(hasCleared).map(({ broadcast_month, lines }): DueMonth => ({ broadcast_month, invoice: { n: 1, lines } })),
    ...issued.map((month) => changeOf(month, ofMonth(billed, month.broadcast_month)?.lines ?? [])),
  ].filter(({ invoice, credit }) => invoice !== undefined || credit !== undefined)
  return {
    months: months.sort((a, b) => (a.broadcast_month < b.broadcast_month ? -1 : 1)),
    next_at: next === undefined ? null : clearsAt(next.broadcast_month),
  }
}

/**
 * Returns when an order is to be looked at first: when its first month clears, invoiced or not; at once if it was canceled, since months may have been
 * invoiced ahead. Null if it bills nothing.
 */
export function firstClearing(order: OrderState): Instant | null {
  if (!isBilled(order)) return null
  if (order.status === 'canceled') return order.since
  const [first] = billedMonths(order)
  return first === undefined ? null : clearsAt(first.broadcast_month)
}

/** What has changed in a month since it was invoiced: a placed order never bills more spots of it. */
function changeOf({ broadcast_month, invoices, billed, taken_back, credited }: IssuedMonth, lines: readonly InvoiceLine[]): DueMonth {
  const fees = billed.some(({ kind }) => kind === 'late_fee') ? [] : lines.filter(({ kind }) => kind === 'late_fee')
  const spots = billed.filter(({ kind }) => kind === 'spots')
  const credit = spots.flatMap((line) =>
    noLongerBilled(line, { billed: ofUnit(lines, line), takenBack: ofUnit(taken_back, line), credited: ofUnit(credited, line) }),
  )
  return {
    broadcast_month,
    ...(fees.length === 0 ? {} : { invoice: { n: invoices + 1, lines: fees } }),
    ...(credit.length === 0 ? {} : { credit }),
  }
}

function ofUnit(lines: readonly InvoiceLine[], { unit_id }: InvoiceLine): InvoiceLine[] {
  return lines.filter((line) => line.unit_id === unit_id)
}

/** A spot of a date that is no longer billed may have been credited before, and is credited once. */
function noLongerBilled(
  invoiced: InvoiceLine,
  { billed, takenBack, credited }: Record<'billed' | 'takenBack' | 'credited', readonly InvoiceLine[]>,
): CreditedLine[] {
  const kept = new Set(billed.flatMap(({ dates = [] }) => dates.map(({ date }) => date)))
  const creditedBefore = credited.filter(({ dates = [] }) => dates.every(({ date }) => !kept.has(date)))
  const left = decimal(invoiced.gross).plus(sum([...takenBack, ...creditedBefore].map(({ gross }) => gross)))
  const gross = left.minus(sum(billed.map((line) => line.gross)))
  if (gross.lte(decimal(0))) return []
  const { kind: _, ...line } = invoiced
  const dates = (line.dates ?? []).filter(({ date }) => !kept.has(date))
  return [{ ...line, dates, units: dates.reduce((total, { units }) => total + units, 0), gross }]
}
