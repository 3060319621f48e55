import { supersededBy } from '../domain/order/family.ts'
import type { OrderHead } from '../domain/order/head.ts'
import { placedRevision, supersede } from '../domain/order/supersede.ts'
import { isTerminal } from '../domain/order/transitions.ts'
import type { Database } from '../store/connection/database.ts'
import { readFamily } from '../store/orders/families.ts'
import { closeHead, requireHead } from '../store/orders/orderHead.ts'
import type { OrderLog } from '../store/orders/orderLog.ts'
import { applyCommand } from './applyCommand.ts'
import { superseding } from './carryOut.ts'

/**
 * The workflow's last step for a terminal order: the rest of its business is done, and nothing wakes it by itself any more. Any other order
 * stays as it is. Run twice, it is done once.
 */
export async function closeOrder(log: OrderLog, db: Pick<Database, 'pool'>, orderId: string): Promise<OrderHead> {
  const head = await requireHead(db, orderId)
  if (!isTerminal(head.status) || head.settled) return head
  await endSuperseded(log, db, orderId)
  return (await closeHead(db, orderId, head.last_seq)) ?? head
}

/**
 * Ends what of the family is open: what was placed ended with the commit that placed the order. One after the other, each under its own locks, since
 * a transaction that ends hundreds would hold the feed back.
 */
async function endSuperseded(log: OrderLog, db: Pick<Database, 'pool'>, orderId: string): Promise<void> {
  const family = await readFamily(db.pool, orderId)
  if (family === undefined) return
  const order = await log.load(orderId)
  // Placed once, whatever has become of it since: a cancel that came before this step does not bring the prior orders back.
  const by = order && placedRevision(order)
  if (by === undefined) return
  for (const { order_id, is_ancestor } of supersededBy(orderId, family)) {
    await applyCommand(log, order_id, superseding(by), (member) => supersede(member, by, is_ancestor))
  }
}
