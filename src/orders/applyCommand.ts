import type { Instant } from '../domain/calendar.ts'
import type { Decision } from '../domain/order/decision.ts'
import type { OrderState } from '../domain/order/state.ts'
import { supersede } from '../domain/order/supersede.ts'
import { invalidState } from '../domain/order/transitions.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Tx } from '../store/connection/database.ts'
import type { Command, Held, LockedOrder, OrderLog } from '../store/orders/orderLog.ts'
import { carryOut, NeedsTransaction, Superseded, superseding } from './carryOut.ts'

/**
 * Loads, decides, locks and appends, or does all of it under the lock when the order is contended. Every change of an order goes through
 * here with its own pure function. A repeated command returns its first outcome. `also` writes what else the events make true. It runs in
 * the events' transaction, before them, as do the quotes that they cite and the end of the quotes that they withdraw. Credit that they
 * draw on an agreement is limited to its cap. Errors: Refusal NOT_FOUND, and any refusal of the rule.
 */
export async function applyCommand<Outcome, D extends Decision<Outcome> = Decision<Outcome>>(
  log: OrderLog,
  orderId: string,
  command: Command,
  decide: (order: OrderState, now: Instant) => D & Decision<Outcome>,
  also?: (tx: Tx, decision: D, after: OrderState) => Promise<void>,
): Promise<Outcome> {
  const work = async (locked: LockedOrder, held?: Held): Promise<Outcome> => {
    const { order } = locked
    const stored = await locked.outcomeOf(command)
    if (stored !== undefined && (stored.command_id === command.id || stored.last_seq === order.last_seq)) return JSON.parse(stored.text)
    const now = new Date().toISOString()
    if (command.isSeen?.(order.last_seq) === false) {
      return stored === undefined ? repeatedOrMoved(order, () => decide(order, now)) : JSON.parse(stored.text)
    }
    const decision = refusedAsRepeat(() => decide(order, now), stored !== undefined)
    if (decision === 'repeat') return JSON.parse((stored as { text: string }).text)
    // A rule may recognize a repeat itself, in any later state of the order.
    if (stored !== undefined && decision.events.length === 0) return JSON.parse(stored.text)
    return carryOut(locked, command, decision, now, held, also)
  }
  const attempt = (): Promise<Outcome> => {
    if (also !== undefined) return log.exclusively(orderId, work)
    return log.change(orderId, work).catch((error) => {
      if (error instanceof NeedsTransaction) return log.exclusively(orderId, work)
      throw error
    })
  }
  return attempt().catch(async (error) => {
    if (!(error instanceof Superseded)) throw error
    await applyCommand(log, orderId, superseding(error.by), (order) => supersede(order, error.by, true))
    return attempt()
  })
}

/**
 * A command on an order that has moved on since its sender saw it: a rule that changes nothing knows a repeat (cancelling twice is cancelling once),
 * which is answered in any state. Everything else is INVALID_STATE with where the order is.
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
