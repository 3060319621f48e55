import type { OrderEvent } from '../../../src/contract/event.ts'
import type { LineResult } from '../../../src/contract/lineItem.ts'
import { decimal, jsonNumber, money, sameAmount, sum } from '../../../src/domain/decimal.ts'
import { exposureOf } from '../../../src/domain/order/exposure.ts'
import { listingOf } from '../../../src/domain/order/listing.ts'
import { snapshot } from '../../../src/domain/order/snapshot.ts'
import { clocksOf, evolve, initialState, type OrderFacts, type OrderRequest, type OrderState } from '../../../src/domain/order/state.ts'
import { isTerminal, isTransition } from '../../../src/domain/order/transitions.ts'
import type { BilledMakegood } from '../../../src/domain/settlement/movedSpots.ts'
import { eventHash, recordHash } from '../../../src/store/orders/auditChain.ts'
import type { Violation } from './invariants.ts'
import type { StoredBooking } from './invariantsBooked.ts'
import type { StoredInvoice } from './invariantsInvoices.ts'

/** An order as the tables store it. */
export interface StoredOrder {
  order_id: string
  seller: string
  buyer_entity: string
  external_order_id: string
  status: string
  substatus: string | null
  last_seq: number
  updated_at: Date
  parked_since: Date | null
  decide_by: Date | null
  due_at: Date | null
  placed_at: Date | null
  agreement_id: string | null
  supersedes: string | null
  root: string | null
  exposure: string
  drawn: string
  settled_gross: string
  invoice_due_at: Date | null
  advertiser_id: string | null
  line_count: number
  units: number
  first_air_date: string | null
  month_lines: string[] | null
  /** How far the clock of a sandbox's order is ahead, which no event says. */
  elapsed_s: number
  /** Its agreed makegoods, with the time of the agreement as the invoices have it. */
  makegoods: (BilledMakegood & { agreed_at: string })[]
  /** Its invoices and credit notes. */
  invoices: StoredInvoice[]
  /** Null if nothing of it is booked yet. */
  booked: StoredBooking | null
  in_outbox: boolean
  snapshot: string
  reply: string
  request: string
  facts: string
  /** Null except for a revision that was placed before receipts stated it. */
  events: string[]
  /** The hashes of the events, in hex; null where an event has none. */
  hashes: (string | null)[]
  sent_sha256: string
  /** The published costs that this database has, by locked_rate_id. */
  prices: Record<string, { unit: string | null; cpm: string | null }>
}

/** Checks the invariants that need the fold. Returns the order according to its log, and everything that is wrong with it. */
export function brokenInOrder(stored: StoredOrder): { order: OrderState; violations: Violation[] } {
  const violations: Violation[] = []
  const broken = (invariant: Violation['invariant'], problem: string) => violations.push({ invariant, order_id: stored.order_id, problem })
  const request: OrderRequest = JSON.parse(stored.request)
  const facts: OrderFacts = JSON.parse(stored.facts)
  const events: OrderEvent[] = stored.events.map((body) => JSON.parse(body))

  let order = initialState(request, facts)
  for (const event of events) {
    checkStep(order, event, broken)
    order = evolve(order, event)
    for (const problem of allocationFaults(order)) broken('I10', `after ${event.seq}: ${problem}`)
  }
  if (stored.last_seq !== events.length) broken('I3', `last_seq is ${stored.last_seq} with ${events.length} events`)
  checkChain(stored, broken)
  checkReply(stored, facts, broken)
  const placed_at = events.find(({ status }) => status === 'placed')?.occurred_at ?? null
  checkProjection(stored, order, placed_at, broken)
  const exposure = exposureOf(order)
  if (!sameAmount(stored.exposure, exposure)) broken('I15', `the row counts ${stored.exposure}; the log comes to ${exposure}`)
  checkPrices(stored, order, broken)
  const waits = isTerminal(order.status) || clocksOf(order).parked_since !== null || order.substatus === 'awaiting_plan'
  if (!waits && !stored.in_outbox && stored.due_at === null) broken('I9', `${order.status}, and nothing will move it on`)
  return { order, violations }
}

type Broken = (invariant: Violation['invariant'], problem: string) => void

function checkStep(order: OrderState, event: OrderEvent, broken: Broken): void {
  if (event.seq !== order.last_seq + 1) broken('I3', `${event.seq} follows ${order.last_seq}`)
  const prior = order.last_seq === 0 ? null : order.status
  if (event.prior_status !== prior) broken('I5', `${event.seq} says that it follows ${event.prior_status}; it follows ${prior}`)
  const possible = prior === null ? event.status === 'submitted' : isTransition(prior, event.status)
  if (!possible) broken('I5', `${event.seq} goes from ${prior} to ${event.status}`)
  if (order.updated_at !== null && event.occurred_at <= order.updated_at) broken('I6', `${event.seq} is not later than the event before`)
}

/** Checks that each event has the hash of the previous one and of its own bytes, from the record on. */
function checkChain(stored: StoredOrder, broken: Broken): void {
  let previous = recordHash(stored)
  for (const [index, body] of stored.events.entries()) {
    const hash = eventHash(previous, index + 1, body)
    if (stored.hashes[index] !== hash) broken('I13', `the hash of event ${index + 1} is ${stored.hashes[index]}; it hashes to ${hash}`)
    previous = hash
  }
}

