import type { InvoiceLine } from '../../contract/invoice.ts'
import { addUp } from '../addUp.ts'
import type { Instant } from '../calendar.ts'
import { decimal, sum } from '../decimal.ts'
import type { OrderState } from '../order/state.ts'
import { type BilledMonth, billedMonths, isBilled } from './billedMonths.ts'
import { clearsAt } from './clearsAt.ts'
import type { CreditedLine } from './creditNote.ts'
import type { BilledMakegood } from './movedSpots.ts'

/** The invoices and credit notes issued for an order in one broadcast month. */
export interface IssuedMonth {
  broadcast_month: string
  /** The number of its invoices, the first of which bills the spots. */
  invoices: number
  /** The lines of all these invoices. */
  billed: readonly InvoiceLine[]
  /** The lines of credit notes for what the order no longer bills. */
  taken_back: readonly InvoiceLine[]
  /** The lines of other credit notes, for spots that did not air as ordered. */
  credited: readonly InvoiceLine[]
}

/** The invoice and the credit that are due for an order in one broadcast month. */
export interface DueMonth {
  broadcast_month: string
  /** The number of the invoice within its month, and its lines. */
  invoice?: { n: number; lines: InvoiceLine[] }
  /** The lines that were invoiced and are no longer billed. */
  credit?: CreditedLine[]
}

/** The invoices and credits that are due for an order, sorted by month, and the time of the next check. */
export interface DueInvoices {
  months: DueMonth[]
  /** The time at which its next month clears; null if every month that it bills is invoiced. */
  next_at: Instant | null
}

/**
 * Returns what is due for an order as of a time: an invoice for each cleared month without one. A month that was invoiced before the order
 * was canceled gets an invoice of the late fee, and a credit for the dates that are no longer billed (choices, Invoices: issued ahead).
 */
export function dueInvoices(
  order: OrderState,
  issued: readonly IssuedMonth[],
  asOf: Instant,
  makegoods: readonly BilledMakegood[] = [],
): DueInvoices {
  const billed = billedMonths(order, makegoods)
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
 * Returns the time of the first check of an order: when its first month clears, invoiced or not, or at once if it was canceled, since
 * months may have been invoiced ahead. Null if it bills nothing.
 */
export function firstClearing(order: OrderState): Instant | null {
  if (!isBilled(order)) return null
  if (order.status === 'canceled') return order.since
  const [first] = billedMonths(order)
  return first === undefined ? null : clearsAt(first.broadcast_month)
}

/**
 * Returns what has changed in a month since it was invoiced: a late fee, a makegood that was agreed since and is billed in this month, and what is no longer
 * billed, or billed where its makegood airs.
 */
function changeOf({ broadcast_month, invoices, billed, taken_back, credited }: IssuedMonth, lines: readonly InvoiceLine[]): DueMonth {
  const fees = billed.some(({ kind }) => kind === 'late_fee') ? [] : lines.filter(({ kind }) => kind === 'late_fee')
  const makegoods = lines.filter((line) => line.makegood_id !== undefined && !billed.some((each) => isOfSame(each, line)))
  const added = [...makegoods, ...fees]
  const spots = billed.filter(({ kind }) => kind === 'spots')
  const credit = spots.flatMap((line) =>
    noLongerBilled(line, { billed: ofSame(lines, line), takenBack: ofSame(taken_back, line), credited: ofSame(credited, line) }),
  )
  return {
    broadcast_month,
    ...(added.length === 0 ? {} : { invoice: { n: invoices + 1, lines: added } }),
    ...(credit.length === 0 ? {} : { credit }),
  }
}

function ofSame(lines: readonly InvoiceLine[], line: InvoiceLine): InvoiceLine[] {
  return lines.filter((each) => isOfSame(each, line))
}

/** Returns true for lines of one line of the order, or of one makegood of it. */
function isOfSame(one: InvoiceLine, other: InvoiceLine): boolean {
  return one.unit_id === other.unit_id && one.makegood_id === other.makegood_id
}

/** Returns the credit of a line's units that are no longer billed. A spot may have been credited before, and is credited only once. */
function noLongerBilled(
  invoiced: InvoiceLine,
  { billed, takenBack, credited }: Record<'billed' | 'takenBack' | 'credited', readonly InvoiceLine[]>,
): CreditedLine[] {
  const kept = unitsByDate(billed)
  const creditedBefore = credited.filter(({ dates = [] }) => dates.every(({ date }) => !kept.has(date)))
  const left = decimal(invoiced.gross).plus(sum([...takenBack, ...creditedBefore].map(({ gross }) => gross)))
  const gross = left.minus(sum(billed.map((line) => line.gross)))
  if (gross.lte(decimal(0))) return []
  const { kind: _, ...line } = invoiced
  const gone = unitsByDate(takenBack)
  const dates = (line.dates ?? [])
    .map(({ date, units }) => ({ date, units: units - (kept.get(date) ?? 0) - (gone.get(date) ?? 0) }))
    .filter(({ units }) => units > 0)
  return [{ ...line, dates, units: dates.reduce((total, { units }) => total + units, 0), gross }]
}

function unitsByDate(lines: readonly InvoiceLine[]): ReadonlyMap<string, number> {
  const units = new Map<string, number>()
  for (const { dates = [] } of lines) for (const entry of dates) addUp(units, entry.date, entry.units)
  return units
}
