import type { DecideOrder } from '../../contract/decideOrder.ts'
import type { Fault } from '../../contract/errorEnvelope.ts'
import type { LineResult } from '../../contract/lineItem.ts'
import { LINES_WITH_COUNTERS } from '../../contract/vocabulary/bounds.ts'
import { invalid } from '../refusal.ts'
import { flightOf } from './checkOrder.ts'
import { type CounterTerms, faultsOfCounter } from './counter.ts'
import { isCounter } from './openCounters.ts'
import type { OrderState } from './state.ts'

type UnitEntry = NonNullable<DecideOrder['units']>[number]

/** The parts of an order that a decision is checked against. */
type Decided = Pick<OrderState, 'lines'> & { readonly request: Pick<OrderState['request'], 'flight' | 'request'> }

/** Returns every fault of a decision on an order, in body order (choices, decide). `terms` are those of its counters. */
export function faultsOfDecision(order: Decided, request: DecideOrder, terms: CounterTerms | undefined): Fault[] {
  const { decision, units = [] } = request
  if (decision === 'counter' && !units.some(({ action }) => action === 'counter')) {
    return [invalid('units', 'units must have at least one entry with the action counter when the decision is counter.')]
  }
  const counters = units.filter(({ action }) => action === 'counter').length
  if (order.lines.length + counters > LINES_WITH_COUNTERS) {
    return [invalid('units', `units must not bring the order above ${LINES_WITH_COUNTERS} lines, including the counters of every round.`)]
  }
  const seen = new Set<string>()
  return units.flatMap((entry, index) => {
    const at = `units.${index}`
    const line = order.lines.find(({ unit_id }) => unit_id === entry.unit_id)
    if (line === undefined) return [invalid(`${at}.unit_id`, `${entry.unit_id} is not a line of this order.`)]
    const faults = faultsOfEntry(order, line, request, entry, terms, at)
    const ask_id = line.in_response_to ?? line.unit_id
    if (seen.has(ask_id)) faults.push(invalid(`${at}.unit_id`, `${ask_id} is listed twice.`))
    seen.add(ask_id)
    return faults
  })
}

function faultsOfEntry(
  order: Decided,
  line: LineResult,
  { decision }: DecideOrder,
  entry: UnitEntry,
  terms: CounterTerms | undefined,
  at: string,
): Fault[] {
  const faults = isCounter(line) ? faultsOfNaming(line, entry, at) : []
  if (decision === 'reject' && entry.action !== 'reject')
    faults.push(invalid(`${at}.action`, `${at}.action must be reject when the decision is reject.`))
  if (decision === 'approve' && entry.action === 'counter')
    faults.push(invalid(`${at}.action`, `${at}.action must not be counter when the decision is approve.`))
  const { num_accepted, counter } = entry
  if (num_accepted !== undefined && entry.action !== 'accept')
    faults.push(invalid(`${at}.num_accepted`, `${at}.num_accepted is allowed only with the action accept.`))
  else if (num_accepted !== undefined && (num_accepted < 1 || num_accepted > line.units)) {
    faults.push(invalid(`${at}.num_accepted`, `${at}.num_accepted must be from 1 to ${line.units}; ${num_accepted} was sent.`))
  }
  if (counter !== undefined && entry.action !== 'counter')
    faults.push(invalid(`${at}.counter`, `${at}.counter is allowed only with the action counter.`))
  if (decision !== 'counter' || entry.action !== 'counter') return faults
  if (counter === undefined) return [...faults, { ...invalid(`${at}.counter`, `${at}.counter is required`), missing: true }]
  if (terms === undefined) return faults
  const ask = order.lines.find(({ unit_id }) => unit_id === (line.in_response_to ?? line.unit_id)) as LineResult
  return [...faults, ...faultsOfCounter(ask, counter, flightOf(order.request), terms, `${at}.counter`)]
}

/** Returns the faults of naming an open counter: the seller may replace or withdraw it by name, but only the buyer can accept it. */
function faultsOfNaming({ status, unit_id }: LineResult, { action }: UnitEntry, at: string): Fault[] {
  if (status !== 'countered') return [invalid(`${at}.unit_id`, `${unit_id} is a counter that is no longer open.`)]
  return action === 'accept' ? [invalid(`${at}.unit_id`, `${unit_id} is a counter: only the buyer can accept it.`)] : []
}
