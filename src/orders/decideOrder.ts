import type { DecideOrder, DecideReply } from '../contract/decideOrder.ts'
import type { Gate } from '../contract/vocabulary.ts'
import type { Instant } from '../domain/calendar.ts'
import type { CounterTerms } from '../domain/order/counter.ts'
import { decide, decidedReply } from '../domain/order/decide.ts'
import { type Decision, unchanged } from '../domain/order/decision.ts'
import type { OrderState } from '../domain/order/state.ts'
import type { Tx } from '../store/connection/database.ts'
import { newId } from '../store/connection/newId.ts'
import type { Command, LockedOrder } from '../store/orders/orderLog.ts'
import { applyCommand } from './applyCommand.ts'
import type { OrderDeps } from './orderDeps.ts'

/** A decision and its gate. A gate that reads the order first gives a function of it, whose undefined leaves the order unchanged. */
export interface GateDecision {
  gate: Gate
  ask: DecideOrder | ((order: OrderState, now: Instant) => Uncountered | undefined)
  /** The state of the order when a slow gate was asked. Once the order has moved on, the gate's answer no longer applies. */
  asked_at_seq?: number
}
type Uncountered = DecideOrder & { decision: Exclude<DecideOrder['decision'], 'counter'> }

/**
 * Decides for the seller through any gate. The API, the console, the rules and a seller's own API all use this one command, so that they
 * cannot disagree. `also` is written in the decision's transaction.
 */
export async function decideOrder(
  { log }: OrderDeps,
  orderId: string,
  command: Command,
  { gate, ask, asked_at_seq }: GateDecision,
  also?: (tx: Tx, decision: Decision<DecideReply>, after: OrderState) => Promise<void>,
): Promise<DecideReply> {
  const newSellerOrderId = newId('so_')
  const ids = typeof ask === 'object' && ask.decision === 'counter' ? idsOfCounters(ask) : undefined
  const decided = (order: OrderState, now: Instant, { terms }: Pick<LockedOrder, 'terms'>) => {
    if (asked_at_seq !== undefined && order.last_seq !== asked_at_seq) return unchanged(decidedReply)
    const decision = typeof ask === 'object' ? ask : ask(order, now)
    if (decision === undefined) return unchanged(decidedReply)
    const counters = ids === undefined || terms === undefined ? {} : { counters: { ...terms, ids, now } }
    return decide(order, decision, { gate, newSellerOrderId, ...counters })
  }
  return applyCommand(log, orderId, ids === undefined ? command : { ...command, reads: 'terms' }, decided, also)
}

/** Generates ids for the units and prices that counters create. */
function idsOfCounters({ units = [] }: DecideOrder): CounterTerms['ids'] {
  return units.flatMap(({ action }) => (action === 'counter' ? [{ unit_id: newId('unit_'), locked_rate_id: newId('lr_') }] : []))
}
