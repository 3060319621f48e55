import type { LineResult } from '../../contract/lineItem.ts'
import { type Decimal, decimal, sum } from '../decimal.ts'
import { amountOf, lineAmount } from '../lines/lineResult.ts'
import { isCounter } from './openCounters.ts'
import type { OrderState } from './state.ts'

/**
 * Returns the most that an order may still total (choices, Pacing, credit): its totals.gross, except that a line with an open counter counts at
 * the higher of the two prices, since either may be placed.
 */
export function exposureOf({ lines, bookings }: Pick<OrderState, 'lines' | 'bookings'>): Decimal {
  const ofUnit = new Map(bookings.map((booking) => [booking.unit_id, booking]))
  const inFull = (line: LineResult) => amountOf(line.rate, line.units, ofUnit.get(line.unit_id)?.impressions_per_unit)
  const counterTo = new Map(lines.filter(isOpenCounter).map((line) => [line.in_response_to, inFull(line)]))
  return sum(
    lines.map((line) => {
      if (line.status !== 'countered') return lineAmount(line, ofUnit.get(line.unit_id) ?? {})
      return isCounter(line) ? decimal(0) : higher(inFull(line), counterTo.get(line.unit_id))
    }),
  )
}

function isOpenCounter(line: LineResult): boolean {
  return isCounter(line) && line.status === 'countered'
}

function higher(ask: Decimal, counter: Decimal | undefined): Decimal {
  return counter?.gt(ask) ? counter : ask
}
