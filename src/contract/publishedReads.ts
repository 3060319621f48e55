import { z } from 'zod'
import { Avail, AvailRate } from './avail.ts'
import { OptionalWeeks, Weeks } from './availsQuery.ts'
import { listQuery } from './listQuery.ts'
import { Name, NextCursor, Stamp } from './scalars.ts'
import { GRAINS } from './vocabulary.ts'

/** A declared value that no rate entry prices (contract, Unpriced). Has exactly one of the four value members. */
export const Unpriced = z
  .object({
    currency: z.string().optional(),
    spot_length: z.int().optional(),
    buy_type: z.string().optional(),
    advertiser_class: z.string().optional(),
    effect: z.enum(['not_orderable', 'no_guarantee']),
  })
  .meta({ id: 'Unpriced' })
export type Unpriced = z.infer<typeof Unpriced>

const commit = {
  commit: z.string(),
  effective: z.object({ start: z.string(), end: z.string() }),
  agreement_id: z.string().optional(),
  /** Present on a quote commit, which is not a version of the card: the only buyer that sees it, and the order for which it was made. */
  quote: z.object({ buyer_entity: z.string(), order_id: z.string() }).optional(),
  published_at: Stamp,
}

/** GET /me/rate-cards: a seller's commits, including quotes, newest first. */
export const RateCardList = z.object({ items: z.array(z.object(commit)), next_cursor: NextCursor }).meta({ id: 'RateCardList' })
export type RateCardList = z.infer<typeof RateCardList>

/** GET /me/rate-cards/{commit}: its materialized entries, one per ISO week. */
export const RateCardRead = z
  .object({ ...commit, entries: z.array(AvailRate.extend({ product_id: z.string(), week: z.string() })), next_cursor: NextCursor })
  .meta({ id: 'RateCardRead' })
export type RateCardRead = z.infer<typeof RateCardRead>

const Rate = AvailRate.extend({ product_id: z.string(), week: z.string() })

/** GET /me/rates: the prices in force. */
export const RatesRead = z
  .object({
    rates: z.array(
      Rate.extend({
        commit: z.string().meta({ description: 'The commit that the price is from.' }),
        agreement_id: z.string().optional().meta({ description: 'The agreement that the price is scoped to; absent on the open card.' }),
      }),
    ),
    next_cursor: NextCursor,
  })
  .meta({ id: 'RatesRead' })
export type RatesRead = z.infer<typeof RatesRead>

const DiffCount = (what: string) =>
  z
    .int()
    .nonnegative()
    .meta({ description: `The number of prices that ${what}.` })
const DiffPrice = z
  .object({
    locked_rate_id: z.string(),
    gross_rate_unit: z.number().optional(),
    gross_rate_cpm: z.number().optional(),
    currency: z.string(),
  })
  .nullable()

/** GET /me/rate-cards/{commit}/diff: the prices that differ between two commits, by key and week. */
export const RateCardDiff = z
  .object({
    commit: z.string(),
    against: z.string().nullable().meta({ description: 'The commit that it is compared with; null if there is none before it.' }),
    added: DiffCount('this commit alone has'),
    changed: DiffCount('both have, with another price, currency or guarantee'),
    removed: DiffCount('the other commit alone has'),
    unchanged: DiffCount('both have alike'),
    items: z.array(
      z.object({
        change: z.enum(['added', 'changed', 'removed']).meta({ description: 'What differs; a price that both have alike is not listed.' }),
        product_id: z.string(),
        week: z.string(),
        spot_length: z.int(),
        market_class: z.string(),
        advertiser_class: z.string(),
        buy_type: z.string(),
        clearance_tier: z.string().optional(),
        before: DiffPrice.meta({ description: 'The price of the other commit; null if it has none.' }),
        after: DiffPrice.meta({ description: 'The price of this commit; null if it has none.' }),
      }),
    ),
    next_cursor: NextCursor,
  })
  .meta({ id: 'RateCardDiff' })
export type RateCardDiff = z.infer<typeof RateCardDiff>

/** GET /me/avails: the avails as published. */
export const PublishedAvails = z.object({ avails: z.array(Avail), next_cursor: NextCursor }).meta({ id: 'PublishedAvails' })
export type PublishedAvails = z.infer<typeof PublishedAvails>

export const ListQuery = z.strictObject(listQuery({ usual: 50, max: 200 }))
export type ListQuery = z.infer<typeof ListQuery>

/** The paging of entries; pages are larger than on other lists, since entries are small and numerous. */
export const EntriesQuery = z.strictObject(listQuery({ usual: 1_000, max: 5_000 }))
export type EntriesQuery = z.infer<typeof EntriesQuery>

/** GET /me/avails: the avails of one product or of all. */
export const OwnAvailsQuery = EntriesQuery.extend({
  product_id: Name.optional(),
  weeks: OptionalWeeks,
  grain: z.enum(GRAINS).optional(),
})
export type OwnAvailsQuery = z.infer<typeof OwnAvailsQuery>

/** GET /me/rates. */
export const RatesQuery = EntriesQuery.extend({ product_id: Name, weeks: Weeks })
export type RatesQuery = z.infer<typeof RatesQuery>

/** GET /me/rate-cards/{commit}/diff. */
export const DiffQuery = EntriesQuery.extend({
  against: Name.optional().meta({
    description: 'The commit to compare with; the one before it in its scope if omitted, the open card or its agreement.',
  }),
})
export type DiffQuery = z.infer<typeof DiffQuery>
