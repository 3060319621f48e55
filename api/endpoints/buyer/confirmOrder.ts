import type { ConfirmOrder } from '../../../src/contract/confirmOrder.ts'
import { confirmOrder as confirm } from '../../../src/operations/orders/confirmOrder.ts'
import { actorOf } from '../../http/call.ts'
import type { Handler } from '../../http/handler.ts'
import { repeatKey } from '../../http/repeatKey.ts'
import { answered } from '../../http/reply.ts'
import { orderCommand } from '../both/orderCommand.ts'

/** POST /orders/{id}/confirm: 202. An exact repeat (same caller, same canonical body) returns the stored outcome (choices, States). */
export const confirmOrder: Handler<ConfirmOrder> = async (deps, call) => {
  const { caller, body } = call
  const { orderId, command } = orderCommand(call, repeatKey('confirm', caller.entity, body))
  return answered(await confirm({ log: deps.orders, db: deps.db }, orderId, command, body, { gate: caller.gate, actor: actorOf(caller) }))
}
