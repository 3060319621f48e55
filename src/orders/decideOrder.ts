import type { DecideOrder, DecideReply } from '../contract/decideOrder.ts'
import type { Gate } from '../contract/vocabulary.ts'
import type { Instant } from '../domain/calendar.ts'
import { decide, decidedReply } from '../domain/order/decide.ts'
import { unchanged } from '../domain/order/decision.ts'
import type { OrderState } from '../domain/order/state.ts'
import { newId } from '../store/newId.ts'
import type { Command, OrderLog } from '../store/orderLog.ts'
import { applyCommand } from './applyCommand.ts'

/** Through what a decision comes, and what it is of the order as it stands; undefined leaves the order as it is. */
export interface GateDecision {
  gate: Gate
  ask: (order: OrderState, now: Instant) => DecideOrder | undefined
}

/** The seller decides, through whichever gate: the one command of the API, the console, the rules and a seller's own API, so that they cannot disagree. */
export async function decideOrder(log: OrderLog, orderId: string, command: Command, { gate, ask }: GateDecision): Promise<DecideReply> {
  const newSellerOrderId = newId('so_')
  return applyCommand(log, orderId, command, (order, now) => {
    const decision = ask(order, now)
    return decision === undefined ? unchanged(decidedReply) : decide(order, decision, { gate, newSellerOrderId })
  })
}
