import {
  type ActivityOptions,
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow'
import type { DeliveryActivities, DeliveryState } from '../activities/deliveries.ts'
import { QUEUES } from './messages.ts'
import { openWakeSignal } from './wakeSignal.ts'

/** Runs while an endpoint has deliveries. The database decides what is due, in which order and how often; the run only keeps time. */
export async function deliverWorkflow(endpointId: string): Promise<void> {
  const woken = openWakeSignal()
  for (let isSlow = false; ; ) {
    woken.clear()
    const state: DeliveryState = isSlow ? await slowly.deliverToSlow(endpointId) : await quickly.deliver(endpointId)
    isSlow = state.slow === true
    show(state)
    if (state.at === null && !woken.received()) break
    // This check comes even when nothing is due, since on a busy endpoint every signal adds to the history.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof deliverWorkflow>(endpointId)
    const due = state.at === null ? 0 : Date.parse(state.at)
    if (due > Date.now()) await woken.wait(due)
  }
  await condition(allHandlersFinished)
}

/** Shows the state to operators, without URLs, since details are not encrypted. */
function show({ at, waiting }: DeliveryState): void {
  setCurrentDetails(
    at === null
      ? 'Nothing waits.'
      : `**${waiting}** ${waiting === 1 ? 'delivery waits' : 'deliveries wait'}; the next attempt is due at \`${at}\`. Its receiver does not answer as it should: the delivery log says how.`,
  )
}

const OPTIONS: ActivityOptions = {
  startToCloseTimeout: '2 minutes',
  // Retries until it succeeds, since the work remains due.
  retry: { initialInterval: '500 ms', backoffCoefficient: 2, maximumInterval: '30 s' },
}
const quickly = proxyActivities<Pick<DeliveryActivities, 'deliver'>>({ ...OPTIONS, taskQueue: QUEUES.deliveries, heartbeatTimeout: '8 s' })
/** Has a long heartbeat timeout, since hundreds may run and each heartbeat is a database write in Temporal. */
const slowly = proxyActivities<Pick<DeliveryActivities, 'deliverToSlow'>>({
  ...OPTIONS,
  taskQueue: QUEUES.slowDeliveries,
  heartbeatTimeout: '20 s',
})
