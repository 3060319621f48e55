import type { ConfirmOrder, ConfirmReply } from '../contract/confirmOrder.ts'
import type { DocumentParse } from '../contract/documentParse.ts'
import type { Gate } from '../contract/vocabulary.ts'
import type { ResolvedLine } from '../domain/document/checkLines.ts'
import { confirm } from '../domain/order/confirm.ts'
import { type OrderState, standingParse } from '../domain/order/state.ts'
import type { Command } from '../store/orders/orderLog.ts'
import { applyCommand } from './applyCommand.ts'
import type { OrderDeps } from './orderDeps.ts'
import { resolveDocument } from './resolveDocument.ts'

/** Confirms or rejects a parked order. A document's lines are checked against what is published before the order is locked. */
export async function confirmOrder(
  deps: OrderDeps,
  orderId: string,
  command: Command,
  ask: ConfirmOrder,
  gate: Gate,
): Promise<ConfirmReply> {
  const attempt = (lines?: readonly ResolvedLine[]) =>
    applyCommand(deps.log, orderId, command, (order, now) => {
      const parse = parseToBook(order, ask)
      if (lines === undefined && parse !== undefined) throw new ToResolve(order, parse)
      return confirm(order, ask, { gate, now, lines })
    })
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof ToResolve)) throw error
    return attempt(await resolveDocument(deps.db, error.order, error.parse.lines, ask.resolutions))
  }
}

function parseToBook(order: OrderState, { action }: ConfirmOrder): DocumentParse | undefined {
  return action === 'confirm' && order.status === 'needs_confirmation' ? standingParse(order) : undefined
}

/** Thrown when the order waits with a document whose lines must be resolved first. A document is read once, so this happens once. */
class ToResolve extends Error {
  readonly order: OrderState
  readonly parse: DocumentParse
  constructor(order: OrderState, parse: DocumentParse) {
    super('the lines of a document are to be resolved')
    this.order = order
    this.parse = parse
  }
}
