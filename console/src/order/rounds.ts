import type { Order, OrderLine } from '../api/queries/orders.ts'

/** A line as the buyer asked for it, with the counters to it, the earliest first. */
export interface Ask {
  readonly line: OrderLine
  readonly rounds: readonly OrderLine[]
}

/** Each counter is a separate line in response to the ask, in the order in which they were made. */
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
