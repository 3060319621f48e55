import { z } from 'zod'
import { HoldLine } from './hold.ts'
import { Period, PositiveCount, Stamp } from './scalars.ts'
import { AVAIL_BASES, AVAIL_STATES, LINES_PER_ORDER } from './vocabulary.ts'

/**
 * What the platform asks a seller's own API (choices, Sellers' own APIs). A decision is asked for with the body of GET /me/orders/{id}, and
 * answered with that of POST /me/orders/{id}/decide. `docs/pull-openapi.json` is made from this.
 */

const AskedLine = z.object({
  unit_id: z.string(),
  product_id: z.string(),
  period: Period,
  units: PositiveCount,
  hold_id: z.string().optional().meta({ description: 'The id of the hold that keeps the inventory of the line.' }),
})

/** POST {base}/availability: is there inventory for these lines now? */
export const AvailabilityAsk = z.object({ order_id: z.string(), lines: z.array(AskedLine) }).meta({ id: 'AvailabilityAsk' })
export type AvailabilityAsk = z.infer<typeof AvailabilityAsk>

/** A line that is left out is answered by what the seller published. */
export const AvailabilityAnswer = z
  .object({
    lines: z
      .array(z.object({ unit_id: z.string(), state: z.enum(AVAIL_STATES), basis: z.enum(AVAIL_BASES).default('measured') }))
      .max(LINES_PER_ORDER),
  })
  .meta({ id: 'AvailabilityAnswer' })
export type AvailabilityAnswer = z.infer<typeof AvailabilityAnswer>

/** POST {base}/holds: any 2xx holds, a 4xx refuses. */
export const HoldAsk = z.object({ hold_id: z.string(), lines: z.array(HoldLine), expires_at: Stamp }).meta({ id: 'HoldAsk' })
export type HoldAsk = z.infer<typeof HoldAsk>
