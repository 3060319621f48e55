import type { Instant } from '../domain/calendar.ts'
import { type Decision, seal } from '../domain/order/decision.ts'
import { checkRoom } from '../domain/order/logRoom.ts'
import type { OrderState } from '../domain/order/state.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Tx } from '../store/database.ts'
import type { Command, OrderLog } from '../store/orderLog.ts'

/**
 * Load, decide, lock and append, or all of it under the lock when the order is contended. Whoever asks for a change of an order comes through here, with a different pure function.
 * A repeated command is answered as it was the first time. `also` is what its events make true beside the order, in their transaction. Errors: Refusal NOT_FOUND, and whatever the rule refuses with.
 */
export async function applyCommand<Outcome, D extends Decision<Outcome> = Decision<Outcome>>(
  log: OrderLog,
  orderId: string,
  command: Command,
  decide: (order: OrderState, now: Instant) => D & Decision<Outcome>,
  also?: (tx: Tx, decision: D, after: OrderState) => Promise<void>,
): Promise<Outcome> {
  return log.change(orderId, async ({ order, characters, approval, outcomeOf, append }) => {
    const stored = await outcomeOf(command)
    if (stored !== undefined && (stored.command_id === command.id || stored.last_seq === order.last_seq)) return JSON.parse(stored.text)
    const now = new Date().toISOString()
    const decision = refusedAsRepeat(() => decide(order, now), stored !== undefined)
    if (decision === 'repeat') return JSON.parse((stored as { text: string }).text)
    // A rule may know a repeat itself, wherever the order has gone since.
    if (stored !== undefined && decision.events.length === 0) return JSON.parse(stored.text)
    const { events, after } = seal(order, decision.events, now, approval)
    checkRoom(characters, events)
    const outcome = decision.outcome(after)
    if (events.length > 0) {
      const more = also === undefined ? {} : { also: (tx: Tx) => also(tx, decision, after) }
      await append({ after, events, command, outcome: JSON.stringify(outcome), quotes: decision.quotes ?? [], ...more })
    }
    return outcome
  })
}

/** A repeat that the order has moved past (approved, then canceled, then approved again by a retry) is still a repeat. */
function refusedAsRepeat<D>(decide: () => D, isRepeat: boolean): D | 'repeat' {
  try {
    return decide()
  } catch (error) {
    if (isRepeat && error instanceof Refusal && error.code === 'INVALID_STATE') return 'repeat'
    throw error
  }
}
