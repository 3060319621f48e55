import { z } from 'zod'
import { Actor, IsoDateTime, Reason, SeenSeq } from './scalars.ts'
import { UnknownMembers } from './unknownMembers.ts'
import { ORDER_STATUSES, RESPONSES } from './vocabulary.ts'

/**
 * POST /orders/{id}/respond (contract, Respond). The action `counter` is in the contract but not supported: it is always refused with
 * details.supported. `as_of` is honored only in sandbox mode.
 */
export const RespondOrder = z
  .object({
    action: z.enum(RESPONSES),
    actor: Actor.optional(),
    reason: Reason,
    counter: z.unknown().optional(),
    as_of: IsoDateTime.optional(),
    last_seq: SeenSeq,
  })
  .meta({ id: 'RespondOrder' })
export type RespondOrder = z.infer<typeof RespondOrder>

/** 202: counts of the lines that this response resolved. */
export const RespondReply = z
  .object({
    order_id: z.string(),
    status: z.enum(ORDER_STATUSES),
    last_seq: z.int(),
    units_accepted: z.int().nonnegative(),
    units_rejected: z.int().nonnegative(),
    warnings: UnknownMembers,
  })
  .meta({ id: 'RespondReply' })
export type RespondReply = z.infer<typeof RespondReply>
