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
import { hangBell } from './bell.ts'
import { QUEUES } from './messages.ts'

/** An endpoint's deliveries, while there are any. What is due, in what order and how often is in the database: the run only keeps time. */
export async function deliverWorkflow(endpointId: string): Promise<void> {
  const bell = hangBell()
  for (let isSlow = false; ; ) {
    bell.hush()
    const state: DeliveryState = isSlow ? await slowly.deliverToSlow(endpointId) : await quickly.deliver(endpointId)
    isSlow = state.slow === true
    show(state)
    if (state.at === null && !bell.rung()) break
    // Also with nothing to be sent just now: of an endpoint that is never at rest every signal is history.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof deliverWorkflow>(endpointId)
    const due = state.at === null ? 0 : Date.parse(state.at)
    if (due > Date.now()) await bell.wait(due)
  }
  await condition(allHandlersFinished)
}

/** For operators. No URLs: what is shown here is not encrypted. */
function show({ at, waiting }: DeliveryState): void {
  setCurrentDetails(
    at === null
      ? 'Nothing waits.'
      : `**${waiting}** ${waiting === 1 ? 'delivery waits' : 'deliveries wait'}; the next attempt is due at \`${at}\`. Its receiver does not answer as it should: the delivery log says how.`,
  )
}

const OPTIONS: ActivityOptions = {
  startToCloseTimeout: '2 minutes',
  // Until it works: what it could not do is still to be done.
  retry: { initialInterval: '500 ms', backoffCoefficient: 2, maximumInterval: '30 s' },
}
const quickly = proxyActivities<Pick<DeliveryActivities, 'deliver'>>({ ...OPTIONS, taskQueue: QUEUES.deliveries, heartbeatTimeout: '8 s' })
/** Hundreds may be at work, and each heartbeat is a write of the engine. */
const slowly = proxyActivities<Pick<DeliveryActivities, 'deliverToSlow'>>({
  ...OPTIONS,
  taskQueue: QUEUES.slowDeliveries,
  heartbeatTimeout: '20 s',
})
