import type { OrderRow } from '../../api/queries/orders.ts'
import type { Bar } from '../../ui/Bars.tsx'
import { countText, moneyText } from '../../ui/Money.tsx'

const HOUR_MS = 3_600_000
/** The hours that have a bar of their own. */
const HOURS = 10

/** Returns the hour in which a decision is due: `overdue`, `2027-02-08T16`, or `none`. */
export function hourOf({ waiting_on }: OrderRow, now: number): string {
  if (waiting_on?.due_by === undefined) return 'none'
  const due = Date.parse(waiting_on.due_by)
  return due < now ? 'overdue' : new Date(Math.floor(due / HOUR_MS) * HOUR_MS).toISOString().slice(0, 13)
}

/** Sums the gross of orders by the hour of their deadline, in the currency of most of them; what is due after the first hours is one bar. */
export function barsOf(rows: readonly OrderRow[], now: number, textOf: (hour: string) => string): Bar[] {
  const currency = mostOf(rows.map(({ totals }) => totals.currency))
  const hours = [...new Set(rows.map((row) => hourOf(row, now)))].filter((hour) => hour !== 'overdue' && hour !== 'none').sort()
  const [shown, later] = [hours.slice(0, HOURS), new Set(hours.slice(HOURS))]
  const groups = [
    { id: 'overdue', label: 'overdue', of: (hour: string) => hour === 'overdue' },
    ...shown.map((id) => ({ id, label: textOf(id), of: (hour: string) => hour === id })),
    { id: `after ${shown.at(-1)}`, label: 'later', of: (hour: string) => later.has(hour) },
    { id: 'none', label: 'no deadline', of: (hour: string) => hour === 'none' },
  ]
  return groups.flatMap(({ id, label, of }): Bar[] => {
    const own = rows.filter((row) => of(hourOf(row, now)))
    if (own.length === 0) return []
    const gross = own.filter(({ totals }) => totals.currency === currency).reduce((sum, { totals }) => sum + totals.gross, 0)
    return [
      { id, label, values: [gross], texts: [`${moneyText(Math.round(gross * 100) / 100, currency)}, ${countText(own.length, 'order')}`] },
    ]
  })
}

/** Whether an order is of the bar that the list is narrowed to. */
export function isOfBar(row: OrderRow, bar: string | undefined, now: number): boolean {
  if (bar === undefined) return true
  const hour = hourOf(row, now)
  if (!bar.startsWith('after ')) return hour === bar
  return hour > bar.slice('after '.length) && hour !== 'overdue' && hour !== 'none'
}

function mostOf(texts: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? 'USD'
}
