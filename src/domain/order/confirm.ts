import type { ConfirmOrder, ConfirmReply, LineResolution } from '../../contract/confirmOrder.ts'
import type { DocumentParse } from '../../contract/documentParse.ts'
import type { Fault } from '../../contract/errorEnvelope.ts'
import type { DecisionRecord } from '../../contract/event.ts'
import type { Gate } from '../../contract/vocabulary.ts'
import type { Instant } from '../calendar.ts'
import { answered, faultsOfAnswers } from '../document/answers.ts'
import type { ResolvedLine } from '../document/checkLines.ts'
import { openEquations, unknownEquations } from '../document/proof.ts'
import { checkTotals } from '../lines/checkTotals.ts'
import { Refusal, refuseIfAny } from '../refusal.ts'
import { cancellationBlock } from './cancel.ts'
import { type Decision, decided, type EventDraft } from './decision.ts'
import { orderClock } from './orderClock.ts'
import { currentParse, currentPlan, type OrderState } from './state.ts'
import { nextStatus } from './transitions.ts'

export interface ConfirmContext {
  gate: Gate
  now: Instant
  /** For a document order: its lines with the buyer's resolutions, checked against what is published now. */
  lines?: readonly ResolvedLine[] | undefined
}

/**
 * Confirms or rejects a parked order for the buyer, or for the acceptance band (contract, Confirm; choices, States). A proposal books its plan in
 * place: the lines of the plan become those of the order. A superseded plan is CONFLICT, an expired one STALE_RATE_CARD. A document books its
 * lines once no value is unresolved.
 */
export function confirm(order: OrderState, request: ConfirmOrder, { gate, now, lines }: ConfirmContext): Decision<ConfirmReply> {
  const status = nextStatus(order, triggerOf(order, request)) // state first: only a parked order can be confirmed
  refuseIfAny([
    ...faultsOf(request),
    ...faultsOfAnswers(parseOf(order), request.resolutions),
    ...faultsOfResolutions(order, request),
    ...faultsOfOmitted(order, request),
    ...faultsOfAcknowledge(order, request),
  ])
  refuseSuperseded(order, request)
  const { action: decision, actor, reason, acknowledge = [] } = request
  const { resolutions, answers } = answered(parseOf(order), decision === 'confirm' ? request.resolutions : [])
  const omitted = omittedOf(order, resolutions)
  const decision_record: DecisionRecord = {
    gate,
    actor,
    decision,
    ...(reason === undefined ? {} : { reason }),
    ...(acknowledge.length === 0 ? {} : { acknowledged: [...new Set(acknowledge)] }),
    ...(answers.length === 0 ? {} : { answers: [...answers] }),
    ...(omitted.length === 0 ? {} : { omitted }),
  }
  if (decision === 'confirm') {
    const kept = lines?.filter(({ line }) => !omitted.some((of) => of.line === line))
    return decided(
      [
        {
          status,
          ...(kept === undefined ? bookedBy(order, orderClock(order, now)) : bookedFrom(order, kept, acknowledge)),
          decision_record,
        },
      ],
      confirmedReply,
    )
  }
  const cancellation = cancellationBlock(order, { reason: reason ?? '', actor }, now)
  return decided([{ status, cancellation, decision_record }], confirmedReply)
}

function triggerOf({ facts }: OrderState, { action }: ConfirmOrder) {
  if (action === 'reject') return 'refuse'
  return facts.workflow === 'proposal' ? 'confirm_proposal' : 'confirm_document'
}

/** Checks that a reject has a reason (contract, Confirm). */
function faultsOf({ action, reason }: ConfirmOrder) {
  if (action !== 'reject' || reason !== undefined) return []
  return [
    { error_code: 'INVALID_INPUT' as const, field: 'reason', message: 'reason is required when the action is reject.', missing: true },
  ]
}

function parseOf(order: OrderState): Pick<DocumentParse, 'lines' | 'questions'> {
  return currentParse(order) ?? { lines: [] }
}

/** Returns the lines of the document that the buyer leaves out, in its words, for the seller to see. */
function omittedOf(order: OrderState, resolutions: readonly LineResolution[]): NonNullable<DecisionRecord['omitted']> {
  const { lines } = parseOf(order)
  return resolutions.flatMap(({ line, omit, note }) => {
    const found = omit === undefined ? undefined : lines.find((of) => of.line === line)
    return found === undefined ? [] : [{ line, read: found.read, ...(note === undefined ? {} : { note }) }]
  })
}

