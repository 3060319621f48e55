import { Counter, Histogram } from 'prom-client'
import { REGISTRY } from './registry.ts'

const registers = [REGISTRY]

export const LOG_APPENDS = new Histogram({
  name: 'log_append_duration_seconds',
  help: 'Time of the statement that appends to the log of orders, by what is appended: creates (of a group of orders), or the events of one command.',
  labelNames: ['what'] as const,
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
  registers,
})
export const LOG_GROUPS = new Histogram({
  name: 'log_group_size',
  help: 'Orders that were created in one commit.',
  buckets: [1, 2, 4, 8, 16, 32, 64],
  registers,
})
const LOG_EVENTS = new Counter({ name: 'log_events_total', help: 'Events that commands appended to the log of orders.', registers })

const DECISIONS = new Histogram({
  name: 'decision_sla_ratio',
  help: "Decisions of orders in seller_review, by gate: the time that a decision took over the time that the seller's sla allows it. One up to 1 has met it.",
  labelNames: ['gate'] as const,
  buckets: [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 1, 1.5, 2, 5],
  registers,
})

/** The members of an event that describe its decision; one that was not measured against the sla has no latency. */
interface Decided {
  readonly occurred_at: string
  readonly decision_record?: { readonly gate: string } | undefined
  readonly decision_latency?: { readonly since: string; readonly due_by: string } | undefined
}

/** Counts the appended events, and measures the decisions among them. */
export function measureEvents(events: readonly Decided[]): void {
  LOG_EVENTS.inc(events.length)
  for (const { occurred_at, decision_record, decision_latency } of events) {
    if (decision_record === undefined || decision_latency === undefined) continue
    const since = Date.parse(decision_latency.since)
    const allowed = Date.parse(decision_latency.due_by) - since
    if (allowed > 0) DECISIONS.observe({ gate: decision_record.gate }, (Date.parse(occurred_at) - since) / allowed)
  }
}
