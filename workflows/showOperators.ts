import type { SearchAttributeUpdatePair } from '@temporalio/common'
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow'
import type { OrderHead } from '../src/domain/order/head.ts'
import { attributesOf, ORDER_ATTRIBUTES } from './searchAttributes.ts'

/** Shows in the Temporal UI what an order waits for, on whom, since when and until when. Costs an event only when an attribute changes. */
export function showOperators(order: OrderHead): void {
  const overdue = isOverdue(order)
  upsertChanged([...attributesOf(order), { key: ORDER_ATTRIBUTES.OrderOverdue, value: overdue ? true : null }])
  setCurrentDetails(detailsOf(order, overdue))
}

/** Shows the statuses that an order has passed since the last look: several commands may have come at once. */
export function showPassed(passed: readonly OrderHead['status'][]): void {
  for (const status of passed) upsertChanged([{ key: ORDER_ATTRIBUTES.OrderStatus, value: status }])
}

/** Shows what keeps a step from working; null when nothing does. The next look updates the details. */
export function showStuck(reason: string | null): void {
  upsertChanged([{ key: ORDER_ATTRIBUTES.OrderStuckReason, value: reason }])
  if (reason !== null)
    setCurrentDetails(
      `**Stuck**: \`${reason}\`, last tried ${moment(new Date())}. It is tried again automatically; the worker's log says more.`,
    )
}

/** Returns whether the time for a decision has passed without one. */
export function isOverdue({ status, decide_by }: OrderHead): boolean {
  return status === 'seller_review' && decide_by !== null && Date.parse(decide_by) <= Date.now()
}

/** Sets search attributes. Costs an event only when one changes. */
export function upsertChanged(wanted: SearchAttributeUpdatePair[]): void {
  const shown = workflowInfo().typedSearchAttributes
  const changed = wanted.filter(({ key, value }) => comparable(shown.get(key)) !== comparable(value))
  if (changed.length > 0) upsertSearchAttributes(changed)
}

function comparable(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : (value ?? null)
}

function detailsOf(order: OrderHead, overdue: boolean): string {
  const since = order.parked_since === null ? '' : ` since ${moment(order.parked_since)}`
  const waits = order.substatus === 'awaiting_plan' ? "waits for the seller's plan" : WAITS_FOR[order.status]
  const lines = [`**${order.status}**${order.substatus === null ? '' : ` (${order.substatus})`}: ${waits}${since}.`]
  if (order.stuck_reason)
    lines.push(`**Stuck**: \`${order.stuck_reason}\`. The platform asks the seller's API again automatically; people may decide.`)
  if (order.substatus === 'quote_lapsed')
    lines.push('**Quote lapsed**: it cannot be accepted any more. The seller may counter again; the buyer may withdraw.')
  if (order.decide_by !== null) lines.push(`${deadlineOf(order, overdue)} ${moment(order.decide_by)}.`)
  if (isExpired(order)) lines.push('It cannot be confirmed any more. The seller may send another plan; the buyer may reject.')
  return lines.join('\n\n')
}

/** Returns whether the plan that the buyer could confirm has expired. Only the display uses this; the log checks the expiry itself. */
function isExpired({ status, decide_by }: OrderHead): boolean {
  return status === 'needs_confirmation' && decide_by !== null && Date.parse(decide_by) < Date.now()
}

function deadlineOf(order: OrderHead, overdue: boolean): string {
  const { status } = order
  if (status === 'needs_confirmation') return isExpired(order) ? '**Plan expired** at' : 'The plan is valid until'
  if (status === 'negotiating') return 'The first quote is valid until'
  return overdue ? '**Overdue**: the decision was due at' : 'Decide by'
}

const WAITS_FOR: Record<OrderHead['status'], string> = {
  submitted: 'about to be validated',
  validating: 'being validated',
  needs_confirmation: 'waits for the buyer to confirm',
  confirmed: 'confirmed, on its way to the seller',
  negotiating: "waits for the buyer's answer to a counter",
  seller_review: "waits for the seller's decision",
  placed: 'closed',
  canceled: 'closed',
  rejected: 'closed',
  failed: 'closed',
}

/** Formats a time for the details. */
export function moment(time: string | Date): string {
  return `\`${new Date(time).toISOString()}\``
}
