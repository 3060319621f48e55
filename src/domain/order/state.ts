import type { CreateOrder } from '../../contract/createOrder.ts'
import type { DocumentParse } from '../../contract/documentParse.ts'
import type { LineBooking, OrderEvent } from '../../contract/event.ts'
import type { LineItem, LineResult } from '../../contract/lineItem.ts'
import type { Artifact, Cancellation, CancellationTerms, DecisionLatency } from '../../contract/order.ts'
import type { PlanProposal } from '../../contract/planProposal.ts'
import type { OrderStatus, SettlementMode, Substatus, Workflow } from '../../contract/vocabulary.ts'
import { addMinutes, type Instant, stampAfter } from '../calendar.ts'
import { guaranteedImpressions } from '../lines/guaranteedImpressions.ts'
import { type LineFacts, pendingLine } from '../lines/lineResult.ts'
import { firstExpiry, standingCounters } from './standingCounters.ts'

/** The platform's create-time facts: with the request and the events they are the record of an order (spec, What the service does, 5). */
export interface OrderFacts {
  order_id: string
  buyer_entity: string
  workflow: Workflow
  created_at: Instant
  taxonomy_version: string
  settlement_mode: SettlementMode
  cancellation_terms: CancellationTerms | null
  version: number
  currency: string
  /** The seller's sla.max_decision_latency_minutes at create. */
  decision_latency_minutes: number
  lines: LineFacts[]
  /** The endpoint that the create's notify_url is. */
  notify_endpoint?: string
  /** totals.impressions, frozen at create. */
  impressions?: Record<string, number>
}

/** The request without what the platform ignores or derives. */
export type OrderRequest = CreateOrder

/** The fold of request, create-time facts and events. */
export interface OrderState {
  readonly request: OrderRequest
  readonly facts: OrderFacts
  readonly status: OrderStatus
  readonly substatus: Substatus | null
  readonly last_seq: number
  /** The last event's stamp; null before the first. */
  readonly updated_at: Instant | null
  /** When the order came to its status. */
  readonly since: Instant
  readonly lines: readonly LineResult[]
  /** Of every line that the order ever had: those of its create, and those that came by an event. */
  readonly bookings: readonly LineBooking[]
  /** totals.impressions, frozen when the lines were ordered: at create, or when a plan or a document is confirmed. */
  readonly impressions?: Record<string, number>
  /** What stands; a plan gives way to the next one. */
  readonly artifacts: readonly Artifact[]
  /** Every plan that was sent. */
  readonly plans: readonly Pick<PlanProposal, 'plan_id' | 'sha256'>[]
  readonly decision_latency?: DecisionLatency
  readonly cancellation?: Cancellation
  /** The seller's own id of the order, as a counter named it: the receipt will carry it. */
  readonly seller_order_id?: string
  readonly error?: NonNullable<OrderEvent['error']>
}

/** An order before its first event. */
export function initialState(request: OrderRequest, facts: OrderFacts): OrderState {
  const lines = (request.line_items ?? []).map((item, index) => pendingLine(item as LineItem, facts.lines[index] as LineFacts))
  return {
    request,
    facts,
    status: 'submitted',
    substatus: null,
    last_seq: 0,
    updated_at: null,
    since: facts.created_at,
    lines,
    bookings: facts.lines,
    ...(facts.impressions === undefined ? {} : { impressions: facts.impressions }),
    artifacts: [],
    plans: [],
  }
}

/** One event further. There is no other way to a state. */
export function evolve(order: OrderState, event: OrderEvent): OrderState {
  return {
    ...order,
    status: event.status,
    substatus: event.substatus,
    last_seq: event.seq,
    updated_at: event.occurred_at,
    since: event.status === order.status && order.last_seq > 0 ? order.since : event.occurred_at,
    lines: event.units ?? order.lines,
    bookings: event.line_bookings === undefined ? order.bookings : [...order.bookings, ...event.line_bookings],
    ...confirmedImpressions(order, event),
    ...artifactsAfter(order, event),
    ...(event.decision_latency === undefined ? {} : { decision_latency: event.decision_latency }),
    ...(event.cancellation === undefined ? {} : { cancellation: event.cancellation }),
    ...(event.error === undefined ? {} : { error: event.error }),
    ...kept(event.decision_record?.seller_order_id),
  }
}

