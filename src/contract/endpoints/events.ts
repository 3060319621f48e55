import { EventFeed, EventReplay } from '../event.ts'
import { FeedQuery, ReplayQuery } from '../orderQueries.ts'
import { PutQueueDelivery, QueueDelivery } from '../queueDelivery.ts'
import { endpoint, NO_CONTENT, named } from './endpoint.ts'

/** How events reach both sides: replay of an order, the tenant's feed, a message queue. */
export const EVENTS = named({
  replayEvents: endpoint({
    method: 'get',
    path: '/events',
    side: 'any',
    scope: 'orders:read',
    summary: 'Replay the events of one order after a seq',
    query: ReplayQuery,
    replies: { 200: EventReplay },
    errors: ['NOT_FOUND'],
  }),
  readFeed: endpoint({
    method: 'get',
    path: '/events/feed',
    side: 'any',
    scope: 'orders:read',
    summary: 'Every event of the tenant, resumable by cursor',
    query: FeedQuery,
    rate: 'feed',
    replies: { 200: EventFeed },
  }),
  getQueueDelivery: endpoint({
    method: 'get',
    path: '/events/queue',
    side: 'any',
    scope: 'webhooks:write',
    summary: 'Where delivery to a message queue stands',
    replies: { 200: QueueDelivery },
    errors: ['NOT_FOUND'],
  }),
  putQueueDelivery: endpoint({
    method: 'put',
    path: '/events/queue',
    side: 'any',
    scope: 'webhooks:write',
    summary: 'Have events delivered to a message queue, beside or instead of webhooks',
    body: PutQueueDelivery,
    replies: { 200: QueueDelivery },
    errors: ['CONFLICT'],
  }),
  deleteQueueDelivery: endpoint({
    method: 'delete',
    path: '/events/queue',
    side: 'any',
    scope: 'webhooks:write',
    summary: 'Publish nothing more to the message queue; what lies in it stays',
    replies: { 204: NO_CONTENT },
    errors: ['NOT_FOUND'],
  }),
})
