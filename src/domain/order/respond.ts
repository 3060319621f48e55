import type { LineResult } from '../../contract/lineItem.ts'
import type { RespondOrder, RespondReply } from '../../contract/respondOrder.ts'
import type { Gate } from '../../contract/vocabulary.ts'
import { acceptLine, rejectLine } from '../lines/lineResult.ts'
import { Refusal } from '../refusal.ts'
import { cancellationBlock } from './cancel.ts'
import { type Decision, decided, type EventDraft } from './decision.ts'
import { type CounterLine, hasLapsed, isCounter, openCounters } from './openCounters.ts'
import { bookingOf, type OrderState } from './state.ts'
import { invalidState, nextStatus } from './transitions.ts'

/** Platform inputs of a response. */
export interface RespondContext {
  gate: Gate
  newSellerOrderId: string
  /** The instant at which the quotes must still be valid. */
  asOf: string
}

/**
 * Applies the buyer's answer to all open counters (contract, Respond): accept books them at their quotes, withdraw ends the order. Either way
 * the countered lines are rejected, and the event carries every line.
 */
export function respond(order: OrderState, request: RespondOrder, context: RespondContext): Decision<RespondReply> {
  if (request.action === 'counter') {
    const message = 'action must be accept or withdraw: a counter by the buyer is not supported; counter was sent.'
    throw new Refusal('INVALID_INPUT', message, { field: 'action', supported: ['accept', 'withdraw'] })
  }
  const status = nextStatus(order, request.action)
  const open = openCounters(order)
  if (open.length === 0) throw invalidState(order, 'This order has no open counter.')
  return request.action === 'accept'
    ? answered(order, accepted(order, request, open, context), status)
    : answered(order, withdrawn(order, request, context), status)
}

function accepted(order: OrderState, request: RespondOrder, open: readonly CounterLine[], context: RespondContext): Answer {
  refuseLapsed(open, context.asOf)
  const { gate, newSellerOrderId } = context
  return {
    counter: (line) => acceptLine(line, bookingOf(order, line), line.units),
    reason: null,
    more: {
      decision_record: { gate, actor: request.actor ?? order.facts.buyer_entity, decision: 'accept', ...reasonOf(request) },
      seller_order_id: order.seller_order_id ?? newSellerOrderId,
    },
  }
}

function withdrawn(order: OrderState, request: RespondOrder, { asOf }: RespondContext): Answer {
  const said = { reason: request.reason ?? 'buyer_withdrew', actor: request.actor ?? order.facts.buyer_entity }
  const reason = request.reason ?? null
  return { counter: (line) => rejectLine(line, reason), reason, more: { cancellation: cancellationBlock(order, said, asOf) } }
}

interface Answer {
  /** Maps an open counter to its result. */
  counter: (line: LineResult) => LineResult
  /** The reason recorded on the countered lines. */
  reason: string | null
  more: Pick<EventDraft, 'decision_record' | 'seller_order_id' | 'cancellation'>
}

function answered(order: OrderState, { counter, reason, more }: Answer, status: EventDraft['status']): Decision<RespondReply> {
  const open = order.lines.filter((line) => line.status === 'countered')
  const units = order.lines.map((line) => {
    if (line.status !== 'countered') return line
    return isCounter(line) ? counter(line) : rejectLine(line, reason)
  })
  const resolved = units.filter(({ unit_id }) => open.some((line) => line.unit_id === unit_id))
  const count = (of: LineResult['status']) => resolved.filter((line) => line.status === of).length
  const counts = { units_accepted: count('accepted'), units_rejected: count('rejected') }
  return decided([{ status, units, ...more }], (after) => ({
    order_id: after.facts.order_id,
    status: after.status,
    last_seq: after.last_seq,
    ...counts,
  }))
}

/** Refuses an accept if any quote has lapsed, since the buyer accepts all counters or none (contract, Limits: within the window of the quotes). */
function refuseLapsed(open: readonly CounterLine[], asOf: string): void {
  const lapsed = open
    .filter((line) => hasLapsed(line, asOf))
    .sort((a, b) => (a.counter.quote_expires_at < b.counter.quote_expires_at ? -1 : 1))
  const [first] = lapsed
  if (first === undefined) return
  const { locked_rate_id, counter } = first
  throw new Refusal('STALE_RATE_CARD', `The quote lapsed at ${counter.quote_expires_at}. Ask the seller for a new counter.`, {
    locked_rate_id,
    locked_rate_ids: lapsed.map((line) => line.locked_rate_id),
    quote_expires_at: counter.quote_expires_at,
  })
}

function reasonOf({ reason }: RespondOrder): { reason?: string } {
  return reason === undefined ? {} : { reason }
}
