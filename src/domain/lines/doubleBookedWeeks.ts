import type { LineItem } from '../../contract/lineItem.ts'
import { addMonths, type IsoDate, weekOf, weeksOfMonth } from '../calendar.ts'

/** A line to order, with the dates that its period books. */
interface BookedLine {
  readonly line: Pick<LineItem, 'product_id' | 'period'>
  readonly booked_dates: readonly IsoDate[]
}

/** A month of a product that another order of the buyer books. */
export interface BookedMonth {
  readonly order_id: string
  readonly product_id: string
  readonly month: string
}

/** The dates of one product in weeks that two months share and that both are booked, and the other orders that book them. */
export interface DoubleBooked {
  readonly product_id: string
  readonly dates: IsoDate[]
  readonly order_ids: string[]
}

/**
 * Returns what month lines of an order book in weeks that a line of a neighboring month books too, in the order itself or in another one: a
 * month line books every week with a day in its month, so that two months share the week of their border (choices, DOUBLE_BOOKED_WEEK).
 */
export function doubleBookedWeeks(lines: readonly BookedLine[], others: readonly BookedMonth[]): DoubleBooked[] {
  const monthly = lines.filter(({ line }) => line.period.grain === 'month')
  return [...new Set(monthly.map(({ line }) => line.product_id))].flatMap((product_id) => {
    const own = monthly.filter(({ line }) => line.product_id === product_id)
    const months = new Set(own.map(({ line }) => line.period.start))
    const booked = others.filter((other) => other.product_id === product_id)
    const dates = new Set<IsoDate>()
    const order_ids = new Set<string>()
    for (const { line, booked_dates } of own) {
      for (const { month, weeks } of neighborsOf(line.period.start)) {
        const shared = booked_dates.filter((date) => weeks.has(weekOf(date)))
        const elsewhere = booked.filter((other) => other.month === month)
        if (shared.length === 0 || (elsewhere.length === 0 && !months.has(month))) continue
        for (const date of shared) dates.add(date)
        for (const { order_id } of elsewhere) order_ids.add(order_id)
      }
    }
    return dates.size === 0 ? [] : [{ product_id, dates: [...dates].sort(), order_ids: [...order_ids].sort() }]
  })
}

/** Returns the months before and after a month, each with the weeks that it shares with it, if there are any. */
export function neighborsOf(month: string): { month: string; weeks: ReadonlySet<string> }[] {
  const own = new Set(weeksOfMonth(month))
  return [-1, 1].flatMap((by) => {
    const neighbor = addMonths(month, by)
    const weeks = weeksOfMonth(neighbor).filter((week) => own.has(week))
    return weeks.length === 0 ? [] : [{ month: neighbor, weeks: new Set(weeks) }]
  })
}
