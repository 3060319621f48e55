import { z } from 'zod'
import { Stamp } from './scalars.ts'
import { AUTHORITY, SUBSCRIBED, SUBSCRIPTION } from './subscription.ts'
import { UnknownMembers } from './unknownMembers.ts'
import { QUEUE_FAILURES } from './vocabulary.ts'

/** PUT /events/queue: delivery to a message queue, with the filters of a webhook registration (contract, Delivery). */
export const PutQueueDelivery = z
  .object({
    ...SUBSCRIPTION,
    after: z.string().optional().meta({
      description:
        'A next_cursor of the feed with the same filters; delivery begins after it. If omitted, a new delivery begins now and an existing one continues.',
    }),
  })
  .meta({ id: 'PutQueueDelivery' })
export type PutQueueDelivery = z.infer<typeof PutQueueDelivery>

export const QueueDelivery = z
  .object({
    exchange: z
      .string()
      .meta({ description: 'The name of a durable topic exchange of this tenant only. The routing key is the event type.' }),
    queue: z.string().meta({
      description:
        'The name of a durable queue bound to the whole exchange. It exists on the broker before the reply; declare it passively or not at all.',
    }),
    ...SUBSCRIBED,
    ...AUTHORITY,
    created_at: Stamp,
    up_to_date: z.boolean().meta({ description: 'Whether the broker has confirmed every event so far.' }),
    failing: z
      .object({ since: Stamp, reason: z.enum(QUEUE_FAILURES) })
      .nullable()
      .meta({ description: 'The time since which publishing fails, and the reason; null while it works. No event is lost.' }),
    warnings: UnknownMembers,
  })
  .meta({ id: 'QueueDelivery' })
export type QueueDelivery = z.infer<typeof QueueDelivery>
