import type { ConfirmOrder, ConfirmReply } from '../contract/confirmOrder.ts'
import type { Gate } from '../contract/vocabulary.ts'
import type { ResolvedLine } from '../domain/document/checkLines.ts'
import { confirm } from '../domain/order/confirm.ts'
import { standingParse } from '../domain/order/state.ts'
import type { Database } from '../store/database.ts'
import type { Command, OrderLog } from '../store/orderLog.ts'
import { applyCommand } from './applyCommand.ts'
import { resolveDocument } from './resolveDocument.ts'

/** The buyer's answer to what its order waits with. A document's lines are held against the market before the order is locked. */
export async function confirmOrder(
  { log, db }: { log: OrderLog; db: Database },
  orderId: string,
  command: Command,
  ask: ConfirmOrder,
  gate: Gate,
): Promise<ConfirmReply> {
  const lines = await linesOf(log, db, orderId, ask)
  return applyCommand(log, orderId, command, (order, now) => confirm(order, ask, { gate, now, lines }))
}

async function linesOf(log: OrderLog, db: Database, orderId: string, ask: ConfirmOrder): Promise<ResolvedLine[] | undefined> {
  if (ask.action === 'reject') return undefined
  const order = await log.load(orderId)
  const parse = order?.status === 'needs_confirmation' ? standingParse(order) : undefined
  return order && parse && resolveDocument(db, order, parse.lines, ask.resolutions)
}
