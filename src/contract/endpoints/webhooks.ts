import { IdempotencyHeaders } from '../idempotencyKey.ts'
import { ListQuery } from '../publishedReads.ts'
import {
  ChangeEndpoint,
  CreateEndpoint,
  Delivery,
  DeliveryList,
  DeliveryListQuery,
  EndpointCreated,
  EndpointList,
  RangeRedelivered,
  RedeliverRange,
  RotateSecret,
  SecretRotated,
  TestDelivery,
  TestEndpoint,
  WebhookEndpoint,
} from '../webhook.ts'
import { endpoint, NO_CONTENT, named } from './endpoint.ts'

const own = { side: 'any', scope: 'webhooks:write' } as const

/** Webhooks, for both sides. */
export const WEBHOOKS = named({
  createWebhookEndpoint: endpoint({
    ...own,
    method: 'post',
    path: '/webhooks/endpoints',
    summary: 'Register a webhook endpoint',
    description:
      'Registers a URL that events are posted to and allowlists it as notify_url. Its signing secret is shown in this reply only. ' +
      'Each call creates another endpoint, also for the same URL, unless its Idempotency-Key repeats an earlier one. Events that happen from now on are delivered; earlier ones are ' +
      'not: read the feed.',
    body: CreateEndpoint,
    replies: { 201: EndpointCreated },
    replyHeaders: { 201: ['X-Idempotent-Replay'] },
    headers: IdempotencyHeaders,
    errors: ['CONFLICT'],
  }),
  listWebhookEndpoints: endpoint({
    ...own,
    method: 'get',
    path: '/webhooks/endpoints',
    summary: 'List webhook endpoints',
    description: "Returns the caller's registered endpoints, oldest first. Secrets are not included.",
    query: ListQuery,
    replies: { 200: EndpointList },
  }),
  getWebhookEndpoint: endpoint({
    ...own,
    method: 'get',
    path: '/webhooks/endpoints/:endpoint_id',
    summary: 'Get a webhook endpoint',
    description: "Returns one of the caller's endpoints, with the reason where it is disabled. Its secret is not included.",
    replies: { 200: WebhookEndpoint },
  }),
  changeWebhookEndpoint: endpoint({
    ...own,
    method: 'patch',
    path: '/webhooks/endpoints/:endpoint_id',
    summary: 'Change a webhook endpoint',
    description:
      'Changes the URL or the filters of an endpoint, on the authority of the calling credential; members left out stay as they are, and ' +
      'null selects everything. Its id, its secrets and its log stay. What waits is sent to the new URL, and the new filters select events ' +
      'that happen from now on.',
    body: ChangeEndpoint,
    unknownMembers: 'refuse',
    replies: { 200: WebhookEndpoint },
  }),
  deleteWebhookEndpoint: endpoint({
    ...own,
    method: 'delete',
    path: '/webhooks/endpoints/:endpoint_id',
    summary: 'Delete a webhook endpoint',
    description:
      'Removes an endpoint and drops the deliveries that are waiting for it. Deleting twice changes nothing. Events are not lost: ' +
      'the feed still has them.',
    replies: { 204: NO_CONTENT },
  }),
  enableWebhookEndpoint: endpoint({
    ...own,
    method: 'post',
    path: '/webhooks/endpoints/:endpoint_id/enable',
    summary: 'Enable a webhook endpoint',
    description:
      'Makes a disabled endpoint active again, on the authority of the calling credential. It does not send what was dropped ' +
      'in the meantime: redeliver a range for that. Enabling an active endpoint keeps it active.',
    replies: { 200: WebhookEndpoint },
  }),
  rotateWebhookSecret: endpoint({
    ...own,
    method: 'post',
    path: '/webhooks/endpoints/:endpoint_id/rotate-secret',
    summary: 'Rotate a webhook secret',
    description:
      'Creates a new signing secret and returns it once. The previous secret signs as well for another 24 hours; with expire_previous now ' +
      'no earlier secret signs any more, for one that has leaked. Each call rotates again, unless its Idempotency-Key repeats an earlier one.',
    body: RotateSecret,
    replies: { 200: SecretRotated },
    replyHeaders: { 200: ['X-Idempotent-Replay'] },
    headers: IdempotencyHeaders,
    errors: ['CONFLICT'],
  }),
  testWebhookEndpoint: endpoint({
    ...own,
    method: 'post',
    path: '/webhooks/endpoints/:endpoint_id/test',
    summary: 'Send a test event',
    description:
      'Queues a webhook.test event for an endpoint and returns its delivery, which does not wait for the receiver. The event is in ' +
      "no order's log and on no feed. Each call sends another one. In the sandbox event_type names any type, of which a whole example is posted; in production it is 422.",
    body: TestEndpoint,
    replies: { 202: TestDelivery },
    replyHeaders: { 202: ['X-Idempotent-Replay'] },
    headers: IdempotencyHeaders,
    errors: ['CONFLICT', 'INVALID_STATE'],
  }),
  listDeliveries: endpoint({
    ...own,
    method: 'get',
    path: '/webhooks/endpoints/:endpoint_id/deliveries',
    summary: 'List deliveries',
    description:
      "Returns the deliveries of one endpoint with their attempts, newest first, for 30 days. Events that the caller's credential " +
      'may not read are left out.',
    query: DeliveryListQuery,
    replies: { 200: DeliveryList },
  }),
  redeliver: endpoint({
    ...own,
    method: 'post',
    path: '/webhooks/endpoints/:endpoint_id/deliveries/:delivery_id/redeliver',
    summary: 'Redeliver one delivery',
    description:
      'Sends the event of one delivery again, as a new delivery with the same event_id. It does not wait for the receiver. Each ' +
      'call sends it once more.',
    replies: { 202: Delivery },
    replyHeaders: { 202: ['X-Idempotent-Replay'] },
    headers: IdempotencyHeaders,
    errors: ['CONFLICT', 'INVALID_STATE'],
  }),
  redeliverRange: endpoint({
    ...own,
    method: 'post',
    path: '/webhooks/endpoints/:endpoint_id/redeliver',
    summary: 'Redeliver a time range',
    description:
      'Sends again what was first sent to an endpoint in a range of time and was dropped (or, if asked, delivered), oldest first. ' +
      'With skip_delivered it leaves out what has since been delivered. It does not wait for the receiver. Each call sends the range ' +
      'once more, so receivers deduplicate by event_id.',
    body: RedeliverRange,
    replies: { 202: RangeRedelivered },
    replyHeaders: { 202: ['X-Idempotent-Replay'] },
    headers: IdempotencyHeaders,
    errors: ['CONFLICT', 'INVALID_STATE'],
  }),
})
