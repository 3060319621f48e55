import type { Instant } from '../../domain/calendar.ts'
import type { Decision } from '../../domain/order/decision.ts'
import type { OrderHead } from '../../domain/order/head.ts'
import { type Ruling, repeatOf } from '../../domain/order/repeatOf.ts'
import type { OrderState } from '../../domain/order/state.ts'
import { supersede } from '../../domain/order/supersede.ts'
import { invalidState } from '../../domain/order/transitions.ts'
import { writesOf } from '../../domain/order/writesOf.ts'
import { asRefusal, Refusal } from '../../domain/refusal.ts'
import type { Command, Lock } from '../../store/orders/command.ts'
import type { OrderMarket } from '../../store/orders/loadOrders.ts'
import type { Appendable } from '../../store/orders/openOrder.ts'
import type { OrderLog } from '../../store/orders/orderLog.ts'
import { familyToPlaceIn } from './familyToPlaceIn.ts'
import { superseding, write } from './write.ts'

/** The rule of a command. `published` is filled for a command that reads it. */
export type Decide<Outcome> = (order: OrderState, now: Instant, published: Published) => Decision<Outcome>
type Published = Pick<Appendable, 'market' | 'terms'>

interface Applied<Outcome> {
  outcome: Outcome
  /** Whether the outcome is that of an earlier command. */
  repeated: boolean
  /** The head after the command. */
  head: OrderHead
  market: OrderMarket | undefined
}

/** The answer to a command, and whether it is that of an earlier one. */
export type Answer<Outcome> = Pick<Applied<Outcome>, 'outcome' | 'repeated'>

/** Applies a command to an order and returns its outcome; a repeated command returns its first one. Errors: as `applyStep`. */
export async function applyCommand<Outcome>(log: OrderLog, orderId: string, command: Command, decide: Decide<Outcome>): Promise<Outcome> {
  return (await applyStep(log, orderId, command, decide)).outcome
}

/** Applies a command to an order for a caller, who is told whether the answer is a repeat. Errors: as `applyStep`. */
export async function answerCommand<Outcome>(
  log: OrderLog,
  orderId: string,
  command: Command,
  decide: Decide<Outcome>,
): Promise<Answer<Outcome>> {
  const { outcome, repeated } = await applyStep(log, orderId, command, decide)
  return { outcome, repeated }
}

/**
 * The path of every change of an order, each with its own pure rule: load, answer a repeat, decide, append; and again under the order's lock
 * if the order has moved meanwhile or there is more to write than one statement can. Errors: Refusal NOT_FOUND for an order that is not the
 * caller's, INVALID_STATE if it has moved on since its sender saw it, CREDIT_LIMIT, and any refusal of the rule.
 */
export async function applyStep<Outcome>(
  log: OrderLog,
  orderId: string,
  command: Command,
  decide: Decide<Outcome>,
): Promise<Applied<Outcome>> {
  for (let lock: Lock = command.lock ?? 'optimistic'; ; ) {
    const open = await log.open(orderId, lock, command)
    try {
      const { order, head, market } = open
      refuseForeign(order, command)
      const identified = identify(command, order)
      const now = new Date().toISOString()
      const ruling = once(() => rulingOf(() => decide(order, now, open)))

      const repeated = repeatOf(open, identified, ruling)
      if (repeated !== undefined) return { ...repeated, repeated: true, head, market }
      refuseUnseen(order, command)
      const decision = ruling()
      if (decision instanceof Refusal) throw decision

      const family = await familyToPlaceIn(open, decision)
      if (family.successor !== undefined) {
        // A revision was placed, and its closing has not ended this order yet: the order ends first, and the rule then sees it ended.
        const ended = writesOf(open, supersede(order, family.successor, true), now)
        await write(open, superseding(family.successor), ended)
        lock = command.lock ?? 'optimistic'
        continue
      }
      const writes = writesOf(open, decision, now, family)
      const written = await write(open, identified, writes)
      if (written.kind === 'written') return { outcome: writes.outcome, repeated: false, head: written.head, market }
      lock = 'held'
    } finally {
      await open.close()
    }
  }
}

/** Loads the order of a command before it is applied. Errors: Refusal NOT_FOUND if there is no such order or it is another tenant's. */
export async function loadOwn(log: OrderLog, orderId: string, command: Pick<Command, 'by'>): Promise<OrderState> {
  const order = await log.load(orderId)
  if (order === undefined) throw new Refusal('NOT_FOUND', 'There is no such order.')
  refuseForeign(order, command)
  return order
}

/**
 * Refuses an order to every tenant other than its owner. Concurrent requests load their orders in one statement, in the scope of all who
 * ask, so only this check hides an order from strangers.
 */
export function refuseForeign({ request, facts }: OrderState, { by }: Pick<Command, 'by'>): void {
  if (by === undefined || by.entity === (by.side === 'buyer' ? facts.buyer_entity : request.seller)) return
  throw new Refusal('NOT_FOUND', 'There is no such order.')
}

/** Refuses a command on an order that has moved on since its sender saw it (choices, If-Match). */
export function refuseUnseen(order: OrderState, { isSeen }: Pick<Command, 'isSeen'>): void {
  if (isSeen?.(order.last_seq) !== false) return
  throw invalidState(order, `The order has moved on to ${order.last_seq} since you saw it: read it again.`)
}

/** Returns the command with its id, which may depend on where the order is. */
export function identify(command: Command, { last_seq }: Pick<OrderState, 'last_seq'>): Command & { id: string } {
  return { ...command, id: typeof command.id === 'string' ? command.id : command.id(last_seq) }
}

/** Returns a rule's decision, or its refusal as a value. */
export function rulingOf<Outcome>(decide: () => Decision<Outcome>): Ruling<Outcome> {
  try {
    return decide()
  } catch (error) {
    return asRefusal(error)
  }
}

/** Returns a function that computes its value at its first call. */
function once<T extends object>(compute: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= compute()
    return value
  }
}
