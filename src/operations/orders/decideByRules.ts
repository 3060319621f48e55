import type { ApprovalRule } from '../../contract/approvalRules.ts'
import type { DecideReply } from '../../contract/decideOrder.ts'
import { dateOf } from '../../domain/calendar.ts'
import { decisionOf, ruleFor } from '../../domain/gate/approvalRules.ts'
import { decide, decidedReply } from '../../domain/order/decide.ts'
import { unchanged } from '../../domain/order/decision.ts'
import type { OrderHead } from '../../domain/order/head.ts'
import type { Database } from '../../store/connection/database.ts'
import { newId } from '../../store/connection/newId.ts'
import { awaitHumanDecision } from '../../store/orders/orderHead.ts'
import type { OrderLog } from '../../store/orders/orderLog.ts'
import { readApprovalRules } from '../../store/tenants/sellers.ts'
import { applyCommand, type Decide } from './applyCommand.ts'

/**
 * Runs the workflow's rule gate: the seller's current rules decide, or leave the order to people permanently. Rules that the profile no
 * longer declares are ignored. Idempotent under one command id.
 */
export async function decideByRules(log: OrderLog, db: Database, { order_id, seller }: OrderHead, commandId: string): Promise<OrderHead> {
  const { rules, in_force } = await readApprovalRules(db, seller)
  const command = { id: commandId, wake: false, lock: 'held' } as const
  const { last_seq, left_by } = await applyCommand(log, order_id, command, ruled(in_force ? rules : []))
  return (await awaitHumanDecision(db, order_id, last_seq, left_by)) as OrderHead
}

/** What the rules gave: the reply of a decision, or the rule that left the order to people, if one did. */
type Ruled = DecideReply & { left_by?: ApprovalRule }

/** Returns the rule of a command by which the first approval rule that matches the order decides it. */
export function ruled(rules: readonly ApprovalRule[]): Decide<Ruled> {
  const newSellerOrderId = newId('so_')
  return (order, now) => {
    const rule = ruleFor(order, rules, dateOf(now))
    const decision = decisionOf(rule)
    if (decision === undefined) return unchanged((after) => ({ ...decidedReply(after), ...(rule === undefined ? {} : { left_by: rule }) }))
    return { ...decide(order, decision, { gate: 'rule', newSellerOrderId }), ...(rule === undefined ? {} : { rule }) }
  }
}
