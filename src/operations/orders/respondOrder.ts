import type { RespondOrder, RespondReply } from '../../contract/respondOrder.ts'
import type { Gate } from '../../contract/vocabulary.ts'
import { orderClock } from '../../domain/order/orderClock.ts'
import { respond } from '../../domain/order/respond.ts'
import { newId } from '../../store/connection/newId.ts'
import type { Command } from '../../store/orders/command.ts'
import { type Answer, answerCommand } from './applyCommand.ts'
import type { OrderDeps } from './orderDeps.ts'

/** Records the buyer's answer to the open counters. Judges whether their quotes have lapsed at `as_of` if sent, else at the command's time. */
export function respondOrder(
  { log }: Pick<OrderDeps, 'log'>,
  orderId: string,
  command: Command,
  request: RespondOrder,
  gate: Gate,
): Promise<Answer<RespondReply>> {
  const newSellerOrderId = newId('so_')
  return answerCommand(log, orderId, command, (order, now) =>
    respond(order, request, { gate, newSellerOrderId, asOf: request.as_of ?? orderClock(order, now) }),
  )
}
