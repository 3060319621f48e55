import { Context } from '@temporalio/activity'
import type { DeliveryState, WebhookDispatcher } from '../src/operations/webhooks/dispatcher.ts'
import { classified } from './orders.ts'

export type { DeliveryState }
export type DeliveryActivities = ReturnType<typeof deliveryActivities>

/**
 * The endpoints that a process sends to at once. Most wait for a place or for more to send: 4,096 that wait took 160 MiB and a fifth of a core,
 * besides what the engine's client keeps for each activity.
 */
export const MAX_CONCURRENT_ENDPOINTS = 4_096
const HEARTBEAT_MS = 2_000

/** The step of an endpoint's run: sends its deliveries (`src/operations/webhooks`). */
export function deliveryActivities(dispatcher: Pick<WebhookDispatcher, 'deliver' | 'progress'>) {
  return {
    /** Tells by heartbeats what it has done, and by its result, since heartbeats leave no trace in a history. */
    async deliver(endpointId: string): Promise<DeliveryState> {
      const context = Context.current()
      const beating = setInterval(() => context.heartbeat(dispatcher.progress(endpointId)), HEARTBEAT_MS)
      try {
        return await classified(() => dispatcher.deliver(endpointId, context.cancellationSignal))
      } finally {
        clearInterval(beating)
      }
    },
  }
}
