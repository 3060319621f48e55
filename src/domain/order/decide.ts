import type { DecideOrder, DecideReply } from '../../contract/decideOrder.ts'
import type { Fault } from '../../contract/errorEnvelope.ts'
import type { LineBooking } from '../../contract/event.ts'
import type { LineResult } from '../../contract/lineItem.ts'
import type { Gate } from '../../contract/vocabulary.ts'
import { acceptLine, rejectLine } from '../lines/lineResult.ts'
import { refuseIfAny } from '../refusal.ts'
import { type Decision, decided } from './decision.ts'
import type { OrderState } from './state.ts'
import { nextStatus } from './transitions.ts'

/** What the platform adds to a decision: through what it came, and the seller's order id when the seller names none. */
export interface DecideContext {
  gate: Gate
  newSellerOrderId: string
}

type UnitEntry = NonNullable<DecideOrder['units']>[number]

/**
 * The seller decides (spec, States; choices, decide). Lines not named follow the decision: accepted in full under `approve`, rejected under
 * `reject`. Every line rides the event, so that the receipt is a projection of that one event.
 */
export function decide(order: OrderState, ask: DecideOrder, { gate, newSellerOrderId }: DecideContext): Decision<DecideReply> {
  nextStatus(order, ask.decision) // state first: a decision on an order that is past it is INVALID_STATE, whatever it says
  refuseIfAny(faultsOfDecision(order, ask))
  const named = new Map((ask.units ?? []).map((entry) => [entry.unit_id, entry]))
  const lines = order.lines.map((line) => decideLine(order, line, named.get(line.unit_id), ask))
  const placed = lines.some((line) => line.status === 'accepted')
  const status = nextStatus(order, placed ? 'approve' : 'reject')
  const decision_record = { gate, actor: ask.actor, decision: ask.decision, ...(ask.reason === undefined ? {} : { reason: ask.reason }) }
  const receipt = placed ? { seller_order_id: ask.seller_order_id ?? newSellerOrderId } : {}
  return decided([{ status, units: lines, decision_record, ...receipt }], decidedReply)
}

/** Counts of lines after this step, over the whole order. */
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

function decideLine(order: OrderState, line: LineResult, entry: UnitEntry | undefined, ask: DecideOrder): LineResult {
  const action = entry?.action ?? (ask.decision === 'reject' ? 'reject' : 'accept')
  if (action === 'reject') return rejectLine(line, ask.reason ?? null)
  const booking = order.bookings.find(({ unit_id }) => unit_id === line.unit_id) as LineBooking
  return acceptLine(line, booking, entry?.num_accepted ?? line.units)
}

function faultsOfDecision(order: OrderState, ask: DecideOrder): Fault[] {
  if (ask.decision === 'counter') {
    const message = 'This seller does not negotiate: approve or reject, or accept fewer units of a line.'
    return [{ error_code: 'INVALID_INPUT', field: 'decision', message, details: { supported: ['approve', 'reject'] } }]
  }
  const seen = new Set<string>()
  return (ask.units ?? []).flatMap((entry, index) => {
    const faults = faultsOfEntry(order, ask, entry, `units.${index}`)
    if (seen.has(entry.unit_id)) faults.push(invalid(`units.${index}.unit_id`, `${entry.unit_id} stands twice.`))
    seen.add(entry.unit_id)
    return faults
  })
}

function faultsOfEntry(order: OrderState, ask: DecideOrder, entry: UnitEntry, at: string): Fault[] {
  const line = order.lines.find(({ unit_id }) => unit_id === entry.unit_id)
  if (line === undefined) return [invalid(`${at}.unit_id`, `${entry.unit_id} is not a line of this order.`)]
  const faults: Fault[] = []
  if (ask.decision === 'reject' && entry.action !== 'reject') faults.push(invalid(`${at}.action`, 'Under reject every entry rejects.'))
  if (ask.decision === 'approve' && entry.action === 'counter') faults.push(invalid(`${at}.action`, 'Under approve no entry counters.'))
  const { num_accepted } = entry
  if (num_accepted !== undefined && entry.action !== 'accept') faults.push(invalid(`${at}.num_accepted`, 'num_accepted belongs to accept.'))
  else if (num_accepted !== undefined && (num_accepted < 1 || num_accepted > line.units)) {
    faults.push(invalid(`${at}.num_accepted`, `num_accepted must lie in 1 to ${line.units}.`))
  }
  if (entry.counter !== undefined && entry.action !== 'counter')
    faults.push(invalid(`${at}.counter`, 'A counter belongs to the action counter.'))
  return faults
}

function invalid(field: string, message: string): Fault {
  return { error_code: 'INVALID_INPUT', field, message }
}
