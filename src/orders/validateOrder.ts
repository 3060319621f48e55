import { validate } from '../domain/order/validate.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Database } from '../store/database.ts'
import { readMarket } from '../store/orderFacts.ts'
import { type OrderHead, readHead } from '../store/orderHead.ts'
import type { OrderLog } from '../store/orderLog.ts'
import { applyCommand } from './applyCommand.ts'

/** The workflow's validation step: the market is read, the rule decides, the head afterwards is answered. */
export async function validateOrder(log: OrderLog, db: Database, orderId: string, commandId: string): Promise<OrderHead> {
  const order = await log.load(orderId)
  if (order === undefined) throw new Refusal('NOT_FOUND', `There is no order ${orderId}.`)
  const market = await readMarket(db, order)
  await applyCommand(log, orderId, { id: commandId, wake: false }, (current) => validate(current, market))
  return (await readHead(db, orderId)) as OrderHead
}
