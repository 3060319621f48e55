import type { LineResult } from '../../contract/lineItem.ts'
import type { Instant } from '../calendar.ts'

/** A line that the seller offers in place of another (choices, decide). */
export type CounterLine = LineResult & { [M in 'in_response_to' | 'counter' | 'locked_rate_id']: NonNullable<LineResult[M]> }

/** Returns the open counters, which the buyer must answer, in line order. */
export function openCounters({ lines }: { readonly lines: readonly LineResult[] }): CounterLine[] {
  return lines.filter((line): line is CounterLine => isCounter(line) && line.status === 'countered')
}

/** Returns true if a line is a counter, open or not, rather than a line of the buyer. */
export function isCounter(line: LineResult): boolean {
  return line.in_response_to !== undefined
}

/** Returns the time until which all of these quotes can be accepted; null for no counters. */
export function firstExpiry(counters: readonly CounterLine[]): Instant | null {
  return counters.map(({ counter }) => counter.quote_expires_at).sort()[0] ?? null
}

/** Returns true after a quote's expiry; at that exact instant the quote is still valid (contract, Respond: accept). */
export function hasLapsed({ counter }: CounterLine, at: string): boolean {
  return Date.parse(at) > Date.parse(counter.quote_expires_at)
}
