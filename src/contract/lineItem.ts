import { z } from 'zod'
import {
  Currency,
  Decimal,
  EITHER_COST,
  EVEN_SO,
  IsoDate,
  IsoDateTime,
  listOf,
  Money,
  mapOf,
  Name,
  Period,
  PositiveCount,
  retired,
  SentBasis,
  SpotLength,
  Stamp,
} from './scalars.ts'
import { finerThanCurrency } from './vocabulary/minorUnits.ts'
import { AVAIL_BASES, AVAIL_STATES, BUY_TYPES, LINE_STATUSES, MARKET_CLASSES, RATE_BASES } from './vocabulary.ts'

const rateMembers = {
  market_class: z.enum(MARKET_CLASSES),
  advertiser_class: Name,
  buy_type: z.enum(BUY_TYPES),
  clearance_tier: Name.optional(),
  unit_cost: Money.optional(),
  cpm: Money.optional(),
  guaranteed_impressions: PositiveCount.optional(),
  audience_code: Name.optional(),
  locked_rate_id: Name,
  currency: Currency,
  quote_expires_at: IsoDateTime.optional(),
}

/** The rate of a line (contract, Rate). `rate_basis` is derived; a sent one is ignored, but `per_second` is refused. */
export const RateCited = z
  .object({
    ...rateMembers,
    rate_basis: SentBasis,
  })
  .superRefine((rate, ctx) => {
    const costs = [rate.unit_cost, rate.cpm].filter((cost) => cost !== undefined).length
    if (costs !== 1) ctx.addIssue({ code: 'custom', path: ['unit_cost'], message: EITHER_COST })
    checkCosts(rate, rate.currency, ctx)
    if (rate.buy_type !== 'audience_guaranteed') return
    if (rate.audience_code === undefined)
      ctx.addIssue({ code: 'custom', path: ['audience_code'], message: 'is required on audience_guaranteed lines' })
  }, EVEN_SO)
  .meta({ id: 'RateCited' })
export type RateCited = z.infer<typeof RateCited>

/** Checks that a cost is not finer than its currency, since no amount could be that fine (choices, Minor units). */
export function checkCosts(
  { unit_cost, cpm }: { unit_cost?: unknown; cpm?: unknown },
  currency: unknown,
  ctx: z.core.$RefinementCtx,
  path: string[] = [],
): void {
  if (typeof currency !== 'string') return
  for (const [member, cost] of Object.entries({ unit_cost, cpm })) {
    const message = typeof cost === 'number' ? finerThanCurrency(cost, currency) : undefined
    if (message !== undefined) ctx.addIssue({ code: 'custom', path: [...path, member], message })
  }
}

/** The rate of a line on reads, with its basis. */
export const RateRead = z.object({ ...rateMembers, rate_basis: z.enum(RATE_BASES) }).meta({ id: 'RateRead' })
export type RateRead = z.infer<typeof RateRead>

export const TrafficInstructions = z
  .object({
    rotation: z.enum(['equal', 'weighted']),
    creative_splits: listOf(z.object({ creative_id: Name, pct: Decimal.optional() }), 100).min(1),
  })
  .meta({ id: 'TrafficInstructions' })
export type TrafficInstructions = z.infer<typeof TrafficInstructions>

/** The members that order lines and plan lines share. */
export const planLineMembers = {
  spot_length: SpotLength,
  include_mirror: z.boolean().optional(),
  rc_impressions: mapOf(Decimal.nonnegative()).optional(),
}

const sharedMembers = {
  product_id: Name,
  period: Period,
  units: PositiveCount,
  ...planLineMembers,
  creative_id: Name.optional(),
  hold_id: Name.optional(),
  do_not_air: listOf(IsoDate, 100).optional(),
  traffic_instructions: TrafficInstructions.optional(),
}

/** A line of a catalog order, as sent (contract, Line item). */
export const LineItem = z
  .object({
    ...sharedMembers,
    rate: RateCited,
    impressions_goal: z.undefined({ error: 'is allowed only on proposal and document orders; a catalog line books units' }).optional(),
    ...retired('product_id'),
  })
  .meta({ id: 'LineItem' })
export type LineItem = z.infer<typeof LineItem>

export const Allocation = z.object({ date: IsoDate, units: z.int().positive() }).meta({ id: 'Allocation' })
export type Allocation = z.infer<typeof Allocation>

export const LineAvailability = z
  .object({ state: z.enum(AVAIL_STATES), basis: z.enum(AVAIL_BASES), sellout_level: z.number().nullable() })
  .meta({ id: 'LineAvailability' })
export type LineAvailability = z.infer<typeof LineAvailability>

export const LinePostingPolicy = z
  .object({ policy: z.string().nullable(), source: z.enum(['agreement_product', 'agreement_all', 'product', 'unstated']) })
  .meta({ id: 'LinePostingPolicy' })
export type LinePostingPolicy = z.infer<typeof LinePostingPolicy>

/** A line on every read and in `units[]` of events (contract, Line result). */
export const LineResult = z
  .object({
    unit_id: z.string(),
    ...sharedMembers,
    product_title: z
      .string()
      .optional()
      .meta({ description: 'The title of the product when the line was ordered; absent if it had none, and on older orders.' }),
    provider: z.string(),
    network: z.string(),
    allocation: z.array(Allocation),
    num_accepted: z.int().nonnegative(),
    status: z.enum(LINE_STATUSES),
    reason: z.string().nullable(),
    rate: RateRead,
    availability: LineAvailability.nullable(),
    creative_snapshot: z.object({ creative_code: z.string(), name: z.string(), length_seconds: z.int() }).optional(),
    mirror: z.object({ product_id: z.string(), network: z.string(), allocation: z.array(Allocation) }).optional(),
    posting_policy: LinePostingPolicy,
    /** For a counter, the buyer's line that it answers, and its terms. */
    in_response_to: z.string().optional(),
    num_requested: PositiveCount.optional().meta({ description: 'The impressions goal that the units of this line answer.' }),
    minted: z.literal(true).optional().meta({ description: 'Whether the product was created for this buyer.' }),
    counter: z
      .object({ week: z.string(), unit_cost: z.number().optional(), cpm: z.number().optional(), quote_expires_at: Stamp })
      .optional(),
    locked_rate_id: z.string().optional(),
  })
  .meta({ id: 'LineResult' })
export type LineResult = z.infer<typeof LineResult>
