import { EventFeed, EventReplay } from '../event.ts'
import { FeedQuery, ReplayQuery } from '../orderQueries.ts'
import { PutQueueDelivery, QueueDelivery } from '../queueDelivery.ts'
import { endpoint, NO_CONTENT, named } from './endpoint.ts'

/** The ways in which events reach both sides: replay of an order, the tenant's feed, a message queue. */
export const EVENTS = named({
  replayEvents: endpoint({
    method: 'get',
    path: '/events',
    side: 'any',
    scope: 'orders:read',
    summary: 'Replay the events of an order',
    description:
      'Returns the events of one order after a seq, in order. Both sides read the same events. It changes nothing and can be ' +
      'repeated from any seq.',
    query: ReplayQuery,
    replies: { 200: EventReplay },
    errors: ['NOT_FOUND'],
  }),
  readFeed: endpoint({
    method: 'get',
    path: '/events/feed',
    side: 'any',
    scope: 'orders:read',
    summary: 'Read the event feed',
    description:
      'Returns every event of the tenant that its credential may read, in order, after a cursor; next_cursor continues from there. ' +
      'With wait_s the call waits for the next event. It acknowledges nothing: the same cursor returns the same events again.',
    query: FeedQuery,
    rate: 'feed',
    replies: { 200: EventFeed },
  }),
  getQueueDelivery: endpoint({
    method: 'get',
    path: '/events/queue',
    side: 'any',
    scope: 'webhooks:write',
    summary: 'Get queue delivery',
    description:
      "Returns the exchange and queue that the tenant's events are published to, and whether the broker has confirmed all of them. " +
      'Without a queue delivery it is 404.',
    replies: { 200: QueueDelivery },
    errors: ['NOT_FOUND'],
  }),
  putQueueDelivery: endpoint({
    method: 'put',
    path: '/events/queue',
    side: 'any',
    scope: 'webhooks:write',
    summary: 'Set up queue delivery',
    description:
      "Has the platform publish the tenant's events to a message queue of its own, beside or instead of webhooks, or changes the " +
      'filters of an existing delivery. Sending the same body again changes nothing. Messages arrive at least once, in the order of ' +
      "each order's seq.",
    body: PutQueueDelivery,
    replies: { 200: QueueDelivery },
    errors: ['CONFLICT'],
  }),
  deleteQueueDelivery: endpoint({
    method: 'delete',
    path: '/events/queue',
    side: 'any',
    scope: 'webhooks:write',
    summary: 'End queue delivery',
    description:
      'Stops publishing events to the message queue. Messages already in the queue stay there, and the feed still has every event.',
    replies: { 204: NO_CONTENT },
    errors: ['NOT_FOUND'],
  }),
})
