import type { Instant } from '../calendar.ts'
import type { OrderState } from '../order/state.ts'
import { type BilledMonth, billedMonths } from './billedMonths.ts'
import { clearsAt } from './clearsAt.ts'

/** What an order is to be invoiced for, and when to look at it again. */
export interface DueInvoices {
  months: BilledMonth[]
  /** The time at which its next month clears; null if every month that it bills is invoiced. */
  next_at: Instant | null
}

/** Returns the months of an order that have cleared by a time and are not invoiced yet (choices, Invoices: one per). */
export function dueInvoices(order: OrderState, invoiced: ReadonlySet<string>, asOf: Instant): DueInvoices {
  const open = billedMonths(order).filter(({ broadcast_month }) => !invoiced.has(broadcast_month))
  const hasCleared = ({ broadcast_month }: BilledMonth) => clearsAt(broadcast_month) <= asOf
  const next = open.find((month) => !hasCleared(month))
  return { months: open.filter(hasCleared), next_at: next === undefined ? null : clearsAt(next.broadcast_month) }
}

/** Returns when the first month of an order clears, invoiced or not; null if it bills nothing. */
export function firstClearing(order: OrderState): Instant | null {
  const [first] = billedMonths(order)
  return first === undefined ? null : clearsAt(first.broadcast_month)
}
