import type { OrderHead } from '../domain/order/head.ts'
import { lapse } from '../domain/order/lapse.ts'
import type { Database } from '../store/connection/database.ts'
import { requireHead } from '../store/orders/orderHead.ts'
import type { OrderLog } from '../store/orders/orderLog.ts'
import { applyCommand } from './applyCommand.ts'

/** The workflow's step after a quote timer: the log decides whether a quote has lapsed. Returns the resulting head. */
export async function lapseQuote(log: OrderLog, db: Pick<Database, 'pool'>, orderId: string, commandId: string): Promise<OrderHead> {
  await applyCommand(log, orderId, { id: commandId, wake: false }, lapse)
  return requireHead(db, orderId)
}
