import type { ApprovalRule } from '../contract/approvalRules.ts'
import { dateOf } from '../domain/calendar.ts'
import { decisionOf, ruleFor } from '../domain/gate/approvalRules.ts'
import type { OrderHead } from '../domain/order/head.ts'
import type { Database } from '../store/connection/database.ts'
import { awaitHumanDecision } from '../store/orders/orderHead.ts'
import type { OrderLog } from '../store/orders/orderLog.ts'
import { countRule } from '../store/tenants/ruleActivity.ts'
import { readApprovalRules } from '../store/tenants/sellers.ts'
import { decideOrder } from './decideOrder.ts'

/**
 * Runs the workflow's rule gate: the seller's current rules decide, or leave the order to people permanently. Rules that the profile no
 * longer declares are ignored. Idempotent under one command id.
 */
export async function decideByRules(log: OrderLog, db: Database, { order_id, seller }: OrderHead, commandId: string): Promise<OrderHead> {
  const { rules, in_force } = await readApprovalRules(db, seller)
  let rule: ApprovalRule | undefined
  const { last_seq } = await decideOrder(
    { log, db },
    order_id,
    { id: commandId, wake: false },
    {
      gate: 'rule',
      ask: (order, now) => {
        rule = in_force ? ruleFor(order, rules, dateOf(now)) : undefined
        return decisionOf(rule)
      },
    },
    async (tx) => {
      if (rule !== undefined) await countRule(tx, seller, order_id, rule)
    },
  )
  const held = rule?.then === 'hold' ? rule : undefined
  return (await awaitHumanDecision(db, order_id, last_seq, held)) as OrderHead
}
