import type { IsoDate } from '../calendar.ts'
import { monthKey } from '../lines/monthKey.ts'
import { firstAirDate } from './cancel.ts'
import { isCounter } from './openCounters.ts'
import type { OrderState } from './state.ts'

/** The summary of an order's lines on lists. */
export interface Listing {
  /** The number of the buyer's lines; counters answer lines and are not counted. */
  line_count: number
  /** The units of these lines. */
  units: number
  /** Null if neither a line nor a flight has a date. */
  first_air_date: IsoDate | null
  /** The keys of the months of products that its month lines book, as JSON text; null if there are none, or once the order has ended. */
  month_lines: string | null
}

export function listingOf(order: OrderState): Listing {
  const asked = order.lines.filter((line) => !isCounter(line))
  return {
    line_count: asked.length,
    units: asked.reduce((units, line) => units + line.units, 0),
    first_air_date: firstAirDate(order) ?? null,
    month_lines: monthLinesOf(order),
  }
}

function monthLinesOf({ request, facts, status, lines }: OrderState): string | null {
  if (status === 'canceled' || status === 'rejected' || status === 'failed') return null
  const keys = lines
    .filter((line) => line.period.grain === 'month' && line.status !== 'rejected')
    .map(({ product_id, period }) => monthKey(request.seller, facts.buyer_entity, product_id, period.start))
  return keys.length === 0 ? null : JSON.stringify([...new Set(keys)].sort())
}
