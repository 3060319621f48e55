import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client'
import { wake } from '../workflows/messages.ts'
import { type RunKind, startOptions } from './runKind.ts'

/** Milliseconds after the end of a lease that a killed worker may have had. */
const AFTER_LEASE_MS = 100

/**
 * Sends an endpoint's deliveries from this process, without the engine: by the sender that is at work, or by a new one. The row that began it is held
 * until its end, so that another worker continues where a killed one was. A row that another relay held before is not done with while somebody else has
 * the endpoint: that may be the dead, which the end of its lease shows.
 */
export const sendHere: NonNullable<RunKind['work']> = ({ dispatcher }, { target, attempts }) => {
  if (dispatcher?.wake(target)) return Promise.resolve('nothing')
  return dispatcher?.send(target)?.then((left) => {
    if (left === 'run') return 'wake'
    if (left === 'ends') return { again: 0 }
    return left === 'nothing' || attempts === 1 ? 'nothing' : { again: left.elsewhereMs + AFTER_LEASE_MS }
  })
}

/** Wakes the run of an endpoint's deliveries, which is started if needed: what has to wait, it waits for. */
export const wakeEndpoint: RunKind['wake'] = async ({ client, startsEagerly }, { target }, run) => {
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
