import { z } from 'zod'
import { Actor, Name, Period, PositiveCount, Reason, SeenSeq } from './scalars.ts'
import { UnknownMembers } from './unknownMembers.ts'
import { LINES_PER_ORDER } from './vocabulary/bounds.ts'
import { CONFIRM_ACTIONS, ORDER_STATUSES } from './vocabulary.ts'

/** A buyer's correction of a line of its document (choices, Documents). `line` is the line's number in the artifact. */
export const Resolution = z
  .object({
    line: z.int().positive(),
    product_id: Name.optional(),
    period: Period.optional(),
    units: PositiveCount.optional(),
    locked_rate_id: Name.optional(),
    omit: z.literal(true).optional().meta({ description: 'The line is not ordered. The seller sees it as left out, with the note.' }),
    note: Reason,
  })
  .meta({ id: 'Resolution' })
export type Resolution = z.infer<typeof Resolution>

/** More equations than the lines and total rows of a document have. */
const EQUATIONS = 10_000
const EQUATION_ID_CHARACTERS = 32

/** POST /orders/{id}/confirm. `actor` is a display value, recorded verbatim; `reason` is required on reject (contract, Confirm). */
export const ConfirmOrder = z
  .object({
    action: z.enum(CONFIRM_ACTIONS),
    actor: Actor,
    plan_id: Name.optional(),
    reason: Reason,
    last_seq: SeenSeq,
    resolutions: z
      .array(Resolution)
      .max(LINES_PER_ORDER)
      .optional()
      .meta({ description: 'What to order where the document was not understood, on document orders only.' }),
    acknowledge: z
      .array(z.string().max(EQUATION_ID_CHARACTERS))
      .max(EQUATIONS)
      .optional()
      .meta({ description: 'The totals of the document that do not tie and shall not keep its lines from being booked, by equation_id.' }),
  })
  .meta({ id: 'ConfirmOrder' })
export type ConfirmOrder = z.infer<typeof ConfirmOrder>

/** 202. `booked_orders` is present on proposals only. A plan books in place, so it holds this order's id or none. */
export const ConfirmReply = z
  .object({
    order_id: z.string(),
    status: z.enum(ORDER_STATUSES),
    last_seq: z.int(),
    booked_orders: z.array(z.string()).optional(),
    warnings: UnknownMembers,
  })
  .meta({ id: 'ConfirmReply' })
export type ConfirmReply = z.infer<typeof ConfirmReply>
