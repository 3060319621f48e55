import type { DecideOrder, DecideReply } from '../../contract/decideOrder.ts'
import type { Gate } from '../../contract/vocabulary.ts'
import type { CounterTerms } from '../../domain/order/counter.ts'
import { decide, decidedReply } from '../../domain/order/decide.ts'
import { unchanged } from '../../domain/order/decision.ts'
import { newId } from '../../store/connection/newId.ts'
import type { Command } from '../../store/orders/command.ts'
import { type Answer, answerCommand, type Decide } from './applyCommand.ts'
import type { OrderDeps } from './orderDeps.ts'

/** A decision and its gate. */
export interface GateDecision {
  gate: Gate
  request: DecideOrder
  /** The state of the order when a slow gate was asked. Once the order has moved on, the gate's answer no longer applies. */
  asked_at_seq?: number
}

/**
 * Decides for the seller through any gate. The API, the console, the rules and a seller's own API all use this one command, so that they
 * cannot disagree.
 */
export function decideOrder(
  { log }: Pick<OrderDeps, 'log'>,
  orderId: string,
  command: Command,
  decision: GateDecision,
): Promise<Answer<DecideReply>> {
  return answerCommand(log, orderId, commandOf(command, decision), decidedBy(decision))
}

/** Returns the command with what its decision reads: counters read their terms. */
export function commandOf(command: Command, { request }: GateDecision): Command {
  return request.decision === 'counter' ? { ...command, reads: 'terms' } : command
}

/** Returns the rule of a decision, with the ids that it may need. */
export function decidedBy({ gate, request, asked_at_seq }: GateDecision): Decide<DecideReply> {
  const newSellerOrderId = newId('so_')
  const ids = idsOfCounters(request)
  return (order, now, { terms }) => {
    if (asked_at_seq !== undefined && order.last_seq !== asked_at_seq) return unchanged(decidedReply)
    const counters = terms === undefined ? {} : { counters: { ...terms, ids, now } }
    return decide(order, request, { gate, newSellerOrderId, ...counters })
  }
}

/** Generates ids for the units and prices that counters create. */
function idsOfCounters({ units = [] }: DecideOrder): CounterTerms['ids'] {
  return units.flatMap(({ action }) => (action === 'counter' ? [{ unit_id: newId('unit_'), locked_rate_id: newId('lr_') }] : []))
}
