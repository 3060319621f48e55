import type { LineItem } from '../../contract/lineItem.ts'
import { type IsoDate, weekOf } from '../calendar.ts'
import { allocate } from './allocation.ts'
import type { PublishedAvail } from './availability.ts'

/** A line to order, with the dates that its period books. */
export interface BookedLine {
  readonly line: Pick<LineItem, 'product_id' | 'period' | 'units' | 'hold_id'>
  readonly booked_dates: readonly IsoDate[]
}

/**
 * Returns the dates on which the lines together book more than the published count of a day, week or month (choices, ABOVE_PUBLISHED_AVAIL).
 * Lines with a hold are left out, since the published count excludes held inventory.
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

/** Returns true if an airing belongs to a published period. A month includes all airings of its lines, also those in its outer weeks. */
function isWithin({ date, period }: { date: IsoDate; period: LineItem['period'] }, { grain, start }: PublishedAvail): boolean {
  if (grain === 'day') return date === start
  if (grain === 'week') return weekOf(date) === start
  return period.grain === 'month' ? period.start === start : date.startsWith(start)
}
