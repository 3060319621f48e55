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

/** Splices what depends on the reader and the hour onto stored text. `text` is a head, or a head and lines. */
export function spliceReader(text: string, head: SplicedHead, side: Side, now: string): string {
  const waiting = waitingOn(head, now)
  return `${text},"allowed_actions":${actionsText(head, side)},"waiting_on":${JSON.stringify(waiting)}}`
}

type SplicedHead = Parameters<typeof waitingOn>[0] & Pick<OrderHead, 'workflow'>

const ACTIONS = new Map<string, string>()

/** There are few of these texts, and a page has one for each of its orders. */
function actionsText({ status, workflow }: SplicedHead, side: Side): string {
  const key = `${side} ${workflow} ${status}`
  const text = ACTIONS.get(key) ?? JSON.stringify(allowedActions(status, workflow, side))
  ACTIONS.set(key, text)
  return text
}
