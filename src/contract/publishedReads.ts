import { z } from 'zod'
import { Avail, AvailRate } from './avail.ts'
import { listQuery } from './listQuery.ts'
import { Name, NextCursor, Stamp } from './scalars.ts'

/** A declared value that no rate entry prices (spec, Product: unpriced[]). Has exactly one of the four value members. */
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
  /** Present on a quote commit, which is not a version of the card: the only buyer that sees it, and the order that it answers. */
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

/** GET /me/avails: the avails as published. */
export const PublishedAvails = z.object({ avails: z.array(Avail), next_cursor: NextCursor }).meta({ id: 'PublishedAvails' })
export type PublishedAvails = z.infer<typeof PublishedAvails>

export const ListQuery = z.strictObject(listQuery({ usual: 50, most: 200 }))
export type ListQuery = z.infer<typeof ListQuery>

/** Pages are larger than on other lists, since entries are small and many. */
export const EntriesQuery = z.strictObject(listQuery({ usual: 1_000, most: 5_000 }))
export type EntriesQuery = z.infer<typeof EntriesQuery>

/** GET /me/avails: of one product or of all. */
export const OwnAvailsQuery = EntriesQuery.extend({ product_id: Name.optional() })
export type OwnAvailsQuery = z.infer<typeof OwnAvailsQuery>
