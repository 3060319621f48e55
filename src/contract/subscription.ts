import { z } from 'zod'
import { EVENT_TYPES, ORDER_STATUSES } from './vocabulary.ts'

/** The filters of a webhook registration or a queue, on reads; null selects everything (choices, Subscriptions). */
export const SUBSCRIBED = {
  events: z.array(z.enum(EVENT_TYPES)).min(1).max(50).nullable(),
  statuses: z.array(z.enum(ORDER_STATUSES)).min(1).max(50).nullable(),
}

/** The credential whose rights limit the events sent, while it is valid. */
export const AUTHORITY = {
  credential_id: z
    .string()
    .nullable()
    .meta({ description: 'The id of the credential that authorizes the events; null if it is no longer valid.' }),
  readable_events: z
    .array(z.enum(EVENT_TYPES))
    .meta({ description: 'The event types that this credential may read. Other types are never sent.' }),
}

/** The filters on requests. A client may send back what it has read. */
export const SUBSCRIPTION = {
  events: SUBSCRIBED.events.optional().meta({ description: 'The event types to send; all types if omitted or null.' }),
  statuses: SUBSCRIBED.statuses
    .optional()
    .meta({ description: 'The order statuses to which order.status_changed is restricted; all statuses if omitted or null.' }),
}
