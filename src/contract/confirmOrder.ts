import { z } from 'zod'
import { LineResult } from './lineItem.ts'
import { Totals } from './order.ts'
import { Actor, Name, Period, PositiveCount, Reason, SeenSeq } from './scalars.ts'
import { UnknownMembers } from './unknownMembers.ts'
import { LINES_PER_ORDER } from './vocabulary/bounds.ts'
import { CONFIRM_ACTIONS, ORDER_STATUSES } from './vocabulary.ts'

/** More equations than the lines and total rows of a document have. */
const EQUATIONS = 10_000
const EQUATION_ID_CHARACTERS = 32
/** The words of a column or a program may be a choice. */
const CHOICE_CHARACTERS = 512

/**
 * A buyer's correction of a line of its document, by its number in the artifact, or its answer to a question of the document, which serves all of
 * the question's lines (choices, Documents).
 */
export const Resolution = z
  .object({
    line: z.int().positive().optional(),
    question_id: Name.optional().meta({ description: 'A question of the document, in place of a line.' }),
    choice: z.string().max(CHOICE_CHARACTERS).optional().meta({ description: 'The choice of the question that is the answer.' }),
    product_id: Name.optional(),
    period: Period.optional(),
    units: PositiveCount.optional(),
    locked_rate_id: Name.optional(),
    omit: z.literal(true).optional().meta({ description: 'The line is not ordered. The seller sees it as left out, with the note.' }),
    note: Reason,
  })
  .meta({ id: 'Resolution' })
export type Resolution = z.infer<typeof Resolution>
/** A resolution of one line. */
export type LineResolution = Resolution & { readonly line: number }

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
      .max(LINES_PER_ORDER * 2)
      .optional()
      .meta({ description: 'What to order where the document was not understood, on document orders only.' }),
    remember: z.boolean().optional().meta({
      description: 'Whether the answers are proposed for the next document with the same headings from this buyer to this seller.',
    }),
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

/** 200 of a dry run: what the confirm would reply, the totals that the order would have, and its lines. */
export const ConfirmPreview = ConfirmReply.extend({ totals: Totals, line_items: z.array(LineResult) }).meta({ id: 'ConfirmPreview' })
export type ConfirmPreview = z.infer<typeof ConfirmPreview>
