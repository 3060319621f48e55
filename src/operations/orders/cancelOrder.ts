import type { CancelOrder, CancelReply } from '../../contract/cancelOrder.ts'
import { cancel } from '../../domain/order/cancel.ts'
import { orderClock } from '../../domain/order/orderClock.ts'
import type { Command } from '../../store/orders/command.ts'
import { type Answer, answerCommand, type Decide } from './applyCommand.ts'
import type { OrderDeps } from './orderDeps.ts'
import { previewCommand } from './previewCommand.ts'

/** Cancels the order for its buyer. Measures the notice from `as_of` if the sender states it, else from the time of the command. */
export function cancelOrder(
  { log }: Pick<OrderDeps, 'log'>,
  orderId: string,
  command: Command,
  request: CancelOrder,
): Promise<Answer<CancelReply>> {
  return answerCommand(log, orderId, command, ruleOf(request))
}

/** Returns what canceling the order now would reply, with the verdict on its notice; nothing is written. */
export async function previewCancel(
  orders: Pick<OrderDeps, 'log'>,
  orderId: string,
  command: Command,
  request: CancelOrder,
): Promise<CancelReply> {
  return (await previewCommand(orders, orderId, command, ruleOf(request))).outcome
}

function ruleOf(request: CancelOrder): Decide<CancelReply> {
  return (order, now) => cancel(order, request, request.as_of ?? orderClock(order, now))
}
