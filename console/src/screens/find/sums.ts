import type { Basket } from '../../basket/basket.ts'
import { countText, moneyText } from '../../ui/Money.tsx'

const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** Says what a basket comes to by the prices that it shows: `12 lines · USD 274,350.00 · 4.1M impressions`. The order is summed by the API. */
export function basketText({ lines }: Basket): string {
  const gross = new Map<string, number>()
  let impressions: number | undefined = 0
  for (const { rate, units: typed } of lines) {
    const units = Number(typed)
    const each = rate.guaranteed_impressions
    const price =
      rate.gross_rate_unit ?? (rate.gross_rate_cpm === undefined || each === undefined ? undefined : (rate.gross_rate_cpm * each) / 1_000)
    if (!Number.isFinite(units)) continue
    if (price !== undefined) gross.set(rate.currency, (gross.get(rate.currency) ?? 0) + units * price)
    impressions = impressions === undefined || each === undefined ? undefined : impressions + units * each
  }
  return [
    countText(lines.length, 'line'),
    ...[...gross].map(([currency, sum]) => moneyText(Math.round(sum * 100) / 100, currency)),
    ...(impressions === undefined ? [] : [`${COMPACT.format(impressions)} impressions`]),
  ].join(' · ')
}
