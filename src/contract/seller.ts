import { z } from 'zod'
import { Name, NextCursor } from './scalars.ts'
import { PROFILE_WARNING } from './vocabulary/codes.ts'
import { APPROVALS, GRAINS, WORKFLOWS } from './vocabulary.ts'

const Minutes = z.int().nonnegative().max(527_040) // a year
const PullTransport = z.object({
  base_url: z.string().min(1).max(2048),
  secret_ref: Name,
  max_concurrent: z
    .int()
    .min(1)
    .max(64)
    .optional()
    .meta({ description: 'The number of calls of one kind that the server accepts at a time; 16 if omitted.' }),
})

/**
 * The capabilities that a seller declares (contract, Capability profile; choices, Capability profile). Omitted members take their defaults. A sent
 * conformance_level is ignored, since the platform computes it.
 */
export const SellerProfile = z
  .object({
    transports: z.object({ pull: PullTransport.optional() }).prefault({}),
    modes: z
      .object({ catalog: z.boolean().default(true), proposal: z.boolean().default(false), document: z.boolean().default(false) })
      .prefault({}),
    approval: z.enum(APPROVALS).default('api'),
    sla: z.object({ max_decision_latency_minutes: Minutes.min(1).default(1440), min_lead_minutes: Minutes.default(0) }).prefault({}),
    rate_management: z.object({ rates: z.enum(['frozen_quarterly', 'live']).default('frozen_quarterly') }).prefault({}),
    realtime_availability: z.boolean().default(false),
    negotiation: z.boolean().default(false),
    holds: z.boolean().default(false),
    notices_from_logs: z.boolean().optional().meta({
      description: 'Whether a spot that a log says is preempted, before its date or after it, begins a makegood by itself; no if omitted.',
    }),
    quote_ttl_minutes: Minutes.min(1).default(1440),
    access: z.enum(['open', 'allowlist']).default('open'),
  })
  .superRefine((profile, ctx) => {
    if (profile.transports.pull !== undefined) return
    if (profile.approval === 'pull')
      ctx.addIssue({ code: 'custom', path: ['approval'], message: 'must not be pull unless transports.pull is declared' })
    if (profile.realtime_availability) {
      ctx.addIssue({ code: 'custom', path: ['realtime_availability'], message: 'must not be true unless transports.pull is declared' })
    }
  })
  .meta({ id: 'SellerProfile' })
export type SellerProfile = z.infer<typeof SellerProfile>

/** GET and PUT /me/capabilities: the profile, its conformance level, and what is missing for the next level. */
export const Capabilities = z
  .object({
    ...SellerProfile.shape,
    conformance_level: z.int().min(0).max(4),
    next_level: z.object({ level: z.int().min(1).max(4), missing: z.array(z.string()) }).nullable(),
    warnings: z
      .array(z.object({ code: z.literal(PROFILE_WARNING), field: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'What prevents the profile from working as declared; absent if nothing does.' }),
  })
  .meta({ id: 'Capabilities' })
export type Capabilities = z.infer<typeof Capabilities>

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
