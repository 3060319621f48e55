import type { Fault } from '../../contract/errorEnvelope.ts'
import type { LineItem, LineResult } from '../../contract/lineItem.ts'
import { MOST_GROSS, MOST_IMPRESSIONS } from '../../contract/vocabulary.ts'
import { type Decimal, decimal, sum } from '../decimal.ts'
import { invalid } from '../refusal.ts'
import { guaranteedTotals } from './guaranteedImpressions.ts'
import { amountOf } from './lineResult.ts'
import type { RateOnCard } from './pricing.ts'

/** A line that is to be ordered, and what one unit of it delivers where it is priced by cpm. */
export interface OrderedLine {
  readonly line: Pick<LineItem | LineResult, 'rate' | 'units'>
  readonly impressions_per_unit?: number | undefined
}

/**
 * No figure beyond what a JSON number carries exactly is made: what lines come to together, and what they guarantee, is bounded
 * (choices, Largest figures). `what` names them in the message, `field` in the fault.
 */
export function checkTotals(lines: readonly OrderedLine[], cited: readonly RateOnCard[], what: string, field: string): Fault[] {
  const guaranteed = guaranteedTotals(
    lines.map(({ line }) => line),
    cited,
  )
  const beyond = [...guaranteed].filter(([, total]) => total.gt(decimal(MOST_IMPRESSIONS)))
  return [
    ...checkGross(grossOf(lines), what, field),
    ...beyond.map(([code, total]) => ({
      ...invalid(field, `${what} guarantees ${total.toFixed()} impressions of ${code}; at most ${MOST_IMPRESSIONS} can be ordered.`),
      details: { maximum: MOST_IMPRESSIONS },
    })),
  ]
}

/** What lines come to together. */
export function grossOf(lines: readonly OrderedLine[]): Decimal {
  return sum(lines.map(({ line, impressions_per_unit }) => amountOf(line.rate, line.units, impressions_per_unit)))
}

/** The same of an amount that is known. */
export function checkGross(gross: Decimal, what: string, field: string): Fault[] {
  if (gross.lte(decimal(MOST_GROSS))) return []
  return [
    {
      ...invalid(field, `${what} comes to ${gross.toFixed(2)}; an order comes to at most ${MOST_GROSS}.`),
      details: { maximum: MOST_GROSS },
    },
  ]
}
