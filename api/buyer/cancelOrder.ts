import type { CancelOrder } from '../../src/contract/cancelOrder.ts'
import { cancel } from '../../src/domain/order/cancel.ts'
import { applyCommand } from '../../src/orders/applyCommand.ts'
import { newId } from '../../src/store/connection/newId.ts'
import { refuseAsOf } from '../asOf.ts'
import { accepted, type Handler } from '../handler.ts'
import { ownOrder } from '../ownOrder.ts'
import { seenState } from '../seenState.ts'

/** POST /orders/{id}/cancel: idempotent; `as_of` is a hook of the sandbox (choices, as_of). */
export const cancelOrder: Handler<CancelOrder> = async (deps, { caller, params, body, headers }) => {
  refuseAsOf(deps, body)
  const orderId = await ownOrder(deps, caller, params)
  const command = { id: newId('cmd_'), wake: true, ...seenState({ headers }, body) }
  return accepted(await applyCommand(deps.orders, orderId, command, (order, now) => cancel(order, body, body.as_of ?? now)))
}
