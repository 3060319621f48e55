import type { BuyType, MarketClass } from '../../contract/vocabulary.ts'
import { addDays, mondayOf, weeksOfMonth } from '../calendar.ts'
import { sameInMoney } from '../lines/pricing.ts'
import { Refusal } from '../refusal.ts'
import { type PricedEntry, rateKey } from './stageRateCard.ts'

/** The price of a key in one week and scope. Costs are decimal text or JSON numbers. */
export interface WeekPrice {
  readonly product_id: string
  readonly week: string
  readonly market_class: MarketClass
  readonly advertiser_class: string
  readonly spot_length: number
  readonly buy_type: BuyType
  readonly clearance_tier: string | null
  readonly gross_rate_unit: string | null
  readonly gross_rate_cpm: string | null
  readonly currency: string
  readonly guaranteed_impressions: number | null
  readonly audience_code: string | null
  readonly agreement_id: string | null
}

/** Converts the entries of a commit to the form of the current card. */
export function weekPrices(entries: readonly PricedEntry[], currency: string, agreementId: string | undefined): WeekPrice[] {
  return entries.flatMap(({ entry, weeks }) =>
    weeks.map((week) => ({
      product_id: entry.product_id,
      week,
      market_class: entry.market_class,
      advertiser_class: entry.advertiser_class,
      spot_length: entry.spot_length,
      buy_type: entry.buy_type,
      clearance_tier: entry.clearance_tier ?? null,
      gross_rate_unit: entry.gross_rate_unit === undefined ? null : String(entry.gross_rate_unit),
      gross_rate_cpm: entry.gross_rate_cpm === undefined ? null : String(entry.gross_rate_cpm),
      currency: entry.currency ?? currency,
      guaranteed_impressions: entry.guaranteed_impressions ?? null,
      audience_code: entry.audience_code ?? null,
      agreement_id: agreementId ?? null,
    })),
  )
}

/** Returns the card after a commit: the commit's price if it has one, else the current one (choices, Current card). */
export function mergedCard(current: readonly WeekPrice[], committed: readonly WeekPrice[]): WeekPrice[] {
  const place = (price: WeekPrice) => `${price.week} ${price.agreement_id} ${rateKey(price)}`
  return [...new Map([...current, ...committed].map((price) => [place(price), price])).values()]
}

/** The most conflicts that a report lists. */
const REPORTED = 100

/**
 * Checks that a product sold by the month has equal prices in the weeks of each month, per key on the merged card of each scope. A week that
 * spans two months counts for both, and unpriced weeks are not a conflict (contract, Product: grains; choices, Publish faults). Refuses the whole
 * publish with GRAIN_CONFLICT (409) and the conflicts. `prices` are those in force, one per key, scope and week.
 */
export function refuseGrainConflicts(productsByMonth: ReadonlySet<string>, prices: readonly WeekPrice[]): void {
  refuseConflicts(grainConflicts(prices.filter(({ product_id }) => productsByMonth.has(product_id))))
}

/** Refuses the whole publish with GRAIN_CONFLICT if there is any. */
export function refuseConflicts(conflicts: readonly GrainConflict[]): void {
  const [first] = conflicts
  if (first === undefined) return
  const { product_id, month } = first
  throw new Refusal('GRAIN_CONFLICT', `${product_id} is sold by the month, and the weeks of ${month} are priced differently.`, {
    product_id,
    month,
    conflicts: conflicts.slice(0, REPORTED),
  })
}

export type GrainConflict = ReturnType<typeof report>

/** Returns the months of products sold by the month in which the weeks of one key have different prices. */
export function grainConflicts(prices: readonly WeekPrice[]): GrainConflict[] {
  const monthsOf = monthsByWeek()
  const months = new Map<string, { month: string; prices: WeekPrice[] }>()
  for (const price of prices) {
    for (const month of monthsOf(price.week)) {
      const key = `${month} ${price.agreement_id} ${rateKey(price)}`
      const priced = months.get(key)
      if (priced === undefined) months.set(key, { month, prices: [price] })
      else priced.prices.push(price)
    }
  }
  return [...months.values()]
    .filter(({ prices: [first, ...others] }) => first && others.some((other) => !sameInMoney(first, other)))
    .map(report)
}

/** Returns the weeks of every month that one of these weeks touches, since a price in these weeks is compared with those. */
export function comparedWeeks(weeks: Iterable<string>): string[] {
  const months = new Set([...new Set(weeks)].flatMap(monthsByWeek()))
  return [...new Set([...months].flatMap(weeksOfMonth))]
}

/** Returns the one or two months of a week. Memoized: calendar arithmetic is slow, and a card repeats a few weeks. */
function monthsByWeek(): (week: string) => string[] {
  const known = new Map<string, string[]>()
  return (week) => {
    const found = known.get(week)
    if (found !== undefined) return found
    const monday = mondayOf(week)
    const months = [...new Set([monday.slice(0, 7), addDays(monday, 6).slice(0, 7)])]
    known.set(week, months)
    return months
  }
}

function report({ month, prices }: { month: string; prices: WeekPrice[] }) {
  const [{ product_id, market_class, advertiser_class, spot_length, buy_type, clearance_tier, agreement_id }] = prices as [WeekPrice]
  return {
    product_id,
    month,
    market_class,
    advertiser_class,
    spot_length,
    buy_type,
    ...(clearance_tier !== null && { clearance_tier }),
    ...(agreement_id !== null && { agreement_id }),
    prices: prices
      .toSorted((a, b) => (a.week < b.week ? -1 : 1))
      .map(({ week, gross_rate_unit, gross_rate_cpm, currency, guaranteed_impressions, audience_code }) => ({
        week,
        ...(gross_rate_unit !== null && { gross_rate_unit: Number(gross_rate_unit) }),
        ...(gross_rate_cpm !== null && { gross_rate_cpm: Number(gross_rate_cpm) }),
        currency,
        ...(gross_rate_cpm !== null && guaranteed_impressions !== null && { guaranteed_impressions }),
        ...(gross_rate_cpm !== null && audience_code !== null && { audience_code }),
      })),
  }
}
