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
import { firstExpiry, openCounters } from './openCounters.ts'

/** The platform's create-time facts. Request, facts and events are the record of an order (contract, The record). */
export interface OrderFacts {
  order_id: string
  buyer_entity: string
  /** The names of both tenants at create; absent on older orders. */
  seller_name?: string
  buyer_name?: string
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
  /** The endpoint of the create's notify_url. */
  notify_endpoint?: string
  /** totals.impressions, frozen at create. */
  impressions?: Record<string, number>
}

/** The request without the members that the platform ignores or derives. */
export type OrderRequest = CreateOrder

/** The state of an order, folded from request, create-time facts and events. */
export interface OrderState {
  readonly request: OrderRequest
  readonly facts: OrderFacts
  readonly status: OrderStatus
  readonly substatus: Substatus | null
  readonly last_seq: number
  /** The stamp of the last event; null before the first. */
  readonly updated_at: Instant | null
  /** The time when the order reached its status. */
  readonly since: Instant
  readonly lines: readonly LineResult[]
  /** Bookings of every line that the order ever had, from its create and from events. */
  readonly bookings: readonly LineBooking[]
  /** totals.impressions, frozen when the lines were ordered: at create, or when a plan or a document is confirmed. */
  readonly impressions?: Record<string, number>
  /** The current artifacts; a new plan replaces the previous one. */
  readonly artifacts: readonly Artifact[]
  /** Every plan sent so far. */
  readonly plans: readonly Pick<PlanProposal, 'plan_id' | 'sha256'>[]
  readonly decision_latency?: DecisionLatency
  readonly cancellation?: Cancellation
  /**
   * How many seconds its own clock is ahead, in a sandbox (choices, Sandbox: elapse); for the deadlines of its present step alone. No event has it:
   * whoever loads an order adds it.
   */
  readonly elapsed_s?: number
  /** The seller's own order id, sent with a counter; the receipt will carry it. */
  readonly seller_order_id?: string
  readonly error?: NonNullable<OrderEvent['error']>
}

/** Returns the state of an order before its first event. */
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

/** Applies one event. Every state change goes through this function. */
export function evolve(order: OrderState, event: OrderEvent): OrderState {
  return {
    ...order,
    status: event.status,
    substatus: event.substatus,
    last_seq: event.seq,
    updated_at: event.occurred_at,
    since: event.status === order.status && order.last_seq > 0 ? order.since : event.occurred_at,
    // What has elapsed ends with the step: a new offer or status has its own deadlines.
    ...(order.elapsed_s === undefined || event.substatus === 'quote_lapsed' ? {} : { elapsed_s: 0 }),
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

/** Freezes the impressions of lines when the buyer's confirm orders them. */
function confirmedImpressions({ status }: OrderState, { units }: OrderEvent): Pick<OrderState, 'impressions'> {
  if (status !== 'needs_confirmation' || units === undefined) return {}
  const impressions = guaranteedImpressions(units)
  return impressions === undefined ? {} : { impressions }
}

/** Returns the plan that the buyer may confirm. */
export function currentPlan({ artifacts }: Pick<OrderState, 'artifacts'>): PlanProposal | undefined {
  return artifacts.find((artifact) => artifact.name === 'plan_proposal')
}

function kept(seller_order_id: string | undefined): Pick<OrderState, 'seller_order_id'> {
  return seller_order_id === undefined ? {} : { seller_order_id }
}

/** Returns the facts that the platform fixed for a line of the order. */
export function bookingOf({ bookings }: Pick<OrderState, 'bookings'>, { unit_id }: Pick<LineResult, 'unit_id'>): LineBooking {
  const booking = bookings.find((each) => each.unit_id === unit_id)
  if (booking === undefined) throw new Error(`${unit_id} has no booking`)
  return booking
}

export function fold(request: OrderRequest, facts: OrderFacts, events: readonly OrderEvent[]): OrderState {
  return events.reduce(evolve, initialState(request, facts))
}

/** Returns the document reading that the buyer may confirm. */
export function currentParse({ artifacts }: Pick<OrderState, 'artifacts'>): DocumentParse | undefined {
  return artifacts.find((artifact) => artifact.name === 'document_parse')
}

/** The times of an order: when it was parked, when the awaited side should have answered, and when its workflow checks next. */
export interface Clocks {
  parked_since: Instant | null
  decide_by: Instant | null
  due_at: Instant | null
}

export function clocksOf(order: OrderState): Clocks {
  const { parked_since, decide_by, due_at } = clocksAsSet(order)
  const { elapsed_s = 0 } = order
  if (elapsed_s === 0) return { parked_since, decide_by, due_at }
  const earlier = (at: Instant | null) => at && new Date(Date.parse(at) - elapsed_s * 1_000).toISOString()
  return { parked_since, decide_by: earlier(decide_by), due_at: earlier(due_at) }
}

function clocksAsSet(order: OrderState): Clocks {
  // No deadline applies before the seller sends its plan.
  if (order.substatus === 'awaiting_plan') return { parked_since: order.since, decide_by: null, due_at: null }
  switch (order.status) {
    case 'seller_review': {
      const decide_by = addMinutes(order.since, order.facts.decision_latency_minutes)
      // The run keeps asking the seller's own API, so it is due immediately: the sweep then finds a lost run before the deadline.
      const due_at = order.substatus === 'awaiting_remote_decision' ? order.since : decide_by
      return { parked_since: order.since, decide_by, due_at }
    }
    // A plan must be answered before it expires. The workflow checks at that time, and the log decides.
    case 'needs_confirmation': {
      const decide_by = expiryOf(order)
      return { parked_since: order.since, decide_by, due_at: decide_by && stampAfter(decide_by, decide_by) }
    }
    case 'negotiating': {
      // One event reports a lapsed quote; only a new counter sets the next deadline (choices, decide).
      const decide_by = order.substatus === 'quote_lapsed' ? null : firstExpiry(openCounters(order))
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

/** Returns the expiry of the current plan, in UTC; null if there is none. */
function expiryOf(order: OrderState): Instant | null {
  const plan = currentPlan(order)
  return plan === undefined ? null : new Date(plan.expires_at).toISOString()
}
