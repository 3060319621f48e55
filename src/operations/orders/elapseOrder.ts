import type { Deadline } from '../../contract/vocabulary/sandbox.ts'
import { type Elapsed, elapse } from '../../domain/order/elapse.ts'
import type { OrderHead } from '../../domain/order/head.ts'
import type { Command } from '../../store/orders/command.ts'
import { saveElapsed } from '../../store/orders/elapsed.ts'
import { requireHead } from '../../store/orders/orderHead.ts'
import { loadOwn } from './applyCommand.ts'
import { lapseQuote } from './lapseQuote.ts'
import type { OrderDeps } from './orderDeps.ts'

/**
 * Lets a deadline of an order pass (choices, Sandbox: elapse): its own clock goes on, and what a passed deadline writes is written when this returns.
 * The order's run is told as after any command. Errors: Refusal NOT_FOUND, INVALID_STATE.
 */
export async function elapseOrder(
  { log, db }: OrderDeps,
  orderId: string,
  { id, by }: Required<Pick<Command, 'by'>> & { readonly id: string },
  { what, by_s }: { readonly what: Deadline; readonly by_s?: number | undefined },
): Promise<{ head: OrderHead; elapsed: Elapsed }> {
  for (;;) {
    const order = await loadOwn(log, orderId, { by })
    const elapsed = elapse(order, what, by_s, new Date().toISOString())
    if (!(await saveElapsed(db, order, elapsed.elapsed_s))) continue
    const head = what === 'quote' ? await lapseQuote(log, orderId, id, true) : await requireHead(db, orderId)
    return { head, elapsed }
  }
}
