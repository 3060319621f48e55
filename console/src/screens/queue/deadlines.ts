import type { OrderRow } from '../../api/queries/orders.ts'
import type { Bar } from '../../ui/Bars.tsx'
import { countText, moneyText } from '../../ui/Money.tsx'
import { hourOf } from './hours.ts'

/** The hours that have a bar of their own. */
const HOURS = 10

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

function mostOf(texts: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? 'USD'
}
