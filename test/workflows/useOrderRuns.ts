import type { WorkflowHandle } from '@temporalio/client'
import type { Duration } from '@temporalio/common'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { QUEUES } from '../../workflows/messages.ts'
import { lastingAttributesOf } from '../../workflows/searchAttributes.ts'
import { until } from '../support/until.ts'
import { type FakeLog, fakeLog } from './fakeLog.ts'
import { currentDetails, useTimeSkipping } from './useTimeSkipping.ts'

/** Runs of orders on a time-skipping server, over a log in memory. */
export interface OrderRuns {
  readonly time: { readonly env: TestWorkflowEnvironment }
  readonly log: FakeLog
  /** A new order with its run; the seller has `hours` of the server's time. */
  submit(order?: { hours?: number; order_id?: string; workflowTaskTimeout?: Duration }): Promise<{ order_id: string; run: WorkflowHandle }>
  start(orderId: string, options?: { workflowTaskTimeout?: Duration }): Promise<WorkflowHandle>
  /** So many hours from now, of the server's time. */
  inHours(hours: number): Promise<string>
  parked(orderId: string): Promise<void>
  /** At least so many steps were taken for the order. */
  steps(orderId: string, count: number): Promise<void>
  /** Ends a run between two workflow tasks: the time-skipping server never skips again after it lost one that was under way. */
  lose(run: WorkflowHandle): Promise<void>
}

export function useOrderRuns(): OrderRuns {
  let decideBy: string | null = null
  const log = fakeLog(() => decideBy)
  const time = useTimeSkipping(QUEUES.documents, log.documents, log.activities)
  const inHours = async (hours: number) => new Date((await time.env.currentTimeMs()) + hours * 3_600_000).toISOString()
  const start: OrderRuns['start'] = (orderId, options = {}) =>
    time.env.client.workflow.start('orderWorkflow', {
      workflowId: `order:${orderId}`,
      taskQueue: QUEUES.orders,
      args: [orderId],
      ...options,
      typedSearchAttributes: lastingAttributesOf(log.read(orderId)),
    })
  return {
    time,
    log,
    async submit({ hours, order_id = `ord_${log.count()}`, ...options } = {}) {
      decideBy = hours === undefined ? null : await inHours(hours)
      log.put({ order_id })
      return { order_id, run: await start(order_id, options) }
    },
    start,
    inHours,
    parked: (orderId) => until(() => log.read(orderId).status === 'seller_review'),
    steps: (orderId, count) => until(() => log.stepsOf(orderId).length >= count),
    async lose(run) {
      await until(async () => /^\*\*(seller_review|validating)\*\*/.test(await currentDetails(run)))
      await run.terminate()
    },
  }
}
