import { EventFeed, EventReplay } from '../src/contract/event.ts'
import { PutQueueDelivery, QueueDelivery } from '../src/contract/queueDelivery.ts'
import { type Endpoint, endpoint, NO_CONTENT } from './endpoint.ts'
import { FeedQuery, getEvents, getFeed, ReplayQuery } from './orderReads.ts'
import { deleteQueue, getQueue, putQueue } from './queueDelivery.ts'

/** How events reach both sides: replay of an order, the tenant's feed, a message queue. */
export const EVENT_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    name: 'replayEvents',
    method: 'get',
    path: '/events',
    side: 'any',
    scope: 'orders:read',
    summary: 'Replay the events of one order after a seq',
    query: ReplayQuery,
    replies: { 200: EventReplay },
    errors: ['NOT_FOUND'],
    handler: getEvents,
  }),
  endpoint({
    name: 'readFeed',
    method: 'get',
    path: '/events/feed',
    side: 'any',
    scope: 'orders:read',
    summary: 'Every event of the tenant, resumable by cursor',
    query: FeedQuery,
    rate: 'feed',
    replies: { 200: EventFeed },
    handler: getFeed,
  }),
  endpoint({
    name: 'getQueueDelivery',
    method: 'get',
    path: '/events/queue',
    side: 'any',
    scope: 'webhooks:write',
    summary: 'Where delivery to a message queue stands',
    replies: { 200: QueueDelivery },
    errors: ['NOT_FOUND'],
    handler: getQueue,
  }),
  endpoint({
    name: 'putQueueDelivery',
    method: 'put',
    path: '/events/queue',
    side: 'any',
    scope: 'webhooks:write',
    summary: 'Have events delivered to a message queue, beside or instead of webhooks',
    body: PutQueueDelivery,
    replies: { 200: QueueDelivery },
    errors: ['CONFLICT'],
    handler: putQueue,
  }),
  endpoint({
    name: 'deleteQueueDelivery',
    method: 'delete',
    path: '/events/queue',
    side: 'any',
    scope: 'webhooks:write',
    summary: 'Publish nothing more to the message queue; what lies in it stays',
    replies: { 204: NO_CONTENT },
    errors: ['NOT_FOUND'],
    handler: deleteQueue,
  }),
]
