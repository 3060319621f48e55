import { Counter, Gauge, Histogram } from 'prom-client'
import { REGISTRY } from './registry.ts'

const registers = [REGISTRY]

export const HTTP_REQUESTS = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from the head of a request to the end of its reply, by endpoint (`none`: there is no such endpoint), method, and class of status (`closed`: the client left before).',
  labelNames: ['route', 'method', 'status_class'] as const,
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers,
})
export const HTTP_IN_FLIGHT = new Gauge({
  name: 'http_requests_in_flight',
  help: 'Requests that wait for the end of their reply.',
  registers,
})
export const HTTP_RATE_LIMITED = new Counter({ name: 'http_rate_limited_total', help: 'Requests answered 429.', registers })
export const REFUSALS = new Counter({
  name: 'refusals_total',
  help: 'Requests that were refused, by error_code.',
  labelNames: ['code'] as const,
  registers,
})
