import type { StoredSnapshot, Totals, WaitingOn } from '../../contract/order.ts'
import type { OrderStatus, Party, Substatus } from '../../contract/vocabulary.ts'
import type { Instant } from '../calendar.ts'
import { jsonNumber, sum } from '../decimal.ts'
import { lineAmount } from '../lines/lineResult.ts'
import type { OrderState } from './state.ts'

/** Projects request, facts and events to the authoritative read of an order (contract, Order snapshot). */
export function snapshot(order: OrderState): StoredSnapshot {
  const { request, facts } = order
  return {
    order_id: facts.order_id,
    external_order_id: request.external_order_id,
    seller: request.seller,
    ...(facts.seller_name === undefined ? {} : { seller_name: facts.seller_name }),
    buyer_entity: facts.buyer_entity,
    ...(facts.buyer_name === undefined ? {} : { buyer_name: facts.buyer_name }),
    workflow: facts.workflow,
    status: order.status,
    substatus: order.substatus,
    last_seq: order.last_seq,
    rate_version: request.rate_version,
    taxonomy_version: facts.taxonomy_version,
    buyer_metadata: request.buyer_metadata,
    issued_at: request.issued_at ?? facts.created_at,
    ...(request.flight === undefined ? {} : { flight: request.flight }),
    ...(request.attachments === undefined ? {} : { attachments: request.attachments }),
    revision: { version: facts.version, supersedes: request.revision?.supersedes ?? null },
    settlement_mode: facts.settlement_mode,
    ...(request.agreement_id === undefined ? {} : { agreement_id: request.agreement_id }),
    cancellation_terms: facts.cancellation_terms,
    ...(request.buyer_requests === undefined ? {} : { buyer_requests: request.buyer_requests }),
    ...(request.notify_url === undefined ? {} : { notify_url: request.notify_url }),
    created_at: facts.created_at,
    updated_at: order.updated_at ?? facts.created_at,
    totals: totals(order),
    ...(order.decision_latency === undefined ? {} : { decision_latency: order.decision_latency }),
    ...(order.cancellation === undefined ? {} : { cancellation: order.cancellation }),
    ...(order.error === undefined ? {} : { error: order.error }),
    events_url: `/v1/events?order=${facts.order_id}`,
    ...(request.request === undefined ? {} : { request: request.request }),
    ...(request.document === undefined ? {} : { document: request.document }),
    line_items: [...order.lines],
    artifacts: [...order.artifacts],
  }
}

/**
 * Returns the gross of the requested lines until the decision, then of accepted lines at their locked rates; totals.impressions stays as frozen
 * at create (contract, Order snapshot; choices, totals.gross).
 */
export function totals({ facts, lines, bookings, impressions }: OrderState): Totals {
  const ofUnit = new Map(bookings.map((booking) => [booking.unit_id, booking]))
  const gross = sum(lines.map((line) => lineAmount(line, ofUnit.get(line.unit_id) ?? {})))
  return {
    gross: jsonNumber(gross),
    currency: facts.currency,
    ...(impressions === undefined ? {} : { impressions }),
  }
}

const WAITS_ON: Record<OrderStatus, Party | null> = {
  submitted: 'platform',
  validating: 'platform',
  needs_confirmation: 'buyer',
  confirmed: 'platform',
  seller_review: 'seller',
  negotiating: 'buyer',
  placed: null,
  canceled: null,
  rejected: null,
  failed: null,
}

/** Where an order is, as whom it waits for depends on it. */
interface WaitingHead {
  status: OrderStatus
  substatus?: Substatus | null
  updated_at: Instant
  parked_since: Instant | null
  decide_by: Instant | null
  stuck_reason?: string | null
}

/** Returns whether the quotes of a negotiation have lapsed, so that none can be accepted. By the clock, since an event may follow later. */
export function haveQuotesLapsed({ status, substatus, decide_by }: Pick<WaitingHead, 'status' | 'substatus' | 'decide_by'>, now: Instant) {
  return status === 'negotiating' && (substatus === 'quote_lapsed' || (decide_by !== null && now > decide_by))
}

/** Returns the party that an order waits for, since when and until when (choices, Order reads). Null if it waits for none. */
export function waitingOn(head: WaitingHead, now: Instant): WaitingOn | null {
  // The seller sends the plan, and the next counter once a quote has lapsed.
  const party = head.substatus === 'awaiting_plan' || head.substatus === 'quote_lapsed' ? 'seller' : WAITS_ON[head.status]
  if (party === null) return null
  const due_by = head.decide_by
  // After its plan or an open quote has expired, the order needs a new one from the seller.
  const lapses = head.status === 'needs_confirmation' || head.status === 'negotiating'
  if (lapses && due_by !== null && now > due_by) return { party: 'seller', since: due_by, overdue: false }
  return {
    party,
    // In a negotiation every event changes the party: a counter is the buyer's turn, its lapse the seller's.
    since: head.status === 'negotiating' ? head.updated_at : (head.parked_since ?? head.updated_at),
    overdue: due_by !== null && now > due_by,
    ...(due_by === null ? {} : { due_by }),
    ...(head.stuck_reason ? { stuck_reason: head.stuck_reason } : {}),
  }
}
