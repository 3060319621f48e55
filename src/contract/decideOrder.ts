import { z } from 'zod'
import { Totals } from './order.ts'
import { Actor, IsoDateTime, IsoWeek, listOf, Money, Name, Reason, SeenSeq } from './scalars.ts'
import { UnknownMembers } from './unknownMembers.ts'
import { LINES_WITH_COUNTERS } from './vocabulary/bounds.ts'
import { DECISIONS, ORDER_STATUSES, UNIT_ACTIONS } from './vocabulary.ts'

/** POST /me/orders/{id}/decide (contract, Decide; choices, decide). Lines not named follow the decision. */
export const DecideOrder = z
  .object({
    decision: z.enum(DECISIONS),
    actor: Actor,
    units: listOf(
      z.object({
        unit_id: Name,
        action: z.enum(UNIT_ACTIONS),
        num_accepted: z.int().optional(),
        counter: z
          .object({ week: IsoWeek, unit_cost: Money.optional(), cpm: Money.optional(), quote_expires_at: IsoDateTime.optional() })
          .optional(),
        reason: Reason.meta({ description: 'Why this line; without it the reason of the decision stands on a line that is not accepted.' }),
      }),
      LINES_WITH_COUNTERS,
    ).optional(),
    reason: Reason,
    last_seq: SeenSeq,
    seller_order_id: Name.optional(),
  })
  .meta({ id: 'DecideOrder' })
export type DecideOrder = z.infer<typeof DecideOrder>

/** 202: counts of lines after this step, over the whole order. */
export const DecideReply = z
  .object({
    order_id: z.string(),
    status: z.enum(ORDER_STATUSES),
    last_seq: z.int(),
    units_accepted: z.int().nonnegative(),
    units_countered: z.int().nonnegative(),
    units_rejected: z.int().nonnegative(),
    warnings: UnknownMembers,
  })
  .meta({ id: 'DecideReply' })
export type DecideReply = z.infer<typeof DecideReply>

/** 200 of a dry run: what the decision would reply, and the totals that the order would have. */
export const DecidePreview = DecideReply.extend({ totals: Totals }).meta({ id: 'DecidePreview' })
export type DecidePreview = z.infer<typeof DecidePreview>
