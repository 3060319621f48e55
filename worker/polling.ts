import { setTimeout as sleep } from 'node:timers/promises'
import type { NativeConnection, Worker } from '@temporalio/worker'
import { isForbidden } from './temporalErrors.ts'

/** Resolves when every one of these workers polls Temporal for tasks, or when `stopping` aborts. Waiting tasks then start immediately. */
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
      if (isForbidden(error)) return // such a server is believed to hear its workers
    }
    await sleep(25, undefined, { signal: stopping }).catch(() => undefined)
  }
}

/** temporal.api.enums.v1.TaskQueueType */
const WORKFLOW = 1
const ACTIVITY = 2
