import { z } from 'zod'
import { Name } from './scalars.ts'
import { CONFIRM_ACTIONS, ORDER_STATUSES } from './vocabulary.ts'

/** POST /orders/{id}/confirm. `actor` is a display value, recorded verbatim; `reason` is required on reject (spec, Buyer: orders). */
export const ConfirmOrder = z
  .object({
    action: z.enum(CONFIRM_ACTIONS),
    actor: z.string().min(1),
    plan_id: Name.optional(),
    reason: z.string().optional(),
  })
  .meta({ id: 'ConfirmOrder' })
export type ConfirmOrder = z.infer<typeof ConfirmOrder>

/** 202. `booked_orders` are order ids, on a proposal alone: the plan books in place, so that it is this order or none. */
export const ConfirmReply = z
  .object({ order_id: z.string(), status: z.enum(ORDER_STATUSES), booked_orders: z.array(z.string()).optional() })
  .meta({ id: 'ConfirmReply' })
export type ConfirmReply = z.infer<typeof ConfirmReply>
