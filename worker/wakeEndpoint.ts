import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client'
import { wake } from '../workflows/messages.ts'
import { type RunKind, startOptions } from './runKind.ts'

/**
 * Wakes an endpoint's deliveries: the sender in this process if there is one, else their run, which is started if needed. If a worker dies
 * while sending, its activity fails and the next attempt finds the deliveries in the database.
 */
export const wakeEndpoint: RunKind['wake'] = async ({ client, dispatcher, startsEagerly }, { target }, run) => {
  if (dispatcher?.wake(target)) return
  const start = startOptions(run, target)
  const signal = () => client.workflow.getHandle(start.workflowId).signal(wake)
  try {
    await signal()
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
    await client.workflow
      .start(run.workflow, {
        ...start,
        workflowIdConflictPolicy: 'FAIL',
        requestEagerStart: startsEagerly,
        staticSummary: `deliveries to ${target}`,
      })
      .catch((taken) => {
        if (!(taken instanceof WorkflowExecutionAlreadyStartedError)) throw taken
        return signal() // another worker was faster and may have looked already
      })
  }
}
