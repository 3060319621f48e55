import type { DecidePreview } from '../contract/decideOrder.ts'
import { totals } from '../domain/order/snapshot.ts'
import { invalidState } from '../domain/order/transitions.ts'
import type { Command, OrderLog } from '../store/orders/orderLog.ts'
import { loadOwn } from './applyCommand.ts'
import { decideOrder, type GateDecision } from './decideOrder.ts'
import type { OrderDeps } from './orderDeps.ts'

/**
 * Returns what a decision would do: carries it out up to its append and rolls it back. So it makes the same checks as the decision,
 * including the agreement's credit. A repeat of a decision returns its stored outcome.
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
 * Wraps the log for a decision that must not be kept; it supports `exclusively` only. If the order must first end, because its revision was
 * placed, the decision is refused as the ended order would refuse it.
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

/** Thrown to roll back a decision that must not be kept. */
class Previewed extends Error {
  readonly preview: DecidePreview
  constructor(preview: DecidePreview) {
    super('a preview is never committed')
    this.preview = preview
  }
}