/** Checks that a line which is left out is not resolved as well, that only such a line has a note, and that a line is left to book. */
function faultsOfOmitted(order: OrderState, request: ConfirmOrder): Fault[] {
  const { resolutions = [] } = request
  const faults = resolutions.flatMap(({ line, omit, note, ...stated }, index): Fault[] => {
    if (line === undefined) return []
    const members = Object.values(stated).filter((value) => value !== undefined).length
    if (omit === undefined && note !== undefined)
      return [
        {
          error_code: 'INVALID_INPUT',
          field: `resolutions.${index}.note`,
          message: `Line ${line} is ordered; a note says why one is left out.`,
        },
      ]
    if (omit === undefined || members === 0) return []
    return [{ error_code: 'INVALID_INPUT', field: `resolutions.${index}.omit`, message: `Line ${line} is either left out or resolved.` }]
  })
  const { lines } = parseOf(order)
  const left = omittedOf(order, answered(parseOf(order), resolutions).resolutions)
  const isNothingLeft = request.action === 'confirm' && lines.length > 0 && left.length >= lines.length
  if (!isNothingLeft || faults.length > 0) return faults
  return [{ error_code: 'INVALID_INPUT', field: 'resolutions', message: 'Every line is left out; reject the order instead.' }]
}

/** Checks that each resolution names a different line of the document. */
function faultsOfResolutions(order: OrderState, { resolutions = [] }: ConfirmOrder): Fault[] {
  const lines = currentParse(order)?.lines ?? []
  const seen = new Set<number>()
  return resolutions.flatMap(({ line }, index) => {
    if (line === undefined) return []
    const field = `resolutions.${index}.line`
    const again = seen.has(line)
    seen.add(line)
    if (again) return [{ error_code: 'INVALID_INPUT', field, message: `Line ${line} is resolved twice.` }]
    return lines.some((found) => found.line === line)
      ? []
      : [{ error_code: 'INVALID_INPUT', field, message: `Line ${line} does not exist in a document of this order.` }]
  })
}

/** Checks that each acknowledged equation is one of the document. */
function faultsOfAcknowledge(order: OrderState, { acknowledge = [] }: ConfirmOrder): Fault[] {
  return unknownEquations(currentParse(order) ?? { totals: [] }, acknowledge).map((index) => ({
    error_code: 'INVALID_INPUT',
    field: `acknowledge.${index}`,
    message: `${acknowledge[index]} is not an equation of a document of this order.`,
  }))
}

/** Refuses a confirm or reject that names another plan than the current one, since its sender has not seen that. */
function refuseSuperseded(order: OrderState, { plan_id }: ConfirmOrder): void {
  const current = currentPlan(order)?.plan_id
  if (plan_id === undefined || plan_id === current) return
  const message =
    current === undefined ? `The order has no open plan; ${plan_id} was sent.` : `The current plan is ${current}; ${plan_id} was sent.`
  throw new Refusal('CONFLICT', message, current === undefined ? { field: 'plan_id' } : { plan_id: current })
}

/** Returns the lines of the current plan for booking. The clock decides whether it has expired, never a timer. */
function bookedBy(order: OrderState, now: Instant): Pick<EventDraft, 'units'> {
  const plan = currentPlan(order)
  if (plan === undefined) return {}
  if (Date.parse(now) > Date.parse(plan.expires_at)) {
    const { plan_id, expires_at } = plan
    throw new Refusal('STALE_RATE_CARD', `The plan ${plan_id} expired at ${expires_at}. Ask the seller for a new plan.`, {
      plan_id,
      expires_at,
    })
  }
  return { units: plan.line_items }
}

/**
 * Returns the lines of a document for booking. Refuses with all unresolved values while any line has one, or while a total that the document
 * states is not what the lines come to, unless the buyer acknowledges it (choices, Totals that do not tie).
 */
function bookedFrom(
  order: OrderState,
  lines: readonly ResolvedLine[],
  acknowledge: readonly string[],
): Pick<EventDraft, 'units' | 'line_bookings'> {
  const values = lines.flatMap((line) => line.unresolved)
  const equations = openEquations(currentParse(order) ?? { totals: [] }, lines, {
    acknowledged: acknowledge,
    currency: order.facts.currency,
  })
  if (values.length + equations.length > 0) {
    const message = [
      ...(values.length > 0 ? [`${counted(values, 'value is', 'values are')} unresolved. Send resolutions, or reject the order.`] : []),
      ...(equations.length > 0 ? [`${counted(equations, 'total does', 'totals do')} not tie. ${equations[0]?.message}`] : []),
    ].join(' ')
    throw new Refusal('INVALID_INPUT', message, {
      field: values.length > 0 ? 'resolutions' : 'acknowledge',
      unresolved: [...values, ...equations],
    })
  }
  const booked = lines.flatMap((line) => line.booked ?? [])
  const ordered = booked.map(({ result, booking }) => ({ line: result, impressions_per_unit: booking.impressions_per_unit }))
  refuseIfAny(checkTotals(ordered, [], 'The document', 'resolutions'))
  return { units: booked.map(({ result }) => result), line_bookings: booked.map(({ booking }) => booking) }
}

function counted({ length }: readonly unknown[], one: string, several: string): string {
  return length === 1 ? `One ${one}` : `${length} ${several}`
}

function confirmedReply({ facts, status, last_seq }: OrderState): ConfirmReply {
  const { order_id, workflow } = facts
  if (workflow !== 'proposal') return { order_id, status, last_seq }
  return { order_id, status, last_seq, booked_orders: status === 'canceled' ? [] : [order_id] }
}
