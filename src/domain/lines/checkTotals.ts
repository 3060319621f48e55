import type { Fault } from '../../contract/errorEnvelope.ts'
import type { LineItem, LineResult } from '../../contract/lineItem.ts'
import { MAX_IMPRESSIONS, mostGross } from '../../contract/vocabulary/bounds.ts'
import { decimalPlaces } from '../../contract/vocabulary/minorUnits.ts'
import { type Decimal, decimal, sum } from '../decimal.ts'
import { invalid } from '../refusal.ts'
import { guaranteedTotals } from './guaranteedImpressions.ts'
import { amountOf, exactAmountOf } from './lineResult.ts'
import type { RateOnCard } from './pricing.ts'

/** A line to order, with the impressions of one unit if it is priced by cpm. */
export interface OrderedLine {
  readonly line: Pick<LineItem | LineResult, 'rate' | 'units'>
  readonly impressions_per_unit?: number | undefined
}

/**
 * Bounds the total amount and the guaranteed impressions of lines, so that a JSON number carries them exactly (choices, Largest figures).
 * `what` is the subject of the message.
 */
export function checkTotals(lines: readonly OrderedLine[], cited: readonly RateOnCard[], what: string, field: string): Fault[] {
  const guaranteed = guaranteedTotals(
    lines.map(({ line }) => line),
    cited,
  )
  const beyond = [...guaranteed].filter(([, total]) => total.gt(decimal(MAX_IMPRESSIONS)))
  return [
    ...checkGross(grossOf(lines), lines[0]?.line.rate.currency ?? '', what, field),
    ...beyond.map(([code, total]) => ({
      ...invalid(field, `${what} guarantees ${total.toFixed()} impressions of ${code}; the limit is ${MAX_IMPRESSIONS}.`),
      details: { maximum: MAX_IMPRESSIONS },
    })),
  ]
}

/** Returns the total of the lines. */
export function grossOf(lines: readonly OrderedLine[]): Decimal {
  return sum(lines.map(({ line, impressions_per_unit }) => amountOf(line.rate, line.units, impressions_per_unit)))
}

/** Returns the total of the lines before any rounding. */
export function exactGrossOf(lines: readonly OrderedLine[]): Decimal {
  return sum(lines.map(({ line, impressions_per_unit }) => exactAmountOf(line.rate, line.units, impressions_per_unit)))
}

/** Applies the same bound to a known amount. */
export function checkGross(gross: Decimal, currency: string, what: string, field: string): Fault[] {
  const maximum = mostGross(currency)
  if (gross.lte(decimal(maximum))) return []
  return [
    {
      ...invalid(field, `${what} totals ${gross.toFixed(decimalPlaces(currency))}; the limit of an order is ${maximum}.`),
      details: { maximum },
    },
  ]
}
