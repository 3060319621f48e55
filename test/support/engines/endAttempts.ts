import type { ChildProcess } from 'node:child_process'
import { expect } from '@jest/globals'
import type { Client } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'

/** The most seconds that Temporal may take to notice by itself that a worker has died. */
const MAX_SECONDS = 15

/**
 * Ends the activity attempts of a run that a killed worker has left, so that the next ones begin at once, and offers the run's next task to
 * all workers. Temporal does so by itself when an attempt has sent no heartbeat for its timeout, so each of them is expected to have such a
 * timeout, of seconds. To be called when the next worker polls: a task may still be given to the last poll of the dead one.
 */
export async function endAttempts({ workflow, workflowService, options }: Client, runId: string, dead: ChildProcess): Promise<void> {
  const { raw } = await workflow.getHandle(runId).describe()
  const { namespace } = options
  await workflowService.resetStickyTaskQueue({ namespace, execution: { workflowId: runId } })
  const applicationFailureInfo = { type: 'killed', nextRetryDelay: msToTs('1 ms') }
  for (const { activityId, activityOptions, lastWorkerIdentity } of raw.pendingActivities ?? []) {
    const seconds = Number(activityOptions?.heartbeatTimeout?.seconds ?? 0)
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(MAX_SECONDS)
    if (!lastWorkerIdentity?.startsWith(`${dead.pid}@`)) continue
    const failure = { message: 'the worker was killed', applicationFailureInfo }
    const request = { namespace, workflowId: runId, activityId, failure }
    await workflowService.respondActivityTaskFailedById(request as Parameters<typeof workflowService.respondActivityTaskFailedById>[0])
  }
}
