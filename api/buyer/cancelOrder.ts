import type { CancelOrder } from '../../src/contract/cancelOrder.ts'
import { cancelOrder as cancel } from '../../src/orders/cancelOrder.ts'
import { refuseAsOf } from '../asOf.ts'
import { accepted, type Handler } from '../handler.ts'
import { orderCommand } from '../orderCommand.ts'

/** POST /orders/{id}/cancel: idempotent; `as_of` is a hook of the sandbox (choices, as_of). */
export const cancelOrder: Handler<CancelOrder> = async (deps, call) => {
  refuseAsOf(deps, call.body)
  const { orderId, command } = orderCommand(call)
  return accepted(await cancel({ log: deps.orders }, orderId, command, call.body))
}
