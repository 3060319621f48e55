import type { ConfirmOrder, ConfirmReply } from '../../contract/confirmOrder.ts'
import type { DecisionRecord } from '../../contract/event.ts'
import type { Gate } from '../../contract/vocabulary.ts'
import type { Instant } from '../calendar.ts'
import { Refusal, refuseIfAny } from '../refusal.ts'
import { cancellationBlock } from './cancel.ts'
import { type Decision, decided, type EventDraft } from './decision.ts'
import { type OrderState, standingPlan } from './state.ts'
import { nextStatus } from './transitions.ts'

/**
 * The buyer, or the acceptance band in its place, confirms or rejects a parked order (spec, States; choices, States). A proposal books its
 * plan in place: the plan's lines become the order's. A plan that was superseded is CONFLICT, one that has expired STALE_RATE_CARD.
 */
export function confirm(order: OrderState, ask: ConfirmOrder, { gate, now }: { gate: Gate; now: Instant }): Decision<ConfirmReply> {
  const status = nextStatus(order, triggerOf(order, ask)) // state first: a parked order alone can be confirmed, whatever is said
  refuseIfAny(faultsOf(ask))
  refuseSuperseded(order, ask)
  const { action: decision, actor, reason } = ask
  const decision_record: DecisionRecord = { gate, actor, decision, ...(reason === undefined ? {} : { reason }) }
  if (decision === 'confirm') return decided([{ status, ...bookedBy(order, now), decision_record }], confirmedReply)
  const cancellation = cancellationBlock(order, { reason: reason ?? '', actor }, now)
  return decided([{ status, cancellation, decision_record }], confirmedReply)
}

function triggerOf({ facts }: OrderState, { action }: ConfirmOrder) {
  if (action === 'reject') return 'refuse'
  return facts.workflow === 'proposal' ? 'confirm_proposal' : 'confirm_document'
}

/** An empty reason is none, as an empty advertiser_id is (spec, Buyer: orders; Create rule 1). */
function faultsOf({ action, reason }: ConfirmOrder) {
  if (action !== 'reject' || (reason !== undefined && reason !== '')) return []
  return [{ error_code: 'INVALID_INPUT' as const, field: 'reason', message: 'A reject says its reason.', missing: true }]
}

/** Neither a confirm nor a reject is meant for a plan that its asker has not seen. */
function refuseSuperseded(order: OrderState, { plan_id }: ConfirmOrder): void {
  const standing = standingPlan(order)?.plan_id
  if (plan_id === undefined || plan_id === standing) return
  const message = standing === undefined ? `No plan ${plan_id} stands.` : `The plan ${plan_id} does not stand: ${standing} does.`
  throw new Refusal('CONFLICT', message, standing === undefined ? { field: 'plan_id' } : { plan_id: standing })
}

/** What a confirm books: the lines of the plan that stands. Whether it has expired the clock says, and no timer. */
function bookedBy(order: OrderState, now: Instant): Pick<EventDraft, 'units'> {
  const plan = standingPlan(order)
  if (plan === undefined) return {}
  if (Date.parse(now) > Date.parse(plan.expires_at)) {
    const { plan_id, expires_at } = plan
    throw new Refusal('STALE_RATE_CARD', `The plan ${plan_id} expired at ${expires_at}: ask the seller for a new one.`, {
      plan_id,
      expires_at,
    })
  }
  return { units: plan.line_items }
}

function confirmedReply({ facts, status }: OrderState): ConfirmReply {
  const { order_id, workflow } = facts
  if (workflow !== 'proposal') return { order_id, status }
  return { order_id, status, booked_orders: status === 'canceled' ? [] : [order_id] }
}
