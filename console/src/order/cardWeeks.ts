import type { Order, OrderLine } from '../api/queries/orders.ts'
import { mondayOf } from '../ui/Period.tsx'
import { weekOf } from '../ui/weeks.ts'

const WEEK_MS = 7 * 86_400_000
const BEFORE = 2
const AFTER = 8
const MOST = 60

/** Returns the ISO week in which a line is priced; undefined for a month, which spans several weeks. */
export function pricedWeek({ period: { grain, start } }: Pick<OrderLine, 'period'>): string | undefined {
  if (grain === 'week') return start
  return grain === 'day' ? weekOf(Date.parse(`${start}T12:00:00Z`)) : undefined
}

/** Returns the range of weeks to ask the API for: the weeks of a product's lines, and the weeks around them that a counter may offer. */
export function weeksAround({ line_items }: Pick<Order, 'line_items'>, product: string): string | undefined {
  const mondays = line_items
    .filter(({ product_id }) => product_id === product)
    .flatMap((line) => pricedWeek(line) ?? [])
    .flatMap((week) => mondayOf(week)?.getTime() ?? [])
  if (mondays.length === 0) return undefined
  const first = Math.min(...mondays) - BEFORE * WEEK_MS
  const last = Math.min(Math.max(...mondays) + AFTER * WEEK_MS, first + (MOST - 1) * WEEK_MS)
  return `${weekOf(first)}..${weekOf(last)}`
}

/** Whether any day of the week falls within the flight of the order. */
export function isInFlight({ flight }: Pick<Order, 'flight'>, week: string): boolean {
  const monday = mondayOf(week)
  if (flight === undefined || monday === undefined) return true
  const [first, last] = [monday, new Date(monday.getTime() + 6 * 86_400_000)].map((date) => date.toISOString().slice(0, 10))
  return (last ?? '') >= flight.start && (first ?? '') <= flight.end
}
