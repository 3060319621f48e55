import type { OrderHead } from '../../domain/order/head.ts'
import { lapse } from '../../domain/order/lapse.ts'
import type { Command } from '../../store/orders/command.ts'
import type { OrderLog } from '../../store/orders/orderLog.ts'
import { applyStep } from './applyCommand.ts'

/**
 * Runs the workflow's step after a quote timer: the log decides whether a quote has lapsed. `wake`: the caller is not the order's run, which must be
 * told. Returns the resulting head.
 */
export async function lapseQuote(log: OrderLog, orderId: string, id: Command['id'], wake = false): Promise<OrderHead> {
  return (await applyStep(log, orderId, { id, wake }, lapse)).head
}
