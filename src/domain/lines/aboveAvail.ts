import type { LineItem } from '../../contract/lineItem.ts'
import { type IsoDate, weekOf } from '../calendar.ts'
import { allocate } from './allocation.ts'
import type { PublishedAvail } from './availability.ts'

/** A line that is to be ordered, with the dates that its period books. */
export interface BookedLine {
  readonly line: Pick<LineItem, 'product_id' | 'period' | 'units' | 'hold_id'>
  readonly booked_dates: readonly IsoDate[]
}

/**
 * The dates on which the lines together book more of a product than its seller has published for a day, week or month (choices, ABOVE_PUBLISHED_AVAIL).
 * What is held is left out: the published count is what is left for others.
 */
export function datesAboveAvail(product_id: string, lines: readonly BookedLine[], avails: readonly PublishedAvail[]): IsoDate[] {
  const own = lines.filter(({ line }) => line.product_id === product_id && line.hold_id === undefined)
  const spread = own.flatMap(({ line, booked_dates }) =>
    allocate(line.units, booked_dates).map((airing) => ({ ...airing, period: line.period })),
  )
  const above = avails.flatMap((avail) => {
    const { available = null } = avail
    if (avail.product_id !== product_id || available === null) return []
    const within = spread.filter((airing) => isWithin(airing, avail))
    return within.reduce((sum, { units }) => sum + units, 0) > available ? within.map(({ date }) => date) : []
  })
  return [...new Set(above)].sort()
}

/** Whether an airing is one of a published period; of a month its lines' airings, those in the weeks around it among them. */
function isWithin({ date, period }: { date: IsoDate; period: LineItem['period'] }, { grain, start }: PublishedAvail): boolean {
  if (grain === 'day') return date === start
  if (grain === 'week') return weekOf(date) === start
  return period.grain === 'month' ? period.start === start : date.startsWith(start)
}
