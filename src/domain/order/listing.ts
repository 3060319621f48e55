import type { IsoDate } from '../calendar.ts'
import { firstAirDate } from './cancel.ts'
import { isCounter } from './standingCounters.ts'
import type { OrderState } from './state.ts'

/** What a list says of the lines of an order that it does not show. */
export interface Listing {
  /** The buyer's lines: counters answer lines and are not counted. */
  line_count: number
  /** The units that these lines ask for. */
  units: number
  /** Null if neither a line nor a flight says when the order airs. */
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
