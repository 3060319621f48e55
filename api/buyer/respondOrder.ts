import type { RespondOrder } from '../../src/contract/respondOrder.ts'
import { respond } from '../../src/domain/order/respond.ts'
import { applyCommand } from '../../src/orders/applyCommand.ts'
import { newId } from '../../src/store/connection/newId.ts'
import { refuseAsOf } from '../asOf.ts'
import { accepted, type Handler } from '../handler.ts'
import { ownOrder } from '../ownOrder.ts'
import { seenState } from '../seenState.ts'

/**
 * POST /orders/{id}/respond: 202. An order is accepted or withdrawn once: asking the same again, in whatever words, replays the stored
 * outcome (spec, States: respond repeated).
 */
export const respondOrder: Handler<RespondOrder> = async (deps, { caller, params, body, headers }) => {
  refuseAsOf(deps, body)
  const orderId = await ownOrder(deps, caller, params)
  const command = { id: newId('cmd_'), repeatKey: `respond:${body.action}`, wake: true, ...seenState({ headers }, body) }
  const context = { gate: caller.gate, newSellerOrderId: newId('so_') }
  return accepted(
    await applyCommand(deps.orders, orderId, command, (order, now) => respond(order, body, { ...context, asOf: body.as_of ?? now })),
  )
}
