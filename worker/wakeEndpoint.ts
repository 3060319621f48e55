import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client'
import { wake } from '../workflows/messages.ts'
import { type RunKind, startOptions } from './runKind.ts'

/** Milliseconds to wait after the end of a lease that a killed worker may have held. */
const AFTER_LEASE_MS = 100

/**
 * Sends an endpoint's deliveries from this process without Temporal, by the running sender or a new one. The row that started it stays
 * claimed until it ends, so that another worker can continue for a killed one. A row that another relay held before is not finished while
 * somebody else holds the endpoint: the holder may be dead, which only the end of its lease shows.
 */
export const sendHere: NonNullable<RunKind['work']> = ({ dispatcher }, { target, attempts }) => {
  if (dispatcher?.wake(target)) return Promise.resolve('nothing')
  return dispatcher?.send(target)?.then((left) => {
    if (left === 'run') return 'wake'
    if (left === 'ends') return { again: 0 }
    return left === 'nothing' || attempts === 1 ? 'nothing' : { again: left.elsewhereMs + AFTER_LEASE_MS }
  })
}

/** Wakes the run of an endpoint's deliveries, and starts it if needed; the run waits for deliveries that are due later. */
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
        return signal() // another worker has started the run first, and the run may have looked already
      })
  }
}
