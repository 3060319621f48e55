import type { Order, OrderLine } from '../api/queries/orders.ts'

/** A line as the buyer asked for it, with its counters, earliest first. */
export interface Ask {
  readonly line: OrderLine
  readonly rounds: readonly OrderLine[]
}

/** Groups counters by ask: each counter is a separate line in response to its ask, and the counters keep their order. */
export function asksOf(lines: readonly OrderLine[]): Ask[] {
  return lines
    .filter((line) => line.in_response_to === undefined)
    .map((line) => ({ line, rounds: lines.filter((one) => one.in_response_to === line.unit_id) }))
}

/** The asks that the seller decides next: undecided ones, and in a negotiation those with an open counter. */
export function openAsks({ status, line_items }: Pick<Order, 'status' | 'line_items'>): OrderLine[] {
  const open = status === 'negotiating' ? 'countered' : 'pending'
  return line_items.filter((line) => line.in_response_to === undefined && line.status === open)
}

/** The counters that the buyer may accept. */
export function openCounters(lines: readonly OrderLine[]): OrderLine[] {
  return lines.filter((line) => line.in_response_to !== undefined && line.status === 'countered')
}
