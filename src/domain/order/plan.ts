import type { Fault } from '../../contract/errorEnvelope.ts'
import type { PlanOrder, PlanReply } from '../../contract/planOrder.ts'
import type { BandVerdict } from '../../contract/vocabulary.ts'
import type { Instant } from '../calendar.ts'
import { jsonNumber } from '../decimal.ts'
import { evaluateBand } from '../proposal/acceptanceBand.ts'
import { type PlanIds, type PlannedLines, type PlanTerms, planLines } from '../proposal/planLines.ts'
import { Refusal, refuseIfAny } from '../refusal.ts'
import { confirm } from './confirm.ts'
import { type Decision, decided, type EventDraft, stampEvents, unchanged } from './decision.ts'
import type { OrderState } from './state.ts'
import { nextStatus } from './transitions.ts'

/** Platform inputs of a plan. */
export interface PlanContext extends PlanIds {
  now: Instant
  /** The id of the plan, used unless the seller sends one. */
  plan_id: string
  /** The hash of the bytes that the seller sent. */
  sha256: string
  /** True if a confirm would exceed the agreement's credit. The band then does not confirm; the buyer can once there is credit. */
  beyond_credit?: boolean
}

/**
 * Applies a seller's plan for a proposal, which supersedes the previous one (contract, Plan proposal; choices, Proposals and plans). A satisfied acceptance
 * band with the action auto_accept confirms immediately. A plan_id sent with other bytes is CONFLICT. An invalid plan changes nothing and is
 * refused with all of its faults.
 */
export function plan(order: OrderState, request: PlanOrder, terms: PlanTerms, context: PlanContext): Decision<PlanReply> {
  const plan_id = request.plan_id ?? context.plan_id
  const earlier = order.plans.find((known) => known.plan_id === plan_id)
  if (earlier?.sha256 === context.sha256) return unchanged(planReply(plan_id, { acceptance_band: null }))
  const status = order.facts.workflow === 'proposal' ? nextStatus(order, 'plan') : refuseOtherWorkflow(order)
  if (earlier !== undefined) {
    const message = `The plan ${plan_id} was already sent with other content, and a plan never changes. Send a new plan under another plan_id.`
    throw new Refusal('CONFLICT', message, { field: 'plan_id', plan_id })
  }
  const { faults, earliest, planned } = planLines(request.line_items, terms, context)
  refuseIfAny([...faults, ...checkExpiry(request, earliest, context.now)])
  const band = order.request.request === undefined ? null : evaluateBand(order.request.request, request.plan_totals, planned.exactGross)
  const computed_gross = jsonNumber(planned.gross)
  const reason = band?.reason === undefined ? {} : { acceptance_band_reason: band.reason }
  const draft: EventDraft = {
    status,
    ...(band === null ? {} : { acceptance_band: band.verdict, ...reason }),
    computed_gross,
    line_bookings: planned.bookings,
    artifact: artifactOf(request, plan_id, planned, context.sha256),
  }
  const events = [draft, ...confirmedByBand(order, draft, band?.verdict ?? null, plan_id, context)]
  const said = { acceptance_band: band?.verdict ?? null, ...reason, computed_gross }
  return { ...decided(events, planReply(plan_id, said), planned.quotes), minted: planned.minted }
}

function refuseOtherWorkflow({ status, last_seq, facts }: OrderState): never {
  throw new Refusal('INVALID_STATE', `A ${facts.workflow} order does not accept a plan.`, { status, last_seq })
}

/** Checks that a plan expires in the future and not after a price that it cites, since it could not be confirmed then (contract, Plan proposal). */
function checkExpiry({ expires_at }: PlanOrder, earliest: Instant | undefined, now: Instant): Fault[] {
  const field = 'expires_at'
  if (earliest !== undefined && Date.parse(expires_at) > Date.parse(earliest)) {
    const message = `expires_at must not be after ${earliest}, when the first cited price lapses.`
    return [{ error_code: 'INVALID_INPUT', field, message, details: { earliest_quote_expires_at: earliest } }]
  }
  return Date.parse(expires_at) > Date.parse(now)
    ? []
    : [{ error_code: 'INVALID_INPUT', field, message: 'expires_at must be in the future.' }]
}

function artifactOf(
  { actor, plan_totals, unmet = [], expires_at }: PlanOrder,
  plan_id: string,
  { lines, gross }: PlannedLines,
  sha256: string,
) {
  const who = actor === undefined ? {} : { actor }
  const computed_gross = jsonNumber(gross)
  return { name: 'plan_proposal' as const, plan_id, ...who, line_items: lines, plan_totals, computed_gross, unmet, expires_at, sha256 }
}

/** Returns the confirm that a satisfied band issues for the buyer. */
function confirmedByBand(
  order: OrderState,
  planned: EventDraft,
  band: BandVerdict | null,
  plan_id: string,
  { now, beyond_credit }: PlanContext,
): EventDraft[] {
  if (band !== 'satisfied' || beyond_credit || order.request.request?.acceptance_band?.action !== 'auto_accept') return []
  const { after } = stampEvents(order, [planned], now)
  const request = { action: 'confirm', actor: 'acceptance_band', plan_id } as const
  return confirm(after, request, { gate: 'acceptance_band', now }).events.map((event) => ({ ...event, acceptance_band: band }))
}

function planReply(plan_id: string, said: Pick<PlanReply, 'acceptance_band' | 'acceptance_band_reason' | 'computed_gross'>) {
  return ({ facts, status, last_seq }: OrderState): PlanReply => ({ order_id: facts.order_id, plan_id, status, last_seq, ...said })
}
