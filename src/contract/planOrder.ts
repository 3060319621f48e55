import { z } from 'zod'
import { checkCosts, planLineMembers, RateCited } from './lineItem.ts'
import { PlanTotals } from './planProposal.ts'
import { NewProduct } from './product.ts'
import { Actor, EITHER_COST, EVEN_SO, IsoDateTime, listOf, Money, Name, Period, PositiveCount, retired, SeenSeq } from './scalars.ts'
import { UnknownMembers } from './unknownMembers.ts'
import { LINES_PER_ORDER } from './vocabulary/bounds.ts'
import { BAND_REASONS, BAND_VERDICTS, ORDER_STATUSES } from './vocabulary.ts'

/** Members that only the buyer may set, such as creatives and blackout dates. */
const OfTheBuyer = z.undefined({ error: 'is set by the buyer and must not be sent' }).optional()

/** A price for this buyer only, which the platform publishes as a quote commit. */
const PlanQuote = z.object({ unit_cost: Money.optional(), cpm: Money.optional(), expires_at: IsoDateTime })

/**
 * A line of a plan: a create line whose rate cites a published price or has a `quote` instead of a cost. A `product` instead of product_id is
 * minted for the buyer; impressions_goal instead of units books the units that reach it (choices, Proposals and plans).
 */
const PlanLine = z
  .object({
    product_id: Name.optional(),
    product: NewProduct.optional(),
    period: Period,
    units: PositiveCount.optional(),
    impressions_goal: PositiveCount.optional(),
    ...planLineMembers,
    rate: z.object({ ...RateCited.shape, locked_rate_id: Name.optional() }),
    quote: PlanQuote.optional(),
    creative_id: OfTheBuyer,
    do_not_air: OfTheBuyer,
    traffic_instructions: OfTheBuyer,
    ...retired('product_id or product'),
  })
  .superRefine(({ product_id, product, units, impressions_goal, rate, quote }, ctx) => {
    const issue = (path: string[], message: string) => ctx.addIssue({ code: 'custom', path, message })
    // Refinements also run on malformed lines, whose members cannot be compared.
    if (![rate, ...(quote === undefined ? [] : [quote])].every((member) => typeof member === 'object' && member !== null)) return
    if ((product_id === undefined) === (product === undefined)) issue(['product_id'], 'must be sent unless product is, and never both')
    if (units === undefined && impressions_goal === undefined) issue(['units'], 'is required unless impressions_goal is sent')
    if (product !== undefined && quote === undefined) issue(['quote'], 'is required for a new product, which has no published price')
    if (rate.buy_type === 'audience_guaranteed' && rate.audience_code === undefined) {
      issue(['rate', 'audience_code'], 'is required on audience_guaranteed lines')
    }
    checkCosts(rate, rate.currency, ctx, ['rate'])
    if (quote === undefined) {
      if (rate.locked_rate_id === undefined) issue(['rate', 'locked_rate_id'], 'is required unless a quote is sent')
      if ((rate.unit_cost === undefined) === (rate.cpm === undefined)) issue(['rate', 'unit_cost'], EITHER_COST)
      return
    }
    checkCosts(quote, rate.currency, ctx, ['quote'])
    if ((quote.unit_cost === undefined) === (quote.cpm === undefined)) issue(['quote', 'unit_cost'], EITHER_COST)
    for (const member of ['unit_cost', 'cpm', 'locked_rate_id', 'quote_expires_at'] as const) {
      if (rate[member] !== undefined) issue(['rate', member], 'must not be sent together with a quote')
    }
  }, EVEN_SO)
  .meta({ id: 'PlanLine' })
export type PlanLine = z.infer<typeof PlanLine>

/** POST /me/orders/{id}/plan (contract, Plan proposal; choices, Proposals and plans). */
export const PlanOrder = z
  .object({
    plan_id: Name.optional(),
    actor: Actor.optional(),
    line_items: z.array(PlanLine).min(1).max(LINES_PER_ORDER),
    plan_totals: PlanTotals,
    unmet: listOf(z.unknown()).optional().meta({ description: 'The shortfalls of the plan, in your own words. They are kept verbatim.' }),
    expires_at: IsoDateTime,
    last_seq: SeenSeq,
  })
  .meta({ id: 'PlanOrder' })
export type PlanOrder = z.infer<typeof PlanOrder>

/** 202. If the acceptance band has confirmed, `status` and `last_seq` are those after the confirm. The band is null if there is none. */
export const PlanReply = z
  .object({
    order_id: z.string(),
    plan_id: z.string(),
    status: z.enum(ORDER_STATUSES),
    last_seq: z.int(),
    acceptance_band: z.enum(BAND_VERDICTS).nullable(),
    acceptance_band_reason: z.enum(BAND_REASONS).optional(),
    computed_gross: z.number().optional(),
    warnings: UnknownMembers,
  })
  .meta({ id: 'PlanReply' })
export type PlanReply = z.infer<typeof PlanReply>
