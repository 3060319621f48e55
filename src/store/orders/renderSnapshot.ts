import type { Side } from '../../contract/vocabulary/access.ts'
import { jsonNumber } from '../../domain/decimal.ts'
import { exposureOf } from '../../domain/order/exposure.ts'
import type { OrderHead } from '../../domain/order/head.ts'
import { type Listing, listingOf } from '../../domain/order/listing.ts'
import { snapshot, waitingOn } from '../../domain/order/snapshot.ts'
import { type Clocks, clocksOf, type OrderState } from '../../domain/order/state.ts'
import { allowedActions } from '../../domain/order/transitions.ts'
import { amountOwed } from '../../domain/settlement/amountOwed.ts'
import { firstClearing } from '../../domain/settlement/dueInvoices.ts'

/** An order's stored projection: the head's columns and the snapshot's text, rendered once, at append. */
export interface Rendered extends Clocks, Listing {
  /** The snapshot as lists show it, its closing brace left off. */
  snapshot_head: string
  /** What the order may come to, for what is summed over orders: of a placed one its totals.gross. */
  gross: number
  /** What it draws on the credit of its agreement while nothing of it is paid or credited. */
  owed: number
  /** When it is to be looked at for an invoice. */
  invoice_due_at: string | null
  /** The rest: what was asked for, lines and artifacts, from the comma before them, its closing brace left off. */
  snapshot_lines: string
}

export function renderSnapshot(order: OrderState): Rendered {
  const { request, document, line_items, artifacts, ...head } = snapshot(order)
  return {
    ...clocksOf(order),
    ...listingOf(order),
    gross: jsonNumber(exposureOf(order)),
    owed: jsonNumber(amountOwed(order)),
    invoice_due_at: firstClearing(order),
    snapshot_head: JSON.stringify(head).slice(0, -1),
    snapshot_lines: `,${JSON.stringify({ request, document, line_items, artifacts }).slice(1, -1)}`,
  }
}

/** What depends on the reader and the hour, from the comma before it to the closing brace: it follows a stored text, a head or a head and lines. */
export function readerText(head: ReadHead, side: Side, now: string): string {
  return `,"allowed_actions":${actionsText(head, side)},"waiting_on":${JSON.stringify(waitingOn(head, now))}}`
}

type ReadHead = Parameters<typeof waitingOn>[0] & Pick<OrderHead, 'workflow'>

const ACTIONS = new Map<string, string>()

/** There are few of these texts, and a page has one for each of its orders. */
function actionsText({ status, workflow }: ReadHead, side: Side): string {
  const key = `${side} ${workflow} ${status}`
  const text = ACTIONS.get(key) ?? JSON.stringify(allowedActions(status, workflow, side))
  ACTIONS.set(key, text)
  return text
}
