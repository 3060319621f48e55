import { Counter, Gauge, Histogram } from 'prom-client'
import { REGISTRY } from './registry.ts'

const registers = [REGISTRY]
const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export const OUTBOX_CARRIED = new Counter({
  name: 'outbox_carried_total',
  help: 'Outbox rows that were carried to Temporal, by kind of run and outcome: `carried`, `unreachable` (Temporal is away) or `failed`; the last two are carried again.',
  labelNames: ['kind', 'outcome'] as const,
  registers,
})
export const TEMPORAL_REACHABLE = new Gauge({
  name: 'temporal_reachable',
  help: 'Whether this worker reaches Temporal: 1, or 0 if Temporal does not answer within three seconds or does not know the namespace.',
  registers,
})
TEMPORAL_REACHABLE.remove() // a gauge without labels begins at 0, and other processes have no Temporal
export const DELIVERY_ATTEMPTS = new Counter({
  name: 'delivery_attempts_total',
  help: 'Attempts to deliver, by kind (`webhook`, `queue`, `mail`) and outcome: the class of the status, why there was none, or what the broker or mail server said.',
  labelNames: ['kind', 'outcome'] as const,
  registers,
})
export const DELIVERIES_DROPPED = new Counter({
  name: 'deliveries_dropped_total',
  help: 'Webhook deliveries that are not tried again, by the `dropped_reason` of their log.',
  labelNames: ['reason'] as const,
  registers,
})
export const DELIVERY_TIMES = new Histogram({
  name: 'delivery_attempt_duration_seconds',
  help: 'Time of one attempt to deliver, by kind.',
  labelNames: ['kind'] as const,
  buckets: SECONDS,
  registers,
})
export const SELLER_CALLS = new Histogram({
  name: 'seller_call_duration_seconds',
  help: "Time of a call of a seller's own API, by call (`availability`, `decisions`, `holds`) and outcome: the class of the status, or why there was no usable reply.",
  labelNames: ['call', 'outcome'] as const,
  buckets: SECONDS,
  registers,
})
export const DROPS = new Counter({
  name: 'drops_total',
  help: 'File drops that ended in this process, by outcome.',
  labelNames: ['outcome'] as const,
  registers,
})

/** Returns the class of a status: `2xx` to `5xx`. */
export function statusClass(status: number): string {
  return `${Math.floor(status / 100)}xx`
}
