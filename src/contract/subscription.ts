import { z } from 'zod'
import { EVENT_TYPES, ORDER_STATUSES } from './vocabulary.ts'

/** What a webhook registration and a queue select, as they are read; null is everything (choices, Subscriptions). */
export const SUBSCRIBED = {
  events: z.array(z.enum(EVENT_TYPES)).min(1).max(50).nullable(),
  statuses: z.array(z.enum(ORDER_STATUSES)).min(1).max(50).nullable(),
}

/** The same as it is asked for: what is read may be sent back. */
export const SUBSCRIPTION = {
  events: SUBSCRIBED.events.optional().meta({ description: 'Omitted or null: all types.' }),
  statuses: SUBSCRIBED.statuses.optional().meta({ description: 'Restricts order.status_changed alone. Omitted or null: all statuses.' }),
}
