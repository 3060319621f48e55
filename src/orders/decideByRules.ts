import { dateOf } from '../domain/calendar.ts'
import { decideByRules as ruleOn } from '../domain/gate/approvalRules.ts'
import type { Database } from '../store/database.ts'
import { leaveToPeople, type OrderHead } from '../store/orderHead.ts'
import type { OrderLog } from '../store/orderLog.ts'
import { readApprovalRules } from '../store/sellers.ts'
import { decideOrder } from './decideOrder.ts'

/**
 * The workflow's rule gate: the seller's rules of this moment decide, or leave the order to people for good. Rules that the profile no longer
 * declares decide nothing. Run twice under one command id, it is done once.
 */
export async function decideByRules(log: OrderLog, db: Database, { order_id, seller }: OrderHead, commandId: string): Promise<OrderHead> {
  const { rules, in_force } = await readApprovalRules(db, seller)
  const { last_seq } = await decideOrder(
    log,
    db,
    order_id,
    { id: commandId, wake: false },
    {
      gate: 'rule',
      ask: (order, now) => (in_force ? ruleOn(order, rules, dateOf(now)) : undefined),
    },
  )
  return (await leaveToPeople(db, order_id, last_seq)) as OrderHead
}
