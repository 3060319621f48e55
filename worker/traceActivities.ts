import { AsyncLocalStorage } from 'node:async_hooks'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import { tracedIn } from '../src/metrics/tracing.ts'
import type { Database } from '../src/store/connection/database.ts'
import { lastTraceparent } from '../src/store/orders/eventTraces.ts'
import { runIdOf } from './runs.ts'

const underWay = new AsyncLocalStorage<string>()

/** Returns the W3C `traceparent` for everything that the current step causes. It adds no cost, since Temporal's SDK tracks steps alike. */
export function traceOfStep(): string | undefined {
  return underWay.getStore()
}

/**
 * Records a span for each step of an order's run, in the trace that last appended to the order. No header goes through Temporal, and
 * workflows know of no trace, so histories are the same with tracing and without.
 */
export function traceActivities({ pool }: Pick<Database, 'pool'>): ActivityInterceptorsFactory {
  const prefix = runIdOf('order', '')
  return ({ info: { workflowExecution, activityType } }) => ({
    inbound: {
      async execute(input, next) {
        const runId = workflowExecution?.workflowId ?? ''
        if (!runId.startsWith(prefix)) return next(input)
        const orderId = runId.slice(prefix.length)
        const parent = await lastTraceparent(pool, orderId).catch(() => null)
        if (parent === null) return next(input)
        const step = { name: `step ${activityType}`, attributes: { 'marketplace.order_id': orderId } }
        return tracedIn(parent, step, (span) => underWay.run(span?.traceparent ?? parent, () => next(input)))
      },
    },
  })
}
