import type { OrderEvent } from '../../contract/event.ts'
import type { QuoteEnd } from '../../contract/vocabulary.ts'
import { currentPlan, type OrderState } from './state.ts'

/** A quote of an order that has ended, by the locked_rate_id that its line cites. */
export interface EndedQuote {
  readonly locked_rate_id: string
  readonly reason: Exclude<QuoteEnd, 'lapsed'>
}

/**
 * Returns the quotes that events end (choices, End of a quote): those of replaced, rejected or withdrawn counters and plans, and all remaining
 * ones if the order ends without being placed or is canceled. An accepted or confirmed quote stays valid until it lapses.
 */
export function endedQuotes(before: OrderState, after: OrderState, events: readonly OrderEvent[]): EndedQuote[] {
  const kept = new Set(openQuotes(after))
  const ended = [...new Set(openQuotes(before))].filter((id) => !kept.has(id))
  if (ended.length === 0) return []
  const reason = reasonOf(before, after, events)
  return ended.map((locked_rate_id) => ({ locked_rate_id, reason }))
}

/** Returns the quotes that the plan or the lines of an order keep open. */
function openQuotes(order: OrderState): string[] {
  const { status, lines } = order
  if (status === 'canceled' || status === 'rejected' || status === 'failed') return []
  const planned = status === 'needs_confirmation' ? (currentPlan(order)?.line_items ?? []) : []
  const open = [...planned, ...lines.filter((line) => line.status !== 'rejected')]
  return open.flatMap(({ rate }) => (rate.quote_expires_at === undefined ? [] : [rate.locked_rate_id]))
}

function reasonOf(before: OrderState, { status }: OrderState, events: readonly OrderEvent[]): EndedQuote['reason'] {
  const decided = (decision: string) => events.some(({ decision_record }) => decision_record?.decision === decision)
  if (status === 'canceled') return decided('reject') ? 'rejected' : before.status === 'negotiating' ? 'withdrawn' : 'canceled'
  if (events.some(({ artifact }) => artifact?.name === 'plan_proposal') || decided('counter')) return 'replaced'
  return 'rejected'
}
