import type { CreateOrder } from '../../contract/createOrder.ts'
import type { OrderEvent } from '../../contract/event.ts'
import type { LineItem, LineResult } from '../../contract/lineItem.ts'
import type { Cancellation, CancellationTerms, PlacementReceipt } from '../../contract/order.ts'
import type { OrderStatus, SettlementMode, Substatus, Workflow } from '../../contract/vocabulary.ts'
import { addMinutes, type Instant } from '../calendar.ts'
import { type LineFacts, pendingLine } from '../lines/lineResult.ts'

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
  readonly artifacts: readonly PlacementReceipt[]
  readonly cancellation?: Cancellation
  readonly error?: NonNullable<OrderEvent['error']>
}

/** An order before its first event. */
export function unborn(request: OrderRequest, facts: OrderFacts): OrderState {
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
    artifacts: [],
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
    artifacts: event.artifact === undefined ? order.artifacts : [...order.artifacts, event.artifact],
    ...(event.cancellation === undefined ? {} : { cancellation: event.cancellation }),
    ...(event.error === undefined ? {} : { error: event.error }),
  }
}

export function fold(request: OrderRequest, facts: OrderFacts, events: readonly OrderEvent[]): OrderState {
  return events.reduce(evolve, unborn(request, facts))
}

/** The clocks of an order: since when it is parked, until when the seller ought to decide, when its workflow looks next by itself. */
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
      return { parked_since: order.since, decide_by, due_at: decide_by }
    }
    case 'needs_confirmation':
    case 'negotiating':
      return { parked_since: order.since, decide_by: null, due_at: null }
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
