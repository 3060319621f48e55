import type { Database } from '../../store/connection/database.ts'
import { readLargeSums } from '../../store/settlement/readTooLarge.ts'
import { readHeads, readToReconcile } from '../../store/settlement/readToReconcile.ts'
import { type DueReconciliation, LARGEST_ORDER } from '../../store/settlement/reconcileQueue.ts'
import { saveLargeReconciliation } from '../../store/settlement/saveLargeReconciliation.ts'
import { readRelatedOrders } from './readRelatedOrders.ts'
import { reconciledOrder } from './reconciledOrder.ts'
import { tooLargeOrder } from './tooLargeOrder.ts'

/** Reconciles an order that takes seconds, or writes totals of one that is too large to match. Skips an order that is not booked. */
export async function recomputeLargeOrder(
  db: Pick<Database, 'pool'>,
  seller: string,
  { order_id, mark, size }: DueReconciliation,
): Promise<void> {
  if (size.matched > LARGEST_ORDER) {
    const [head] = await readHeads(db, seller, [order_id])
    if (head !== undefined) await saveLargeReconciliation(db, { result: tooLargeOrder(head, await readLargeSums(db, order_id)), mark })
    return
  }
  const [order] = await readToReconcile(db, seller, [order_id])
  if (order === undefined) return
  const relatedOrdersOf = await readRelatedOrders(db, seller, [order])
  await saveLargeReconciliation(db, { result: reconciledOrder(order, relatedOrdersOf(order)), mark })
}
