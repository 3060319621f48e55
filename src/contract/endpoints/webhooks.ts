import { ListQuery } from '../publishedReads.ts'
import {
  CreateEndpoint,
  Delivery,
  DeliveryList,
  DeliveryListQuery,
  EndpointCreated,
  EndpointList,
  RangeRedelivered,
  RedeliverRange,
  SecretRotated,
  WebhookEndpoint,
} from '../webhook.ts'
import { endpoint, NO_CONTENT, named } from './endpoint.ts'

const own = { side: 'any', scope: 'webhooks:write' } as const

/** Webhooks, of both sides. */
export const WEBHOOKS = named({
  createWebhookEndpoint: endpoint({
    ...own,
    method: 'post',
    path: '/webhooks/endpoints',
    summary: 'Register and allowlist a URL for events; the secret is shown once',
    body: CreateEndpoint,
    replies: { 201: EndpointCreated },
  }),
  listWebhookEndpoints: endpoint({
    ...own,
    method: 'get',
    path: '/webhooks/endpoints',
    summary: 'The registered endpoints, oldest first',
    query: ListQuery,
    replies: { 200: EndpointList },
  }),
  getWebhookEndpoint: endpoint({
    ...own,
    method: 'get',
    path: '/webhooks/endpoints/:endpoint_id',
    summary: 'One endpoint',
    replies: { 200: WebhookEndpoint },
  }),
  deleteWebhookEndpoint: endpoint({
    ...own,
    method: 'delete',
    path: '/webhooks/endpoints/:endpoint_id',
    summary: 'Remove an endpoint; what is on its way to it stops',
    replies: { 204: NO_CONTENT },
  }),
  enableWebhookEndpoint: endpoint({
    ...own,
    method: 'post',
    path: '/webhooks/endpoints/:endpoint_id/enable',
    summary: 'Make an endpoint that was disabled active again',
    replies: { 200: WebhookEndpoint },
  }),
  rotateWebhookSecret: endpoint({
    ...own,
    method: 'post',
    path: '/webhooks/endpoints/:endpoint_id/rotate-secret',
    summary: 'A new secret; the one before signs on for 24 hours',
    replies: { 200: SecretRotated },
  }),
  testWebhookEndpoint: endpoint({
    ...own,
    method: 'post',
    path: '/webhooks/endpoints/:endpoint_id/test',
    summary: 'Send a webhook.test event',
    replies: { 202: Delivery },
    errors: ['INVALID_STATE'],
  }),
  listDeliveries: endpoint({
    ...own,
    method: 'get',
    path: '/webhooks/endpoints/:endpoint_id/deliveries',
    summary: 'The log of deliveries with their attempts, newest first',
    query: DeliveryListQuery,
    replies: { 200: DeliveryList },
  }),
  redeliver: endpoint({
    ...own,
    method: 'post',
    path: '/webhooks/endpoints/:endpoint_id/deliveries/:delivery_id/redeliver',
    summary: 'Send one delivery again, as a new delivery',
    replies: { 202: Delivery },
    errors: ['INVALID_STATE'],
  }),
  redeliverRange: endpoint({
    ...own,
    method: 'post',
    path: '/webhooks/endpoints/:endpoint_id/redeliver',
    summary: 'Send again what was dropped (or delivered) in a stretch of time',
    body: RedeliverRange,
    replies: { 202: RangeRedelivered },
    errors: ['INVALID_STATE'],
  }),
})
