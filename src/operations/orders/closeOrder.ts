import { supersededBy } from '../../domain/order/family.ts'
import type { OrderHead } from '../../domain/order/head.ts'
import { placedRevision, supersede } from '../../domain/order/supersede.ts'
import { isTerminal } from '../../domain/order/transitions.ts'
import type { Database } from '../../store/connection/database.ts'
import { planMails } from '../../store/edi/planMails.ts'
import { wakeMakegoodsOf } from '../../store/makegoods/makegoodQueue.ts'
import { readFamily } from '../../store/orders/families.ts'
import { closeHead } from '../../store/orders/orderHead.ts'
import type { OrderLog } from '../../store/orders/orderLog.ts'
import { readToClose } from '../../store/orders/readToClose.ts'
import { bookOrder } from '../settlement/bookOrder.ts'
import { issueInvoices } from '../settlement/issueInvoices.ts'
import { applyCommand } from './applyCommand.ts'
import { superseding } from './write.ts'

/**
 * Runs the workflow's last step for a terminal order: finishes its remaining work, after which nothing wakes it. Changes no other order,
 * except the family's open orders if this one was placed. Idempotent.
 */
export async function closeOrder(log: OrderLog, db: Pick<Database, 'pool' | 'sql'>, orderId: string): Promise<OrderHead> {
  const { head, was_placed, has_family, has_mail, is_invoice_due } = await readToClose(db, orderId)
  if (!isTerminal(head.status) || head.closed) return head
  if (was_placed) {
    if (has_mail) await planMails(db, orderId)
    if (has_family) await endSuperseded(log, db, orderId)
    await bookOrder(log, db, orderId)
    if (head.status !== 'placed') await wakeMakegoodsOf(db, orderId)
  }
  if (is_invoice_due) await issueInvoices(log, orderId)
  return (await closeHead(db, orderId, head.last_seq)) ?? head
}

/**
 * Ends the open orders of the family; the placed one ended in the commit that placed this order. Each is ended under its own locks, since one
 * transaction for hundreds would delay the feed.
 */
async function endSuperseded(log: OrderLog, db: Pick<Database, 'pool'>, orderId: string): Promise<void> {
  const family = await readFamily(db.pool, orderId)
  if (family === undefined) return
  const order = await log.load(orderId)
  // Applies to an order that was ever placed: a cancel before this step does not restore the prior orders.
  const by = order && placedRevision(order)
  if (by === undefined) return
  for (const { order_id, is_ancestor } of supersededBy(orderId, family)) {
    await applyCommand(log, order_id, superseding(by), (member) => supersede(member, by, is_ancestor))
  }
}
