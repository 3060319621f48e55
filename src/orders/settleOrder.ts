import { isTerminal } from '../domain/order/transitions.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Database } from '../store/database.ts'
import { type OrderHead, readHead, settleHead } from '../store/orderHead.ts'

/** The workflow's last step for a terminal order: its business is finished and nothing wakes it by itself. Any other order stays as it is. */
export async function settleOrder(db: Pick<Database, 'pool'>, orderId: string): Promise<OrderHead> {
  const head = await readHead(db, orderId)
  if (head === undefined) throw new Refusal('NOT_FOUND', `There is no order ${orderId}.`)
  if (!isTerminal(head.status) || head.settled) return head
  return (await settleHead(db, orderId, head.last_seq)) ?? head
}
