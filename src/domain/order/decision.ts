import type { ApprovalRule } from '../../contract/approvalRules.ts'
import type { DecisionRecord, LineBooking, OrderEvent } from '../../contract/event.ts'
import type { LineResult } from '../../contract/lineItem.ts'
import type { Artifact, Cancellation, DecisionLatency, PlacementReceipt } from '../../contract/order.ts'
import type { Product } from '../../contract/product.ts'
import type { Approval, BandReason, BandVerdict, GateDue, OrderStatus, Substatus } from '../../contract/vocabulary.ts'
import { type Instant, stampAfter } from '../calendar.ts'
import { gateDue } from '../gate/gateDue.ts'
import type { Quote } from '../lines/quote.ts'
import { type DatedMember, inForceAt } from './family.ts'
import { earliestDate } from './localDates.ts'
import { clocksOf, evolve, type OrderState } from './state.ts'

/** The result of a rule: the events to append (none if nothing changes) and the outcome to reply. */
export interface Decision<Outcome> {
  readonly events: readonly EventDraft[]
  /** Built from the order after the events. */
  readonly outcome: (after: OrderState) => Outcome
  /** New quotes that the events cite, published in the transaction that appends them. */
  readonly quotes?: readonly Quote[]
  /** Products minted for the order's buyer, published with the events. */
  readonly minted?: readonly Product[]
  /** The approval rule that decided, whose use is counted with the events. */
  readonly rule?: Pick<ApprovalRule, 'id' | 'then'>
}

/** An event as a rule returns it; `stampEvents` adds ids, seq, prior_status and the stamp. */
export interface EventDraft {
  readonly status: OrderStatus
  readonly substatus?: Substatus
  readonly units?: readonly LineResult[]
  readonly error?: NonNullable<OrderEvent['error']>
  readonly decision_record?: DecisionRecord
  readonly cancellation?: Cancellation
  readonly upload_ids?: readonly string[]
  readonly acceptance_band?: BandVerdict
  readonly acceptance_band_reason?: BandReason
  /** The total of a plan's lines. */
  readonly computed_gross?: number
  /** The bookings of lines that this event adds to the order. */
  readonly line_bookings?: readonly LineBooking[]
  /** The artifact of the event, which takes the seq of the event. */
  readonly artifact?: ArtifactDraft
  /** Set when the order is placed; the receipt is built from the stamped event. */
  readonly seller_order_id?: string
}

type WithoutSeq<A> = A extends Artifact ? Omit<A, 'seq'> : never
/** An artifact that a rule drafts. The receipt is not among them, since `stampEvents` builds it from the event. */
export type ArtifactDraft = WithoutSeq<Exclude<Artifact, PlacementReceipt>>

export function decided<Outcome>(
  events: readonly EventDraft[],
  outcome: (after: OrderState) => Outcome,
  quotes: readonly Quote[] = [],
): Decision<Outcome> {
  return { events, outcome, quotes }
}

export function unchanged<Outcome>(outcome: (after: OrderState) => Outcome): Decision<Outcome> {
  return { events: [], outcome }
}

/**
 * Turns drafts into events of this order, with the order's next seq and strictly increasing stamps
 * (contract, Lifecycle envelope; architecture, Counted seq, Rising stamps). Marks a move to seller_review if `approval`, from the seller's profile, is the seller's own API. The receipt says from
 * which date a placed order takes over in its `family`. `gate_due` is the next gate; undefined leaves what the order's row says.
 */
export function stampEvents(
  order: OrderState,
  drafts: readonly EventDraft[],
  now: Instant,
  { approval, family = [] }: StampContext = {},
): StampedEvents {
  const events: OrderEvent[] = []
  let after = order
  let gate_due: StampedEvents['gate_due']
  for (const draft of drafts) {
    const gate = gateDue(after.status, draft.status, approval)
    if (gate !== undefined) gate_due = gate
    const marked: EventDraft = gate === 'pull' ? { ...draft, substatus: 'awaiting_remote_decision' } : draft
    const event = stampEvent(after, marked, stampAfter(after.updated_at, now), family)
    events.push(event)
    after = evolve(after, event)
  }
  return { events, after, gate_due }
}

/** The facts of events beyond their drafts. */
export interface StampContext {
  approval?: Approval
  /** The family of an order that is placed. */
  family?: readonly DatedMember[]
}

/** Events, the order after them, and the gate that is then due. */
export interface StampedEvents {
  readonly events: OrderEvent[]
  readonly after: OrderState
  readonly gate_due: GateDue | null | undefined
}

function stampEvent(order: OrderState, draft: EventDraft, occurredAt: Instant, family: readonly DatedMember[]): OrderEvent {
  const { seller_order_id, status, substatus, units, upload_ids, line_bookings, artifact, ...rest } = draft
  const event: OrderEvent = {
    event_type: 'order.status_changed',
    event_id: `${order.facts.order_id}:${order.last_seq + 1}`,
    order_id: order.facts.order_id,
    external_order_id: order.request.external_order_id,
    seq: order.last_seq + 1,
    status,
    prior_status: order.last_seq === 0 ? null : order.status,
    substatus: substatus ?? null,
    ...rest,
    ...measured(order, draft, occurredAt),
    ...(units === undefined ? {} : { units: [...units] }),
    ...(upload_ids === undefined ? {} : { upload_ids: [...upload_ids] }),
    ...(line_bookings === undefined ? {} : { line_bookings: [...line_bookings] }),
    ...(artifact === undefined ? {} : { artifact: numbered(artifact, order.last_seq + 1) }),
    occurred_at: occurredAt,
  }
  return seller_order_id === undefined
    ? event
    : { ...event, artifact: placementReceipt(event, [...order.bookings, ...(line_bookings ?? [])], seller_order_id, family) }
}

/** Measures the latency of a decision out of seller_review. A cancel and later rounds do not count against the sla. */
function measured(order: OrderState, { decision_record }: EventDraft, occurredAt: Instant): { decision_latency?: DecisionLatency } {
  const due_by = clocksOf(order).decide_by
  if (order.status !== 'seller_review' || decision_record === undefined || due_by === null) return {}
  const seconds = Math.floor((Date.parse(occurredAt) - Date.parse(order.since)) / 1_000)
  return { decision_latency: { since: order.since, due_by, seconds, overdue: occurredAt > due_by } }
}

function numbered({ name, ...artifact }: ArtifactDraft, seq: number): Artifact {
  return { name, seq, ...artifact } as Artifact
}

/** Builds the receipt: daylocks project the allocations of the deciding event, ordered by unit_id and date (contract, Order snapshot). */
function placementReceipt(
  event: OrderEvent,
  bookings: readonly LineBooking[],
  sellerOrderId: string,
  family: readonly DatedMember[],
): PlacementReceipt {
  const accepted = (event.units ?? []).filter((line) => line.status === 'accepted')
  const daylocks = accepted
    .flatMap((line) => line.allocation.map(({ date, units }) => ({ unit_id: line.unit_id, date, units })))
    .sort((a, b) => (a.unit_id === b.unit_id ? order(a.date, b.date) : order(a.unit_id, b.unit_id)))
  const in_force_at = inForceAt(family, event.occurred_at)
  const booked = bookings.filter((booking) => accepted.some(({ unit_id }) => unit_id === booking.unit_id))
  return {
    ...{ name: 'placement_receipt', seq: event.seq, seller_order_id: sellerOrderId, daylocks, placed_at: event.occurred_at },
    ...(in_force_at === undefined ? {} : { in_force_from: earliestDate(in_force_at, booked), in_force_at }),
  }
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
