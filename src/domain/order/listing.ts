import type { IsoDate } from '../calendar.ts'
import { firstAirDate } from './cancel.ts'
import { isCounter } from './standingCounters.ts'
import type { OrderState } from './state.ts'

/** The summary of an order's lines on lists. */
export interface Listing {
  /** The number of the buyer's lines; counters answer lines and are not counted. */
  line_count: number
  /** The units of these lines. */
  units: number
  /** Null if neither a line nor a flight has a date. */
  first_air_date: IsoDate | null
}

export function listingOf(order: OrderState): Listing {
  const asked = order.lines.filter((line) => !isCounter(line))
  return {
    line_count: asked.length,
    units: asked.reduce((units, line) => units + line.units, 0),
    first_air_date: firstAirDate(order) ?? null,
  }
}
