import { z } from 'zod'
import { Count, Currency, Decimal, Name, NextCursor, Period, retired, SpotLength } from './scalars.ts'
import { ENTRIES_PER_PUBLISH } from './vocabulary/bounds.ts'
import { AVAIL_BASES, AVAIL_STATES, AVAILS_POLICIES, BUY_TYPES, MARKET_CLASSES, RATE_BASES } from './vocabulary.ts'

const Fraction = Decimal.min(0).max(1)
const Available = z.object({ available: Count })

/** Source, stream and the most audience codes of a product. */
const MAX_IMPRESSIONS = 202

/** Impressions of an entry: source and stream, then one `{per_spot}` per audience code, in single impressions, not thousands (contract, Avail). */
export const AvailImpressions = z
  .object({ source: z.string().min(1), stream: z.string().min(1) })
  .catchall(z.object({ per_spot: Decimal.nonnegative().max(1e12) }))
  .refine((impressions) => Object.keys(impressions).length <= MAX_IMPRESSIONS, `must have at most ${MAX_IMPRESSIONS} members`)
  .refine((impressions) => !Object.hasOwn(impressions, 'spots'), { path: ['spots'], message: 'is not an audience code' })
  .meta({ maxProperties: MAX_IMPRESSIONS })
export type AvailImpressions = z.infer<typeof AvailImpressions>

/** The availability of a product in a period, as sent. Has exactly one count, in the product's denomination. */
export const Avail = z
  .object({
    product_id: Name,
    period: Period,
    state: z.enum(AVAIL_STATES),
    basis: z.enum(AVAIL_BASES).optional(),
    sellout_level: Fraction.optional(),
    spots: Available.optional(),
    units: Available.optional(),
    impressions: AvailImpressions.optional(),
    ...retired('product_id'),
  })
  .meta({ id: 'Avail' })
export type Avail = z.infer<typeof Avail>

export const PutAvails = z.object({
  avails: z.array(z.unknown()).min(1).max(ENTRIES_PER_PUBLISH),
  ...retired('avails[].product_id'),
})
export type PutAvails = z.infer<typeof PutAvails>

/** The documented form of PutAvails, which leaves entries untyped, since each is checked and refused separately. */
export const AvailsUpdate = PutAvails.extend({ avails: z.array(Avail).min(1).max(ENTRIES_PER_PUBLISH) }).meta({ id: 'AvailsUpdate' })

/** A rate on the avails read, which a create line cites. */
export const AvailRate = z
  .object({
    locked_rate_id: z.string(),
    spot_length: SpotLength,
    buy_type: z.enum(BUY_TYPES),
    market_class: z.enum(MARKET_CLASSES),
    advertiser_class: z.string(),
    clearance_tier: z.string().optional(),
    rate_basis: z.enum(RATE_BASES),
    gross_rate_unit: z.number().optional(),
    gross_rate_cpm: z.number().optional(),
    currency: Currency,
    guaranteed_impressions: z.number().optional(),
    audience_code: z.string().optional(),
    window: z.object({ opens: z.string().optional(), closes: z.string() }).optional(),
    quote_expires_at: z.string().optional(),
  })
  .meta({ id: 'AvailRate' })
export type AvailRate = z.infer<typeof AvailRate>

export const AvailsRead = z
  .object({
    avails: z.array(
      z.object({
        product_id: z.string(),
        period: Period,
        state: z.enum(AVAIL_STATES).optional(),
        basis: z.enum(AVAIL_BASES).optional(),
        sellout_level: z.number().optional(),
        spots: Available.optional(),
        units: Available.optional(),
        impressions: AvailImpressions.optional(),
        avails_policy: z.enum(AVAILS_POLICIES).optional(),
        rates: z.array(AvailRate),
      }),
    ),
    next_cursor: NextCursor.optional().meta({
      description: 'The cursor of the next page, null on the last; present only if limit or cursor is sent.',
    }),
  })
  .meta({ id: 'AvailsRead' })
export type AvailsRead = z.infer<typeof AvailsRead>
