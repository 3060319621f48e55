import { z } from 'zod'
import { NextCursor } from './scalars.ts'
import { GRAINS, WORKFLOWS } from './vocabulary.ts'

/** What the platform routes on for a seller (spec, capability profile). Frozen per order where the order depends on it. */
export const SellerProfile = z.object({
  modes: z.object({ catalog: z.boolean(), proposal: z.boolean(), document: z.boolean() }),
  approval: z.enum(['console', 'api', 'rules', 'pull']),
  sla: z.object({ max_decision_latency_minutes: z.int().positive(), min_lead_minutes: z.int().nonnegative() }),
  realtime_availability: z.boolean(),
})
export type SellerProfile = z.infer<typeof SellerProfile>

/** GET /sellers (choices, Sellers list). */
export const SellerList = z
  .object({
    sellers: z.array(
      z.object({
        seller: z.string(),
        name: z.string(),
        level: z.int().min(0).max(4),
        workflows: z.array(z.enum(WORKFLOWS)),
        grains: z.array(z.enum(GRAINS)),
        realtime_availability: z.boolean(),
      }),
    ),
    next_cursor: NextCursor,
  })
  .meta({ id: 'SellerList' })
export type SellerList = z.infer<typeof SellerList>
