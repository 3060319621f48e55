import type { ConfirmOrder, ConfirmReply } from '../contract/confirmOrder.ts'
import type { DocumentParse } from '../contract/documentParse.ts'
import type { Gate } from '../contract/vocabulary.ts'
import { confirm } from '../domain/order/confirm.ts'
import { type OrderState, standingParse } from '../domain/order/state.ts'
import type { Command } from '../store/orders/orderLog.ts'
import { applyCommand } from './applyCommand.ts'
import type { OrderDeps } from './orderDeps.ts'
import { resolveDocument } from './resolveDocument.ts'

/** Confirms or rejects a parked order. Checks a document's lines against what is published before it locks the order. */
export async function confirmOrder(
  deps: OrderDeps,
  orderId: string,
  command: Command,
  ask: ConfirmOrder,
  gate: Gate,
): Promise<ConfirmReply> {
  const { log, db } = deps
  const seen = ask.action === 'confirm' ? await log.load(orderId) : undefined
  const parse = seen && parseToBook(seen, ask)
  const lines = seen && parse && (await resolveDocument(db, seen, parse.lines, ask.resolutions))
  try {
    return await applyCommand(log, orderId, command, (order, now) => {
      if (lines === undefined && parseToBook(order, ask) !== undefined) throw new ReadMeanwhile()
      return confirm(order, ask, { gate, now, lines })
    })
  } catch (error) {
    if (error instanceof ReadMeanwhile) return confirmOrder(deps, orderId, command, ask, gate)
    throw error
  }
}

function parseToBook(order: OrderState, { action }: ConfirmOrder): DocumentParse | undefined {
  return action === 'confirm' && order.status === 'needs_confirmation' ? standingParse(order) : undefined
}

/** The document was read after the order was looked at: its lines are to be resolved first. It is read once, so this happens once. */
class ReadMeanwhile extends Error {}
