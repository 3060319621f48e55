import { supersede } from '../domain/order/supersede.ts'
import { isTerminal } from '../domain/order/transitions.ts'
import type { Database } from '../store/database.ts'
import { type OrderHead, readRevision, requireHead, settleHead } from '../store/orderHead.ts'
import type { OrderLog } from '../store/orderLog.ts'
import { applyCommand } from './applyCommand.ts'

/**
 * The workflow's last step for a terminal order: the rest of its business is done, and nothing wakes it by itself any more. Any other order
 * stays as it is. Run twice, it is done once.
 */
export async function settleOrder(log: OrderLog, db: Pick<Database, 'pool'>, orderId: string): Promise<OrderHead> {
  const head = await requireHead(db, orderId)
  if (!isTerminal(head.status) || head.settled) return head
  await endSuperseded(log, db, orderId)
  return (await settleHead(db, orderId, head.last_seq)) ?? head
}

async function endSuperseded(log: OrderLog, db: Pick<Database, 'pool'>, orderId: string): Promise<void> {
  const revision = await readRevision(db, orderId)
  if (revision === undefined || !(await wasPlaced(log, orderId))) return
  const command = { id: `order:${orderId}:supersede`, wake: true }
  await applyCommand(log, revision.supersedes, command, (order) => supersede(order, revision.issued_at))
}

/** It was placed once, whatever has become of it since: a cancel that came before this step does not bring the prior order back. */
async function wasPlaced(log: OrderLog, orderId: string): Promise<boolean> {
  const order = await log.load(orderId)
  return order?.artifacts.some(({ name }) => name === 'placement_receipt') === true
}
