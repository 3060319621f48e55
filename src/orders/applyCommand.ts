import type { Instant } from '../domain/calendar.ts'
import { type Decision, seal } from '../domain/order/decision.ts'
import { endedQuotes } from '../domain/order/endedQuotes.ts'
import { checkRoom } from '../domain/order/logRoom.ts'
import type { OrderState } from '../domain/order/state.ts'
import { invalidState } from '../domain/order/transitions.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Tx } from '../store/database.ts'
import type { Command, OrderInHand, OrderLog } from '../store/orderLog.ts'
import { endQuotes, publishQuotes } from '../store/quotes.ts'
import { drawsOnCredit, holdToCredit } from './holdToCredit.ts'

/**
 * Load, decide, lock and append, or all of it under the lock when the order is contended. Whoever asks for a change of an order comes through
 * here, with a different pure function. A repeated command is answered as it was the first time. `also` is what its events make true beside the
 * order; that, the quotes that they cite and the end of those that they take back are written in their
 * transaction, before them, and what they draw on an agreement's credit is held to its cap. Errors: Refusal NOT_FOUND, and whatever the rule refuses with.
 */
export async function applyCommand<Outcome, D extends Decision<Outcome> = Decision<Outcome>>(
  log: OrderLog,
  orderId: string,
  command: Command,
  decide: (order: OrderState, now: Instant) => D & Decision<Outcome>,
  also?: (tx: Tx, decision: D, after: OrderState) => Promise<void>,
): Promise<Outcome> {
  const work = async ({ order, characters, approval, outcomeOf, append }: OrderInHand, tx?: Tx): Promise<Outcome> => {
    const stored = await outcomeOf(command)
    if (stored !== undefined && (stored.command_id === command.id || stored.last_seq === order.last_seq)) return JSON.parse(stored.text)
    const now = new Date().toISOString()
    if (command.isSeen?.(order.last_seq) === false) {
      return stored === undefined ? repeatedOrMoved(order, () => decide(order, now)) : JSON.parse(stored.text)
    }
    const decision = refusedAsRepeat(() => decide(order, now), stored !== undefined)
    if (decision === 'repeat') return JSON.parse((stored as { text: string }).text)
    // A rule may know a repeat itself, wherever the order has gone since.
    if (stored !== undefined && decision.events.length === 0) return JSON.parse(stored.text)
    const { events, after } = seal(order, decision.events, now, approval)
    checkRoom(characters, events)
    const outcome = decision.outcome(after)
    if (events.length === 0) return outcome
    const { quotes = [] } = decision
    const ended = endedQuotes(order, after, events)
    if (tx !== undefined) {
      await publishQuotes(tx, after, quotes)
      await endQuotes(tx, after, ended)
      await holdToCredit(tx, order, after)
      await also?.(tx, decision, after)
    } else if (quotes.length > 0 || ended.length > 0 || drawsOnCredit(order, after)) throw new NeedsTransaction()
    await append({ after, events, command, outcome: JSON.stringify(outcome) })
    return outcome
  }
  if (also !== undefined) return log.exclusively(orderId, work)
  return log.change(orderId, work).catch((error) => {
    if (error instanceof NeedsTransaction) return log.exclusively(orderId, work)
    throw error
  })
}

/** The rule has brought more than events. */
class NeedsTransaction extends Error {}

/**
 * A command on an order that has moved on since its sender saw it: a rule that changes nothing knows a repeat (cancelling twice is cancelling once), which
 * is answered in any state. Everything else is INVALID_STATE with where the order is.
 */
function repeatedOrMoved<Outcome>(order: OrderState, decide: () => Decision<Outcome>): Outcome {
  try {
    const { events, outcome } = decide()
    if (events.length === 0) return outcome(order)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  throw invalidState(order, `The order has moved on to ${order.last_seq} since you saw it: read it again.`)
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
