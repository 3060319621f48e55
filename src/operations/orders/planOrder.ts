import type { PlanOrder, PlanReply } from '../../contract/planOrder.ts'
import { plan } from '../../domain/order/plan.ts'
import { asRefusal, Refusal } from '../../domain/refusal.ts'
import { newId } from '../../store/connection/newId.ts'
import type { Command } from '../../store/orders/command.ts'
import { readPlanTerms } from '../../store/orders/planTerms.ts'
import { type Answer, answerCommand, loadOwn } from './applyCommand.ts'
import type { OrderDeps } from './orderDeps.ts'

/**
 * Takes a seller's plan for one of its orders: writes the event with its quotes, the products minted for it, and the answers to the buyer's
 * avails requests for these products, all or nothing. If a confirm within the acceptance band would exceed the agreement's credit, the
 * buyer decides instead. `sha256` is the hex hash of the plan's bytes.
 */
export async function planOrder(
  { log, db }: OrderDeps,
  orderId: string,
  command: Command,
  request: PlanOrder,
  sha256: string,
): Promise<Answer<PlanReply>> {
  const current = await loadOwn(log, orderId, command)
  const terms = await readPlanTerms(db, current, request)
  const ids = {
    unit_ids: request.line_items.map(() => newId('unit_')),
    product_ids: request.line_items.map(() => newId('prod_')),
    locked_rate_ids: request.line_items.map(() => newId('lr_')),
  }
  const post = (beyond_credit: boolean) =>
    answerCommand(log, orderId, { ...command, lock: 'held' }, (order, now) =>
      plan(order, request, terms, { ...ids, now, plan_id: newId('plan_'), sha256, beyond_credit }),
    )
  const reply = await post(false).catch(asRefusal)
  if (!(reply instanceof Refusal)) return reply
  if (reply.code !== 'CREDIT_LIMIT') throw reply
  return post(true)
}
