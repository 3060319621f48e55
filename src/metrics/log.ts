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
export const LOG_EVENTS = new Counter({ name: 'log_events_total', help: 'Events that commands appended to the log of orders.', registers })
