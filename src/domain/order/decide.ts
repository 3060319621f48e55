import type { DecideOrder, DecideReply } from '../../contract/decideOrder.ts'
import type { LineResult } from '../../contract/lineItem.ts'
import type { Gate } from '../../contract/vocabulary.ts'
import { checkGross } from '../lines/checkTotals.ts'
import { acceptLine, counteredLine, rejectLine } from '../lines/lineResult.ts'
import { refuseIfAny } from '../refusal.ts'
import { type CounterTerms, type MadeCounter, makeCounter } from './counter.ts'
import { type Decision, decided } from './decision.ts'
import { faultsOfDecision } from './decisionFaults.ts'
import { exposureOf } from './exposure.ts'
import { isCounter } from './openCounters.ts'
import { bookingOf, type OrderState } from './state.ts'
import { nextStatus } from './transitions.ts'

/** Platform inputs of a decision: its gate, a seller order id if the seller sends none, and the terms for counters. */
export interface DecideContext {
  gate: Gate
  newSellerOrderId: string
  /** Required if the decision has counters. */
  counters?: CounterTerms
}

type UnitEntry = NonNullable<DecideOrder['units']>[number]

/**
 * Applies the seller's decision, in the first or a later round (contract, Decide; choices, decide). Undecided lines that are not named follow the
 * decision. In a later round unnamed lines keep their state, except that `approve` accepts every line with an open counter, and `reject`
 * rejects all. The event carries every line, so the receipt is a projection of that one event.
 */
export function decide(order: OrderState, request: DecideOrder, context: DecideContext): Decision<DecideReply> {
  nextStatus(order, request.decision) // state first: any decision on an order past this step is INVALID_STATE
  refuseIfAny(faultsOfDecision(order, request, context.counters))
  const named = entriesByRequest(order, request)
  const made = countersOf(order, named, context.counters)
  const lines = [...order.lines.map((line) => decideLine(order, line, named, request)), ...made.map(({ line }) => line)]
  const bookings = [...order.bookings, ...made.map(({ booking }) => booking)]
  if (made.length > 0)
    refuseIfAny(checkGross(exposureOf({ lines, bookings }), order.facts.currency, 'The order with its counters', 'units'))
  const has = (status: LineResult['status']) => lines.some((line) => line.status === status)
  const status = nextStatus(order, has('countered') ? 'counter' : has('accepted') ? 'approve' : 'reject')
  const { actor, decision, reason, seller_order_id } = request
  const decision_record = {
    gate: context.gate,
    actor,
    decision,
    ...(reason === undefined ? {} : { reason }),
    ...(status === 'negotiating' && seller_order_id !== undefined ? { seller_order_id } : {}),
  }
  const receipt = status === 'placed' ? { seller_order_id: seller_order_id ?? order.seller_order_id ?? context.newSellerOrderId } : {}
  const fixed = made.length === 0 ? {} : { line_bookings: made.map(({ booking }) => booking) }
  return decided(
    [{ status, units: lines, decision_record, ...fixed, ...receipt }],
    decidedReply,
    made.map(({ quote }) => quote),
  )
}

/** Returns line counts of the whole order after this step. A line and its open counter count as two. */
export function decidedReply({ facts, status, last_seq, lines }: OrderState): DecideReply {
  const count = (of: LineResult['status']) => lines.filter((line) => line.status === of).length
  return {
    order_id: facts.order_id,
    status,
    last_seq,
    units_accepted: count('accepted'),
    units_countered: count('countered'),
    units_rejected: count('rejected'),
  }
}

/** Maps entries to the buyer's lines. An entry may name a line or its open counter; both mean the line. */
function entriesByRequest(order: OrderState, { units = [] }: DecideOrder): Map<string, UnitEntry> {
  const askOf = new Map(order.lines.map((line) => [line.unit_id, line.in_response_to ?? line.unit_id]))
  return new Map(units.map((entry) => [askOf.get(entry.unit_id) as string, entry]))
}

function countersOf(order: OrderState, named: ReadonlyMap<string, UnitEntry>, terms: CounterTerms | undefined): MadeCounter[] {
  const entries = [...named].flatMap(([unit_id, { action, counter }]) => (action === 'counter' && counter ? [{ unit_id, counter }] : []))
  return entries.map(({ unit_id, counter }, index) => {
    const ids = terms?.ids[index]
    if (terms === undefined || ids === undefined) throw new Error('a counter was decided without its terms')
    const ask = order.lines.find((line) => line.unit_id === unit_id) as LineResult
    return makeCounter(ask, counter, ids, bookingOf(order, ask).impressions_per_unit, terms)
  })
}

function decideLine(order: OrderState, line: LineResult, named: ReadonlyMap<string, UnitEntry>, request: DecideOrder): LineResult {
  const entry = named.get(line.in_response_to ?? line.unit_id)
  const reason = entry?.reason ?? request.reason ?? null
  if (isCounter(line)) {
    const staysOpen = line.status === 'countered' && entry === undefined && request.decision === 'counter'
    return staysOpen || (line.status === 'rejected' && request.decision !== 'reject') ? line : rejectLine(line, reason)
  }
  switch (entry?.action ?? unnamed(line, request.decision)) {
    case 'accept':
      return { ...acceptLine(line, bookingOf(order, line), entry?.num_accepted ?? line.units), reason: entry?.reason ?? null }
    case 'reject':
      return rejectLine(line, reason)
    case 'counter':
      return counteredLine(line, reason)
    case 'keep':
      return line
  }
}

/** Returns what a decision means for a line that it does not name. */
function unnamed({ status }: LineResult, decision: DecideOrder['decision']): UnitEntry['action'] | 'keep' {
  if (decision === 'reject') return 'reject'
  if (status === 'pending') return 'accept'
  return status === 'countered' && decision === 'approve' ? 'accept' : 'keep'
}
