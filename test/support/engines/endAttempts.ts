import { expect } from '@jest/globals'
import type { Client } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'

/** The most seconds that Temporal may take to notice by itself that a worker has died. */
const MOST_SECONDS = 15

/**
 * Ends the activity attempts of a run whose worker was killed, and lets the next ones begin at once. Temporal does so by itself when an
 * attempt has sent no heartbeat for its timeout, so each of them is expected to have such a timeout, of seconds.
 */
export async function endAttempts({ workflow, workflowService, options }: Client, runId: string): Promise<void> {
  const { raw } = await workflow.getHandle(runId).describe()
  const pending = raw.pendingActivities ?? []
  expect(pending).not.toEqual([])
  const applicationFailureInfo = { type: 'killed', nextRetryDelay: msToTs('1 ms') }
  for (const { activityId, activityOptions } of pending) {
    const seconds = Number(activityOptions?.heartbeatTimeout?.seconds ?? 0)
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(MOST_SECONDS)
    const failure = { message: 'the worker was killed', applicationFailureInfo }
    await workflowService.respondActivityTaskFailedById({
      ...{ namespace: options.namespace, workflowId: runId, activityId, failure },
    } as Parameters<typeof workflowService.respondActivityTaskFailedById>[0])
  }
}
