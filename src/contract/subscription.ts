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
    .meta({ description: 'The credential on whose authority events are sent; null when it no longer lives.' }),
  readable_events: z.array(z.enum(EVENT_TYPES)).meta({ description: 'The types that this credential may read: others are never sent.' }),
}

/** The same as it is asked for: what is read may be sent back. */
export const SUBSCRIPTION = {
  events: SUBSCRIBED.events.optional().meta({ description: 'Omitted or null: all types.' }),
  statuses: SUBSCRIBED.statuses.optional().meta({ description: 'Restricts order.status_changed alone. Omitted or null: all statuses.' }),
}
