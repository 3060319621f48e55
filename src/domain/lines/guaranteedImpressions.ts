import type { LineItem, LineResult } from '../../contract/lineItem.ts'
import { type Decimal, decimal, jsonNumber } from '../decimal.ts'
import type { RateOnCard } from './pricing.ts'

/**
 * Computes totals.impressions: the figure guaranteed by the line or its price, times units, per audience code, over audience_guaranteed lines
 * (contract, Totals). Undefined if no line has a guarantee.
 */
export function guaranteedImpressions(
  lines: readonly Pick<LineItem | LineResult, 'rate' | 'units'>[],
  cited: readonly RateOnCard[] = [],
): Record<string, number> | undefined {
  const totals = guaranteedTotals(lines, cited)
  return totals.size === 0 ? undefined : Object.fromEntries([...totals].map(([code, total]) => [code, jsonNumber(total)]))
}

/** The same totals as exact decimals of any size. */
export function guaranteedTotals(
  lines: readonly Pick<LineItem | LineResult, 'rate' | 'units'>[],
  cited: readonly RateOnCard[] = [],
): ReadonlyMap<string, Decimal> {
  const byCode = new Map<string, Decimal>()
  for (const { rate, units } of lines) {
    const price = cited.find(({ locked_rate_id }) => locked_rate_id === rate.locked_rate_id)
    const guaranteed = rate.guaranteed_impressions ?? price?.guaranteed_impressions ?? undefined
    if (rate.buy_type !== 'audience_guaranteed' || guaranteed === undefined || rate.audience_code === undefined) continue
    const soFar = byCode.get(rate.audience_code) ?? decimal(0)
    byCode.set(rate.audience_code, decimal(guaranteed).times(decimal(units)).plus(soFar))
  }
  return byCode
}