function checkReply({ reply, order_id, external_order_id, buyer_entity }: StoredOrder, { created_at }: OrderFacts, broken: Broken): void {
  const { warnings: _, ...said } = JSON.parse(reply)
  const expected = { order_id, external_order_id, buyer_entity, status: 'submitted', created_at }
  if (!sameJson(said, expected)) broken('I1', `the stored reply is ${reply}`)
}

/** What is stored of the snapshot of an order that has its first event alone: all but its lines, which a read renders. */
function firstOf(order: OrderState): string {
  const { request: _request, document: _document, line_items: _lines, artifacts: _artifacts, ...head } = snapshot(order)
  return JSON.stringify(head)
}

/** Checks that the head and the snapshot's text equal the fold of the log. */
function checkProjection(stored: StoredOrder, order: OrderState, placed_at: string | null, broken: Broken): void {
  const folded = JSON.stringify(snapshot(order))
  if (stored.snapshot !== folded && !(order.last_seq === 1 && stored.snapshot === firstOf(order)))
    broken('I7', `the snapshot is ${stored.snapshot}; the log folds to ${folded}`)
  const { parked_since, decide_by } = clocksOf({ ...order, elapsed_s: stored.elapsed_s })
  const head = [stored.seller, stored.buyer_entity, stored.external_order_id, stored.status, stored.substatus, stored.last_seq]
  const terms = [stored.agreement_id, stored.supersedes]
  const clocks = [stored.updated_at, stored.parked_since, stored.decide_by, stored.placed_at]
  const { advertiser_id, line_count, units, first_air_date, month_lines } = stored
  const { request, facts } = order
  const expected = [request.seller, facts.buyer_entity, request.external_order_id, order.status, order.substatus, order.last_seq]
  const expectedTerms = [request.agreement_id ?? null, request.revision?.supersedes ?? null]
  const expectedClocks = [order.updated_at, parked_since, decide_by, placed_at]
  if (!sameJson([head, terms, clocks], [expected, expectedTerms, expectedClocks])) {
    const folded = JSON.stringify([expected, expectedTerms, expectedClocks])
    broken('I7', `the head is ${JSON.stringify([head, terms, clocks])}; the log folds to ${folded}`)
  }
  const listed = { advertiser_id, line_count, units, first_air_date, month_lines: month_lines && JSON.stringify([...month_lines].sort()) }
  const expectedListing = { advertiser_id: request.buyer_metadata.advertiser_id, ...listingOf(order) }
  if (!sameJson(listed, expectedListing))
    broken('I7', `lists show ${JSON.stringify(listed)}; the log folds to ${JSON.stringify(expectedListing)}`)
}

function allocationFaults({ lines, bookings }: OrderState): string[] {
  return lines.flatMap((line) => {
    const { unit_id, allocation, num_accepted, units, status, mirror } = line
    const booked = bookings.find((each) => each.unit_id === unit_id)?.booked_dates
    const total = allocation.reduce((so_far, entry) => so_far + entry.units, 0)
    return [
      ...(total === num_accepted ? [] : [`${unit_id} allocates ${total} of ${num_accepted} units`]),
      ...(num_accepted > 0 === (status === 'accepted') && num_accepted <= units ? [] : [`${unit_id} is ${status} with ${num_accepted}`]),
      ...(booked !== undefined && allocation.some(({ date }) => !booked.includes(date)) ? [`${unit_id} airs outside its dates`] : []),
      ...(mirror === undefined || sameJson(mirror.allocation, allocation) ? [] : [`${unit_id} airs on other dates than its mirror`]),
    ]
  })
}

/** Checks that every line costs the price published under its locked_rate_id, and that gross is their sum over the accepted units. */
function checkPrices({ prices }: StoredOrder, order: OrderState, broken: Broken): void {
  for (const { unit_id, rate } of order.lines) {
    const published = prices[rate.locked_rate_id]
    const price = rate.unit_cost === undefined ? published?.cpm : published?.unit
    const cost = rate.unit_cost ?? rate.cpm ?? 0
    if (published !== undefined && (price === null || price === undefined || !sameAmount(cost, price))) {
      broken('I10', `${unit_id} costs ${cost}; published is ${JSON.stringify(published)}`)
    }
  }
  const gross = jsonNumber(sum(order.lines.map((line) => amountOf(line, order))))
  if (snapshot(order).totals.gross !== gross) broken('I10', `gross is ${snapshot(order).totals.gross}; the lines sum to ${gross}`)
}

function amountOf({ unit_id, rate, units, num_accepted, status }: LineResult, { bookings }: OrderState) {
  const count = decimal(status === 'pending' ? units : num_accepted)
  if (rate.unit_cost !== undefined) return money(decimal(rate.unit_cost).times(count), rate.currency)
  const impressions = bookings.find((line) => line.unit_id === unit_id)?.impressions_per_unit ?? 0
  return money(
    decimal(rate.cpm ?? 0)
      .times(decimal(impressions))
      .times(count)
      .div(decimal(1000)),
    rate.currency,
  )
}

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
