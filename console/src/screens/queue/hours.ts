import type { OrderRow } from '../../api/queries/orders.ts'

const HOUR_MS = 3_600_000

/** Returns the hour in which a decision is due: `overdue`, `2027-02-08T16`, or `none`. */
export function hourOf({ waiting_on }: OrderRow, now: number): string {
  if (waiting_on?.due_by === undefined) return 'none'
  const due = Date.parse(waiting_on.due_by)
  return due < now ? 'overdue' : new Date(Math.floor(due / HOUR_MS) * HOUR_MS).toISOString().slice(0, 13)
}

/** Whether an order is of the bar that the list is narrowed to. */
export function isOfBar(row: OrderRow, bar: string | undefined, now: number): boolean {
  if (bar === undefined) return true
  const hour = hourOf(row, now)
  if (!bar.startsWith('after ')) return hour === bar
  return hour > bar.slice('after '.length) && hour !== 'overdue' && hour !== 'none'
}
