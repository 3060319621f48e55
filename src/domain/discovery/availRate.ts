import type { AvailRate } from '../../contract/avail.ts'
import type { RateOnCard } from '../lines/pricing.ts'

/** A published price of one key and ISO week, with the members that reads show and that lines are checked against. Stamps are ISO UTC. */
export interface CardPrice extends RateOnCard {
  readonly window_opens: string | null
  readonly window_closes: string | null
  readonly quote_expires_at: string | null
}

/** Converts a price to the form of the avails read. The basis follows from the cost (contract, Avail: rates; Rate: rate_basis). */
export function availRate(price: CardPrice): AvailRate {
  const { clearance_tier, gross_rate_unit, gross_rate_cpm, guaranteed_impressions, audience_code, quote_expires_at } = price
  return {
    locked_rate_id: price.locked_rate_id,
    spot_length: price.spot_length,
    buy_type: price.buy_type,
    market_class: price.market_class,
    advertiser_class: price.advertiser_class,
    ...(clearance_tier !== null && { clearance_tier }),
    rate_basis: gross_rate_unit === null ? 'cpm' : 'per_unit',
    ...(gross_rate_unit !== null && { gross_rate_unit: Number(gross_rate_unit) }),
    ...(gross_rate_cpm !== null && { gross_rate_cpm: Number(gross_rate_cpm) }),
    currency: price.currency,
    ...(guaranteed_impressions !== null && { guaranteed_impressions }),
    ...(audience_code !== null && { audience_code }),
    ...(price.window_closes !== null && {
      window: { ...(price.window_opens !== null && { opens: price.window_opens }), closes: price.window_closes },
    }),
    ...(quote_expires_at !== null && { quote_expires_at }),
  }
}
