import { z } from 'zod'
import { EVENT_TYPES, ORDER_STATUSES } from './vocabulary.ts'

/** What a webhook registration and a queue select, as they are read; null is everything (choices, Subscriptions). */
export const SUBSCRIBED = {
  events: z.array(z.enum(EVENT_TYPES)).min(1).max(50).nullable(),
  statuses: z.array(z.enum(ORDER_STATUSES)).min(1).max(50).nullable(),
}

/** On whose authority events are sent: what that credential may read, for as long as it lives. */
export const AUTHORITY = {
  credential_id: z
    .string()
    .nullable()
    .meta({ description: 'The id of the credential that authorizes the events; null if it is no longer valid.' }),
  readable_events: z
    .array(z.enum(EVENT_TYPES))
    .meta({ description: 'The event types that this credential may read. Other types are never sent.' }),
}

/** The same as it is asked for: what is read may be sent back. */
export const SUBSCRIPTION = {
  events: SUBSCRIBED.events.optional().meta({ description: 'The event types to send; all types if omitted or null.' }),
  statuses: SUBSCRIBED.statuses
    .optional()
    .meta({ description: 'The order statuses to which order.status_changed is restricted; all statuses if omitted or null.' }),
}
