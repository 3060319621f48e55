import { z } from 'zod'
import { HoldLine } from './hold.ts'
import { Period, PositiveCount, Stamp } from './scalars.ts'
import { LINES_PER_ORDER } from './vocabulary/bounds.ts'
import { AVAIL_BASES, AVAIL_STATES } from './vocabulary.ts'

/**
 * The requests that the platform sends to a seller's own API (choices, Sellers' own APIs). A decision request has the body of
 * GET /me/orders/{id}; its answer has that of POST /me/orders/{id}/decide. `docs/pull-openapi.json` is generated from this file.
 */

const AskedLine = z.object({
  unit_id: z.string(),
  product_id: z.string(),
  period: Period,
  units: PositiveCount,
  hold_id: z.string().optional().meta({ description: 'The id of the hold that keeps the inventory of the line.' }),
})

/** POST {base}/availability: asks whether there is inventory for these lines now. */
export const AvailabilityRequest = z.object({ order_id: z.string(), lines: z.array(AskedLine) }).meta({ id: 'AvailabilityRequest' })
export type AvailabilityRequest = z.infer<typeof AvailabilityRequest>

/** The answer to an availability request. The published state applies to lines that it omits. */
export const AvailabilityAnswer = z
  .object({
    lines: z
      .array(z.object({ unit_id: z.string(), state: z.enum(AVAIL_STATES), basis: z.enum(AVAIL_BASES).default('measured') }))
      .max(LINES_PER_ORDER),
  })
  .meta({ id: 'AvailabilityAnswer' })
export type AvailabilityAnswer = z.infer<typeof AvailabilityAnswer>

/** POST {base}/holds: any 2xx means held, a 4xx means refused. */
export const HoldRequest = z.object({ hold_id: z.string(), lines: z.array(HoldLine), expires_at: Stamp }).meta({ id: 'HoldRequest' })
export type HoldRequest = z.infer<typeof HoldRequest>
