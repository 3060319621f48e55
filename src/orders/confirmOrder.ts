import type { ConfirmOrder, ConfirmReply } from '../contract/confirmOrder.ts'
import type { DocumentParse } from '../contract/documentParse.ts'
import type { Gate } from '../contract/vocabulary.ts'
import { confirm } from '../domain/order/confirm.ts'
import { unchanged } from '../domain/order/decision.ts'
import { type OrderState, standingParse } from '../domain/order/state.ts'
import type { Command } from '../store/orders/command.ts'
import { type Answer, answerCommand } from './applyCommand.ts'
import type { OrderDeps } from './orderDeps.ts'
import { resolveDocument } from './resolveDocument.ts'

/** Confirms or rejects a parked order. A document's lines are checked against what is published before the order is locked. */
export async function confirmOrder(
  { log, db }: OrderDeps,
  orderId: string,
  command: Command,
  ask: ConfirmOrder,
  gate: Gate,
): Promise<Answer<ConfirmReply>> {
  const { outcome, repeated } = await answerCommand<ConfirmReply | ToResolve>(log, orderId, command, (order, now) => {
    const to_resolve = parseToBook(order, ask)
    return to_resolve === undefined ? confirm(order, ask, { gate, now }) : unchanged(() => ({ order, to_resolve }))
  })
  if (!('to_resolve' in outcome)) return { outcome, repeated }
  // A document is read once, so what it says stays as it is.
  const lines = await resolveDocument(db, outcome.order, outcome.to_resolve.lines, ask.resolutions)
  return answerCommand(log, orderId, command, (order, now) => confirm(order, ask, { gate, now, lines }))
}

/** A document whose lines must be resolved before its order can be confirmed. */
interface ToResolve {
  readonly order: OrderState
  readonly to_resolve: DocumentParse
}

function parseToBook(order: OrderState, { action }: ConfirmOrder): DocumentParse | undefined {
  return action === 'confirm' && order.status === 'needs_confirmation' ? standingParse(order) : undefined
}
