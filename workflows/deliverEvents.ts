import { allHandlersFinished, condition, continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow'
import type { DeliveryActivities, DeliveryState } from '../activities/deliveries.ts'
import { QUEUES } from './messages.ts'
import { openWakeSignal } from './wakeSignal.ts'

/**
 * Runs while an endpoint has deliveries. The database decides what is due, in which order and how often; the run only keeps time. A sender
 * that is at work is told of more by a notification, so the run is signaled only where there is none. Returns what it did in all.
 */
export async function deliverWorkflow(endpointId: string): Promise<DeliveryState> {
  const woken = openWakeSignal()
  let [delivered, last_status]: [number, DeliveryState['last_status']] = [0, null]
  for (;;) {
    woken.clear()
    const state = await deliveries.deliver(endpointId)
    delivered += state.delivered
    last_status = state.last_status ?? last_status
    show(state)
    if (state.at === null && !woken.received()) {
      await condition(allHandlersFinished)
      return { ...state, delivered, last_status }
    }
    // This check comes even when nothing is due, since on a busy endpoint every signal adds to the history.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof deliverWorkflow>(endpointId)
    const due = state.at === null ? 0 : Date.parse(state.at)
    if (due > Date.now()) await woken.wait(due, state.next)
  }
}

/** Shows the state to operators, without URLs, since details are not encrypted. */
function show({ at, waiting }: DeliveryState): void {
  setCurrentDetails(
    at === null
      ? 'Nothing waits.'
      : `**${waiting}** ${waiting === 1 ? 'delivery waits' : 'deliveries wait'}; the next attempt is due at \`${at}\`. Its receiver does not answer as it should: the delivery log says how.`,
  )
}

const deliveries = proxyActivities<DeliveryActivities>({
  taskQueue: QUEUES.deliveries,
  summary: 'deliver',
  // Longer than a sending, which ends by itself after a minute and its open posts.
  startToCloseTimeout: '2 minutes',
  // The SDK sends a heartbeat after four fifths of this at the latest; a busy worker needs the rest. The lease of a dead one is over then.
  heartbeatTimeout: '8 s',
  // Retries until it succeeds, since the work remains due.
  retry: { initialInterval: '500 ms', backoffCoefficient: 2, maximumInterval: '30 s' },
})
