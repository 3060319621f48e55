import { z } from 'zod'
import {
  AudienceCode,
  DateRange,
  IsoDateTime,
  IsoWeek,
  Money,
  MoneyCode,
  Name,
  PositiveCount,
  retired,
  SentBasis,
  SpotLength,
} from './scalars.ts'
import { ENTRIES_PER_PUBLISH } from './vocabulary/bounds.ts'
import { BUY_TYPES, MARKET_CLASSES } from './vocabulary.ts'

/** An entry of a rate card, as sent (contract, Rate card commit). Without `week` it spans the commit's effective window. */
export const RateEntry = z
  .object({
    product_id: Name,
    week: IsoWeek.optional(),
    market_class: z.enum(MARKET_CLASSES),
    advertiser_class: Name,
    spot_length: SpotLength,
    buy_type: z.enum(BUY_TYPES),
    clearance_tier: Name.optional(),
    gross_rate_unit: Money.optional(),
    gross_rate_cpm: Money.optional(),
    rate_basis: SentBasis,
    currency: MoneyCode.optional(),
    guaranteed_impressions: PositiveCount.optional(),
    audience_code: AudienceCode.optional(),
    window: z.object({ opens: IsoDateTime.optional(), closes: IsoDateTime }).optional(),
    quote_expires_at: IsoDateTime.optional(),
    ...retired('product_id'),
  })
  .meta({ id: 'RateEntry' })
export type RateEntry = z.infer<typeof RateEntry>

export const PutRateCard = z.object({
  commit: Name,
  effective: DateRange,
  entries: z.array(z.unknown()).min(1).max(ENTRIES_PER_PUBLISH),
  agreement_id: Name.optional(),
  ...retired('entries[].product_id'),
})
export type PutRateCard = z.infer<typeof PutRateCard>

/** The documented form of PutRateCard, which leaves entries untyped, since each is checked and refused separately. */
export const RateCardCommit = PutRateCard.extend({ entries: z.array(RateEntry).min(1).max(ENTRIES_PER_PUBLISH) }).meta({
  id: 'RateCardCommit',
})
