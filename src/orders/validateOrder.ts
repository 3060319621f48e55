import type { Validated } from '../domain/order/head.ts'
import { beginValidation, type LiveAvailability, validate } from '../domain/order/validate.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Database } from '../store/connection/database.ts'
import { readMarket } from '../store/orders/orderFacts.ts'
import { requireHead } from '../store/orders/orderHead.ts'
import type { OrderLog } from '../store/orders/orderLog.ts'
import { applyCommand } from './applyCommand.ts'

/**
 * The workflow's validation step: reads the published state, applies the rule and returns the resulting head. If the seller declares live
 * availability, a catalog order only begins validation until `live` has the seller's answer.
 */
export async function validateOrder(
  log: OrderLog,
  db: Database,
  orderId: string,
  commandId: string,
  live?: LiveAvailability,
): Promise<Validated> {
  const order = await log.load(orderId)
  if (order === undefined) throw new Refusal('NOT_FOUND', `There is no order ${orderId}.`)
  const { asks_seller, ...market } = await readMarket(db, order)
  const asksFirst = asks_seller && live === undefined && order.facts.workflow === 'catalog'
  await applyCommand(log, orderId, { id: commandId, wake: false }, (current) =>
    asksFirst ? beginValidation(current) : validate(current, live === undefined ? market : { ...market, live }),
  )
  const head = await requireHead(db, orderId)
  return asksFirst && head.status === 'validating' ? { ...head, asks_seller: true } : head
}
