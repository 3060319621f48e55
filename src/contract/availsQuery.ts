import { z } from 'zod'
import { listQuery } from './listQuery.ts'
import { Name } from './scalars.ts'
import { MARKET_CLASSES, type MarketClass } from './vocabulary.ts'

/** The replacements of retired rate classes (contract, Removed terms: remnant and opportunistic are one value, discounted). */
const FORMER_CLASSES: Readonly<Record<string, MarketClass>> = { remnant: 'discounted', opportunistic: 'discounted' }

const MarketClassFilter = z.enum(MARKET_CLASSES)

const weeks = z.string().min(1).max(2_000)
const ABOUT_WEEKS = { description: 'ISO weeks and ranges of them, separated by commas: 2026-W50,2027-W01..2027-W04.' }
export const Weeks = weeks.meta(ABOUT_WEEKS)
export const OptionalWeeks = weeks.optional().meta(ABOUT_WEEKS)

/** GET /sellers/{seller}/avails: optional filters, which all must match. */
export const AvailsQuery = z.strictObject({
  product_id: Name.optional(),
  weeks: OptionalWeeks,
  spot_length: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'must be a number of seconds')
    .transform(Number)
    .optional()
    .meta({ override: { type: 'integer', minimum: 1 } }),
  market_class: MarketClassFilter.optional(),
  rate_class: z
    .preprocess((sent) => (typeof sent === 'string' ? (FORMER_CLASSES[sent] ?? sent) : sent), MarketClassFilter.optional())
    .meta({
      deprecated: true,
      description: 'Deprecated alias of market_class. remnant and opportunistic mean discounted.',
      override: { type: 'string' },
    }),
  limit: listQuery({ usual: 1_000, max: 5_000 })
    .limit.unwrap()
    .optional()
    .meta({
      override: { type: 'integer', minimum: 1, maximum: 5_000 },
      description: 'The highest number of entries on the page; all entries if neither limit nor cursor is sent.',
    }),
  cursor: z.string().max(2_000).optional(),
  agreement: Name.optional().meta({ description: 'Presents an agreement: its prices and its disclosure apply to this read.' }),
})
export type AvailsQuery = z.infer<typeof AvailsQuery>

export const CatalogQuery = z.strictObject({ agreement: Name.optional() })
export type CatalogQuery = z.infer<typeof CatalogQuery>
