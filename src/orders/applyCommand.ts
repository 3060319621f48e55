import type { Instant } from '../domain/calendar.ts'
import type { Decision } from '../domain/order/decision.ts'
import type { OrderHead } from '../domain/order/head.ts'
import type { OrderState } from '../domain/order/state.ts'
import { supersede } from '../domain/order/supersede.ts'
import { invalidState } from '../domain/order/transitions.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Tx } from '../store/connection/database.ts'
import type { OrderMarket } from '../store/orders/loadOrders.ts'
import type { Command, Held, LockedOrder, OrderLog } from '../store/orders/orderLog.ts'
import { carryOut, NeedsTransaction, Superseded, superseding } from './carryOut.ts'

/**
 * Loads, decides, locks and appends, or does all of it under the lock when the order is contended. Every command changes an order through
 * this function, with its own pure rule. A repeated command returns its first outcome. `also` writes whatever else follows from the events;
 * it runs in their transaction, before them. The quotes that events cite, and the end of those that they withdraw, are written with them.
 * The agreement's cap limits the credit that they draw. Errors: Refusal NOT_FOUND, and any refusal of the rule.
 */
export async function applyCommand<Outcome, D extends Decision<Outcome> = Decision<Outcome>>(
  log: OrderLog,
  orderId: string,
  command: Command,
  decide: Decide<Outcome, D>,
  also?: Also<D>,
): Promise<Outcome> {
  return (await apply(log, orderId, command, decide, also)).outcome
}

/** Does the same for a step of the order's workflow, which continues from the returned head and the market's answer. */
export async function applyStep<Outcome>(
  log: OrderLog,
  orderId: string,
  command: Command,
  decide: Decide<Outcome, Decision<Outcome>>,
): Promise<Pick<Applied<Outcome>, 'head' | 'market'>> {
  return apply(log, orderId, command, decide)
}

/** The rule of a command. `published` is filled for a command that reads it. */
type Decide<Outcome, D> = (order: OrderState, now: Instant, published: Published) => D & Decision<Outcome>
type Published = Pick<LockedOrder, 'market' | 'terms'>
type Also<D> = (tx: Tx, decision: D, after: OrderState) => Promise<void>

interface Applied<Outcome> {
  outcome: Outcome
  /** The head after the command. */
  head: OrderHead
  market: OrderMarket | undefined
}

async function apply<Outcome, D extends Decision<Outcome>>(
  log: OrderLog,
  orderId: string,
  command: Command,
  decide: Decide<Outcome, D>,
  also?: Also<D>,
): Promise<Applied<Outcome>> {
  const work = async (locked: LockedOrder, held?: Held): Promise<Applied<Outcome>> => {
    const { order, head, market, stored } = locked
    refuseForeign(order, command.by)
    const id = typeof command.id === 'string' ? command.id : command.id(order.last_seq)
    const answered = (outcome: Outcome): Applied<Outcome> => ({ outcome, head, market })
    if (stored !== undefined && (stored.command_id === id || stored.last_seq === order.last_seq)) return answered(JSON.parse(stored.text))
    const now = new Date().toISOString()
    const decideNow = () => decide(order, now, locked)
    if (command.isSeen?.(order.last_seq) === false) {
      return answered(stored === undefined ? repeatedOrMoved(order, decideNow) : JSON.parse(stored.text))
    }
    const decision = refusedAsRepeat(decideNow, stored !== undefined)
    if (decision === 'repeat') return answered(JSON.parse((stored as { text: string }).text))
    // A rule may recognize a repeat itself, in any later state of the order.
    if (stored !== undefined && decision.events.length === 0) return answered(JSON.parse(stored.text))
    const done = await carryOut(locked, { ...command, id }, decision, now, held, also)
    return { ...done, market }
  }
  const attempt = (): Promise<Applied<Outcome>> => {
    if (also !== undefined) return log.exclusively(orderId, work, command)
    return log.change(orderId, work, command).catch((error) => {
      if (error instanceof NeedsTransaction) return log.exclusively(orderId, work, command)
      throw error
    })
  }
  return attempt().catch(async (error) => {
    if (!(error instanceof Superseded)) throw error
    await applyCommand(log, orderId, superseding(error.by), (order) => supersede(order, error.by, true))
    return attempt()
  })
}

/** Loads the order of a command before it is applied. Errors: Refusal NOT_FOUND if there is no such order or it is another tenant's. */
export async function loadOwn(log: OrderLog, orderId: string, { by }: Pick<Command, 'by'>): Promise<OrderState> {
  const order = await log.load(orderId)
  if (order === undefined) throw new Refusal('NOT_FOUND', 'There is no such order.')
  refuseForeign(order, by)
  return order
}

/**
 * Refuses an order to every tenant other than its owner. Concurrent requests load their orders in one statement, in the sight of all who
 * ask, so only this check hides an order from strangers.
 */
function refuseForeign({ request, facts }: OrderState, by: Command['by']): void {
  if (by === undefined || by.entity === (by.side === 'buyer' ? facts.buyer_entity : request.seller)) return
  throw new Refusal('NOT_FOUND', 'There is no such order.')
}

/**
 * Handles a command on an order that has moved on since its sender saw it. A rule that changes nothing recognizes a repeat (canceling twice
 * is canceling once), which is answered in any state. Everything else is INVALID_STATE and reports where the order is.
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

/** Recognizes a repeat that the order has moved past (approved, then canceled, then approved again by a retry): it is still a repeat. */
function refusedAsRepeat<D>(decide: () => D, isRepeat: boolean): D | 'repeat' {
  try {
    return decide()
  } catch (error) {
    if (isRepeat && error instanceof Refusal && error.code === 'INVALID_STATE') return 'repeat'
    throw error
  }
}
