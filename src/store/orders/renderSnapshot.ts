import type { Side } from '../../contract/vocabulary/access.ts'
import { jsonNumber } from '../../domain/decimal.ts'
import { exposureOf } from '../../domain/order/exposure.ts'
import type { OrderHead } from '../../domain/order/head.ts'
import { type Listing, listingOf } from '../../domain/order/listing.ts'
import { haveQuotesLapsed, snapshot, waitingOn } from '../../domain/order/snapshot.ts'
import { type Clocks, clocksOf, initialState, type OrderState } from '../../domain/order/state.ts'
import { allowedActions } from '../../domain/order/transitions.ts'
import { amountOwed } from '../../domain/settlement/amountOwed.ts'
import { firstClearing } from '../../domain/settlement/dueInvoices.ts'

/** An order's stored projection: the head's columns and the snapshot's text, rendered once, when events are appended. */
export interface Rendered extends Clocks, Listing {
  /** The snapshot as lists show it, without its closing brace. */
  snapshot_head: string
  /** The order's highest possible value, which sums over orders use; for a placed order its totals.gross. */
  exposure: number
  /** The amount that it draws on its agreement's credit while nothing of it is paid or credited. */
  owed: number
  /** When the order must be checked for an invoice. */
  invoice_due_at: string | null
  /** The rest: the request, lines and artifacts, from the comma before them, without the closing brace. May be empty with the first event. */
  snapshot_lines: string
}

export function renderSnapshot(order: OrderState): Rendered {
  const { head, lines } = partsOf(order)
  return { ...renderedHead(order, head), snapshot_lines: linesText(lines) }
}

/** The longest request whose lines a read may render: it must not keep the request loop busy. */
const SMALL_REQUEST = 16_384

/**
 * Renders what is stored with an order's first event. The lines are still those of its request; they are stored if that is long, and otherwise
 * rendered by whoever reads them before the second event. The second argument is the request as JSON.
 */
export function renderFirst(order: OrderState, request: string): Rendered {
  if (request.length > SMALL_REQUEST) return renderSnapshot(order)
  return { ...renderedHead(order, partsOf(order).head), snapshot_lines: '' }
}

/** Renders the lines of an order of which none are stored, from its record: the request and the facts as JSON. */
export function firstLines(request: string, facts: string): string {
  return linesText(partsOf(initialState(JSON.parse(request), JSON.parse(facts))).lines)
}

/**
 * SQL: the lines of an order as a JSON array, each at least as it was sent: those of its stored snapshot, or of its request as long
 * as none are stored. The argument is a relation with `order_id` and `snapshot_lines`.
 */
export const LINES_OF = (order: string) =>
  `case ${order}.snapshot_lines when '' then (select request::json->'line_items' from order_records asked where asked.order_id = ${order}.order_id)
      else ('{' || substr(${order}.snapshot_lines, 2) || '}')::json->'line_items' end`

/** Splits a snapshot into the two parts that are kept of it. */
function partsOf(order: OrderState) {
  const { request, document, line_items, artifacts, ...head } = snapshot(order)
  return { head, lines: { request, document, line_items, artifacts } }
}
type Parts = ReturnType<typeof partsOf>

function renderedHead(order: OrderState, head: Parts['head']): Omit<Rendered, 'snapshot_lines'> {
  return {
    ...clocksOf(order),
    ...listingOf(order),
    exposure: jsonNumber(exposureOf(order)),
    owed: jsonNumber(amountOwed(order)),
    invoice_due_at: firstClearing(order),
    snapshot_head: JSON.stringify(head).slice(0, -1),
  }
}

function linesText(lines: Parts['lines']): string {
  return `,${JSON.stringify(lines).slice(1, -1)}`
}

/** Returns what depends on the reader and the time, from its comma to the closing brace: it follows a stored head, or head and lines. */
export function readerText(head: WaitingHead, side: Side, now: string): string {
  return `,"allowed_actions":${actionsText(head, side, now)},"waiting_on":${JSON.stringify(waitingOn(head, now))}}`
}

type WaitingHead = Parameters<typeof waitingOn>[0] & Pick<OrderHead, 'workflow'>

const ACTIONS = new Map<string, string>()

/** Returns a cached text: there are few of these, and a page has one for each of its orders. */
function actionsText(head: WaitingHead, side: Side, now: string): string {
  const { status, workflow } = head
  const isLapsed = haveQuotesLapsed(head, now)
  const key = `${side} ${workflow} ${isLapsed ? 'lapsed' : status}`
  const text = ACTIONS.get(key) ?? JSON.stringify(allowedActions({ status, workflow, isLapsed }, side))
  ACTIONS.set(key, text)
  return text
}
