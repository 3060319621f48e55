import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client'
import { callSender } from '../src/store/delivery/endpointSenders.ts'
import { wake } from '../workflows/messages.ts'
import { type RunKind, startOptions, wakeOrStart } from './runKind.ts'

/**
 * Tells the sender of an endpoint, in whatever process, that there is more to send. Where there is none, starts the endpoint's run or wakes
 * it: it may be waiting for a retry.
 */
export const wakeEndpoint: RunKind['wake'] = async (deps, rows, run) => {
  const [{ target }] = rows
  const { client, db, startsEagerly } = deps
  if (await callSender(db.pool, target)) return
  const start = startOptions(run, target)
  try {
    // Mostly there is no run, and the reply to a start gives its first task at once.
    const options = { workflowIdConflictPolicy: 'FAIL', requestEagerStart: startsEagerly, staticSummary: `endpoint ${target}` } as const
    await client.workflow.start(run.workflow, { ...start, ...options })
  } catch (taken) {
    if (!(taken instanceof WorkflowExecutionAlreadyStartedError)) throw taken
    await client.workflow
      .getHandle(start.workflowId)
      .signal(wake)
      .catch((ended) => {
        if (!(ended instanceof WorkflowNotFoundError)) throw ended
        return wakeOrStart(deps, rows, run)
      })
  }
}
