import { z } from 'zod'
import { Stamp } from './scalars.ts'
import { AUTHORITY, SUBSCRIBED, SUBSCRIPTION } from './subscription.ts'
import { UnknownMembers } from './unknownMembers.ts'
import { QUEUE_FAILURES } from './vocabulary.ts'

/** PUT /events/queue: delivery to a message queue, with the filters of a webhook registration (spec, Events 5). */
export const PutQueueDelivery = z
  .object({
    ...SUBSCRIPTION,
    after: z.string().optional().meta({
      description:
        'A next_cursor of the feed with the same filters: delivery begins after it. Omitted: from now on; where a delivery stands, it goes on.',
    }),
  })
  .meta({ id: 'PutQueueDelivery' })
export type PutQueueDelivery = z.infer<typeof PutQueueDelivery>

export const QueueDelivery = z
  .object({
    exchange: z.string().meta({ description: 'A durable topic exchange of this tenant alone; the routing key is the event type.' }),
    queue: z.string().meta({
      description:
        'A durable queue that is bound to all of it; it is on the broker before the answer. Declare it passively, or not at all.',
    }),
    ...SUBSCRIBED,
    ...AUTHORITY,
    created_at: Stamp,
    up_to_date: z.boolean().meta({ description: 'The broker has confirmed every event so far.' }),
    failing: z
      .object({ since: Stamp, reason: z.enum(QUEUE_FAILURES) })
      .nullable()
      .meta({ description: 'Since when nothing could be published, and why. Nothing is lost meanwhile.' }),
    warnings: UnknownMembers,
  })
  .meta({ id: 'QueueDelivery' })
export type QueueDelivery = z.infer<typeof QueueDelivery>
