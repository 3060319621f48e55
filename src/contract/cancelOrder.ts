import { z } from 'zod'
import { Cancellation } from './order.ts'
import { Actor, IsoDateTime, Reason, SeenSeq } from './scalars.ts'
import { UnknownMembers } from './unknownMembers.ts'

/** POST /orders/{id}/cancel (choices, cancel). `as_of` is honored only in sandbox mode. */
export const CancelOrder = z
  .object({ actor: Actor.optional(), reason: Reason, as_of: IsoDateTime.optional(), last_seq: SeenSeq })
  .meta({ id: 'CancelOrder' })
export type CancelOrder = z.infer<typeof CancelOrder>

export const CancelReply = z
  .object({ order_id: z.string(), status: z.literal('canceled'), last_seq: z.int(), cancellation: Cancellation, warnings: UnknownMembers })
  .meta({ id: 'CancelReply' })
export type CancelReply = z.infer<typeof CancelReply>
