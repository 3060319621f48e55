import type { DecidePreview } from '../../contract/decideOrder.ts'
import { totals } from '../../domain/order/snapshot.ts'
import type { Command } from '../../store/orders/command.ts'
import { commandOf, decidedBy, type GateDecision } from './decideOrder.ts'
import type { OrderDeps } from './orderDeps.ts'
import { previewCommand } from './previewCommand.ts'

/** Returns what a decision would do, with the totals that the order would have; nothing is written. */
export async function previewDecision(
  orders: Pick<OrderDeps, 'log'>,
  orderId: string,
  sent: Command,
  decision: GateDecision,
): Promise<DecidePreview> {
  const { outcome, after } = await previewCommand(orders, orderId, commandOf(sent, decision), decidedBy(decision))
  return { ...outcome, totals: totals(after) }
}
