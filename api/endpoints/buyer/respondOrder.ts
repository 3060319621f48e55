import type { RespondOrder } from '../../../src/contract/respondOrder.ts'
import { respondOrder as respond } from '../../../src/operations/orders/respondOrder.ts'
import { refuseAsOf } from '../../http/asOf.ts'
import type { Handler } from '../../http/handler.ts'
import { answered } from '../../http/reply.ts'
import { orderCommand } from '../both/orderCommand.ts'

/**
 * POST /orders/{id}/respond: 202. An order is accepted or withdrawn once: repeating the action, even with other members, replays the stored
 * outcome (contract, Respond: repeated).
 */
export const respondOrder: Handler<RespondOrder> = async (deps, call) => {
  const { caller, body } = call
  refuseAsOf(deps, body)
  const { orderId, command } = orderCommand(call, `respond:${body.action}`)
  return answered(await respond({ log: deps.orders }, orderId, command, body, caller.gate))
}
