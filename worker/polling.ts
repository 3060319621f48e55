import { setTimeout as sleep } from 'node:timers/promises'
import type { NativeConnection, Worker } from '@temporalio/worker'
import { isForbidden } from './temporalErrors.ts'

/** Resolves when all of these workers poll Temporal for tasks, so that waiting tasks start immediately, or when `stopping` aborts. */
export async function polling(connection: NativeConnection, workers: readonly Worker[], stopping: AbortSignal): Promise<void> {
  await Promise.all(workers.map((worker) => polls(connection, worker, stopping)))
}

async function polls({ workflowService }: NativeConnection, { options }: Worker, stopping: AbortSignal): Promise<void> {
  const { namespace, taskQueue, identity, workflowBundle } = options
  const asked = { namespace, taskQueue: { name: taskQueue }, taskQueueType: workflowBundle === undefined ? ACTIVITY : WORKFLOW }
  while (!stopping.aborted) {
    try {
      const { pollers } = await workflowService.describeTaskQueue(asked)
      if (pollers.some((poller) => poller.identity === identity)) return
    } catch (error) {
      if (isForbidden(error)) return // if the server forbids the question, assume that the worker polls
    }
    await sleep(25, undefined, { signal: stopping }).catch(() => undefined)
  }
}

/** Returns how many workflow tasks of a queue Temporal has stored, approximately; 0 if it does not count them. */
export async function countWaitingTasks(
  { workflowService }: Pick<NativeConnection, 'workflowService'>,
  { namespace, queue }: { namespace: string; queue: string },
): Promise<number> {
  const asked = { namespace, taskQueue: { name: queue }, taskQueueType: WORKFLOW, reportStats: true }
  const { stats } = await workflowService.describeTaskQueue(asked)
  return Number(stats?.approximateBacklogCount ?? 0)
}

/** temporal.api.enums.v1.TaskQueueType */
const WORKFLOW = 1
const ACTIVITY = 2
