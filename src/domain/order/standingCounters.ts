import type { LineResult } from '../../contract/lineItem.ts'
import type { Instant } from '../calendar.ts'
import type { OrderState } from './state.ts'

/** A line that the seller asks the buyer to take in place of another (choices, decide). */
export type CounterLine = LineResult & { [M in 'in_response_to' | 'counter' | 'locked_rate_id']: NonNullable<LineResult[M]> }

/** The counters that the buyer has to answer, in the order of the lines. */
export function standingCounters({ lines }: Pick<OrderState, 'lines'>): CounterLine[] {
  return lines.filter((line): line is CounterLine => isCounter(line) && line.status === 'countered')
}

/** Whether a line is a counter, standing or not, and no ask of the buyer's own. */
export function isCounter(line: LineResult): boolean {
  return line.in_response_to !== undefined
}

/** Until when all of these quotes can be accepted; null of none. */
export function firstExpiry(counters: readonly CounterLine[]): Instant | null {
  return counters.map(({ counter }) => counter.quote_expires_at).sort()[0] ?? null
}

/** Accepted past its expiry, a quote has lapsed: at the very instant it still holds (spec, States: accept). */
export function hasLapsed({ counter }: CounterLine, at: string): boolean {
  return Date.parse(at) > Date.parse(counter.quote_expires_at)
}