function artifactsAfter({ artifacts, plans }: OrderState, { artifact }: OrderEvent): Pick<OrderState, 'artifacts' | 'plans'> {
  if (artifact?.name !== 'plan_proposal') return { artifacts: artifact === undefined ? artifacts : [...artifacts, artifact], plans }
  const { plan_id, sha256 } = artifact
  return { artifacts: [...artifacts.filter(({ name }) => name !== 'plan_proposal'), artifact], plans: [...plans, { plan_id, sha256 }] }
}

/** Lines that wait for the buyer's confirm are ordered by it. */
function confirmedImpressions({ status }: OrderState, { units }: OrderEvent): Pick<OrderState, 'impressions'> {
  if (status !== 'needs_confirmation' || units === undefined) return {}
  const impressions = guaranteedImpressions(units)
  return impressions === undefined ? {} : { impressions }
}

/** The plan that the buyer may confirm. */
export function standingPlan({ artifacts }: Pick<OrderState, 'artifacts'>): PlanProposal | undefined {
  return artifacts.find((artifact) => artifact.name === 'plan_proposal')
}

function kept(seller_order_id: string | undefined): Pick<OrderState, 'seller_order_id'> {
  return seller_order_id === undefined ? {} : { seller_order_id }
}

/** What the platform fixed about a line of the order. */
export function bookingOf({ bookings }: Pick<OrderState, 'bookings'>, { unit_id }: Pick<LineResult, 'unit_id'>): LineBooking {
  const booking = bookings.find((each) => each.unit_id === unit_id)
  if (booking === undefined) throw new Error(`nothing was fixed about ${unit_id}`)
  return booking
}

export function fold(request: OrderRequest, facts: OrderFacts, events: readonly OrderEvent[]): OrderState {
  return events.reduce(evolve, initialState(request, facts))
}

/** What was read from the document that the buyer may confirm. */
export function standingParse({ artifacts }: Pick<OrderState, 'artifacts'>): DocumentParse | undefined {
  return artifacts.find((artifact) => artifact.name === 'document_parse')
}

/** The clocks of an order: since when it is parked, until when the side it waits for ought to answer, when its workflow looks next by itself. */
export interface Clocks {
  parked_since: Instant | null
  decide_by: Instant | null
  due_at: Instant | null
}

export function clocksOf(order: OrderState): Clocks {
  // Nothing is due before the seller sends its plan.
  if (order.substatus === 'awaiting_plan') return { parked_since: order.since, decide_by: null, due_at: null }
  switch (order.status) {
    case 'seller_review': {
      const decide_by = addMinutes(order.since, order.facts.decision_latency_minutes)
      // Its run has the seller's own API to ask all the while: one that is lost is missed before the deadline.
      const due_at = order.substatus === 'awaiting_remote_decision' ? order.since : decide_by
      return { parked_since: order.since, decide_by, due_at }
    }
    // A plan is to be answered before it expires; the workflow looks then, and the log decides.
    case 'needs_confirmation': {
      const decide_by = expiryOf(order)
      return { parked_since: order.since, decide_by, due_at: decide_by && stampAfter(decide_by, decide_by) }
    }
    case 'negotiating': {
      // One event tells that a quote has lapsed; only a newer counter sets the clock again (choices, decide).
      const decide_by = order.substatus === 'quote_lapsed' ? null : firstExpiry(standingCounters(order))
      return { parked_since: order.since, decide_by, due_at: decide_by && stampAfter(decide_by, decide_by) }
    }
    case 'submitted':
    case 'validating':
    case 'confirmed':
    case 'placed':
    case 'canceled':
    case 'rejected':
    case 'failed':
      return { parked_since: null, decide_by: null, due_at: order.updated_at }
  }
}

/** When the standing plan expires, in UTC; null when none stands. */
function expiryOf(order: OrderState): Instant | null {
  const plan = standingPlan(order)
  return plan === undefined ? null : new Date(plan.expires_at).toISOString()
}
