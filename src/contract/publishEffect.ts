import { z } from 'zod'

const counted = (what: string) =>
  z
    .int()
    .nonnegative()
    .meta({ description: `The number of products, avails or prices per ISO week that ${what}.` })
const Entry = z.record(z.string(), z.unknown()).nullable()

/** The changes that a publish would make to the seller's published state. */
export const PublishEffect = z
  .object({
    added: counted('would be new'),
    changed: counted('would differ from what is published'),
    unchanged: counted('are published just so already'),
    ended: counted('would end: products that are withdrawn'),
    changes: z
      .array(
        z.object({
          change: z.enum(['added', 'changed', 'ended']).meta({ description: 'What would become of the entry.' }),
          product_id: z.string(),
          start: z.string().nullable().meta({ description: 'The period of an avail or the ISO week of a price; null for a product.' }),
          before: Entry.meta({ description: 'What is published; null if nothing is.' }),
          after: Entry.meta({ description: 'What would be published.' }),
        }),
      )
      .meta({ description: 'The first 1,000 entries that would change.' }),
    open_orders_drifting: z
      .int()
      .nonnegative()
      .meta({ description: 'The number of open orders that cite a price which the card would replace.' }),
  })
  .meta({ id: 'PublishEffect' })
export type PublishEffect = z.infer<typeof PublishEffect>

/** The members that a dry run adds to the reply of a publish. */
export const dryRunMembers = {
  effect: PublishEffect.optional().meta({ description: 'What the publish would change; on a dry run only.' }),
  basis: z
    .string()
    .optional()
    .meta({ description: 'The state that the effect was computed from, on a dry run only: send it as If-Match with the publish.' }),
}
