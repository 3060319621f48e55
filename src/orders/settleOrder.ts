import { placedRevisions, supersededBy } from '../domain/order/family.ts'
import { isTooLate, type PlacedRevision, placedAt, supersede } from '../domain/order/supersede.ts'
import { isTerminal } from '../domain/order/transitions.ts'
import type { Database } from '../store/database.ts'
import { type OrderHead, readFamily, requireHead, settleHead } from '../store/orderHead.ts'
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

/** One order after the other, each under its own lock alone: two placed revisions that end each other never wait for each other. */
async function endSuperseded(log: OrderLog, db: Pick<Database, 'pool'>, orderId: string): Promise<void> {
  const family = await readFamily(db, orderId)
  if (family === undefined) return
  const by = await placedRevision(log, orderId)
  if (by === undefined) return
  const revisions = await Promise.all(placedRevisions(orderId, family).map((order_id) => log.load(order_id)))
  if (
    isTooLate(
      by,
      revisions.filter((revision) => revision !== undefined),
    )
  )
    return
  const command = { id: `order:${orderId}:supersede`, wake: true }
  for (const { order_id, is_ancestor } of supersededBy(orderId, family)) {
    await applyCommand(log, order_id, command, (order) => supersede(order, by, is_ancestor))
  }
}

/** It was placed once, whatever has become of it since: a cancel that came before this step does not bring the prior orders back. */
async function placedRevision(log: OrderLog, orderId: string): Promise<PlacedRevision | undefined> {
  const order = await log.load(orderId)
  const placed_at = order && placedAt(order)
  if (order === undefined || placed_at === undefined) return undefined
  return { order_id: orderId, placed_at, issued_at: order.request.issued_at ?? order.facts.created_at }
}
