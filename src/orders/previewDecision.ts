import type { DecidePreview } from '../contract/decideOrder.ts'
import { totals } from '../domain/order/snapshot.ts'
import { invalidState } from '../domain/order/transitions.ts'
import type { Command, OrderLog } from '../store/orders/orderLog.ts'
import { loadOwn } from './applyCommand.ts'
import { decideOrder, type GateDecision } from './decideOrder.ts'
import type { OrderDeps } from './orderDeps.ts'

/**
 * Returns what a decision would do: carries it out up to its append and rolls it back. So it checks what the decision checks, the credit of the
 * agreement included. A repeat of a decision returns its stored outcome.
 */
export async function previewDecision(deps: OrderDeps, orderId: string, command: Command, decision: GateDecision): Promise<DecidePreview> {
  try {
    const reply = await decideOrder({ ...deps, log: unwritten(deps.log) }, orderId, command, decision, async (_tx, { outcome }, after) => {
      throw new Previewed({ ...outcome(after), totals: totals(after) })
    })
    return { ...reply, totals: totals(await loadOwn(deps.log, orderId, command)) }
  } catch (error) {
    if (error instanceof Previewed) return error.preview
    throw error
  }
}

/**
 * The log for a decision that is not to be kept, which works in `exclusively` alone. Where the order must first end, since its revision was placed, it is
 * refused as the order would then refuse it.
 */
function unwritten(log: OrderLog): OrderLog {
  return {
    ...log,
    change: (orderId, work, command) =>
      log.exclusively(
        orderId,
        (locked, held) =>
          work(
            {
              ...locked,
              append: async ({ after }) => {
                throw invalidState(after, `The order is ${after.status}: its revision was placed.`)
              },
            },
            held,
          ),
        command,
      ),
  }
}

/** Ends the transaction of a decision that is not to be kept. */
class Previewed extends Error {
  readonly preview: DecidePreview
  constructor(preview: DecidePreview) {
    super('a preview is never committed')
    this.preview = preview
  }
}
