import type { Instant } from '../domain/calendar.ts'
import { type Decision, seal } from '../domain/order/decision.ts'
import type { OrderState } from '../domain/order/state.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Command, OrderLog } from '../store/orderLog.ts'

/**
 * Lock, load, decide, append. Whoever asks for a change of an order comes through here, with a different pure function.
 * A repeated command is answered as it was the first time. Errors: Refusal NOT_FOUND, and whatever the rule refuses with.
 */
export async function applyCommand<Outcome>(
  log: OrderLog,
  orderId: string,
  command: Command,
  decide: (order: OrderState, now: Instant) => Decision<Outcome>,
): Promise<Outcome> {
  return log.exclusively(orderId, async ({ order, outcomeOf, append }) => {
    const stored = await outcomeOf(command)
    if (stored !== undefined && (stored.command_id === command.id || stored.last_seq === order.last_seq)) return JSON.parse(stored.text)
    const now = new Date().toISOString()
    const decision = refusedAsRepeat(() => decide(order, now), stored !== undefined)
    if (decision === 'repeat') return JSON.parse((stored as { text: string }).text)
    const { events, after } = seal(order, decision.events, now)
    const outcome = decision.outcome(after)
    if (events.length > 0) {
      await append({ after, events, command, outcome: JSON.stringify(outcome), quotes: decision.quotes ?? [] })
    }
    return outcome
  })
}

/** A repeat that the order has moved past (approved, then canceled, then approved again by a retry) is still a repeat. */
function refusedAsRepeat<Outcome>(decide: () => Decision<Outcome>, isRepeat: boolean): Decision<Outcome> | 'repeat' {
  try {
    return decide()
  } catch (error) {
    if (isRepeat && error instanceof Refusal && error.code === 'INVALID_STATE') return 'repeat'
    throw error
  }
}
