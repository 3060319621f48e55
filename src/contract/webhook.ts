import { z } from 'zod'
import { listQuery } from './listQuery.ts'
import { IsoDateTime, NextCursor, Stamp } from './scalars.ts'
import { AUTHORITY, SUBSCRIBED, SUBSCRIPTION } from './subscription.ts'
import { UnknownMembers } from './unknownMembers.ts'
import { DELIVERY_STATUSES, DROP_REASONS, EVENT_TYPES, UNREADABLE_SECRETS, WEBHOOK_TEST } from './vocabulary.ts'

/** POST /webhooks/endpoints: registers a notify URL (contract, Subscriptions). */
export const CreateEndpoint = z.object({ url: z.string(), ...SUBSCRIPTION }).meta({ id: 'CreateEndpoint' })
export type CreateEndpoint = z.infer<typeof CreateEndpoint>

/** PATCH /webhooks/endpoints/{id}: what to change. A member that is left out stays; null of a filter selects everything. */
export const ChangeEndpoint = z.object({ url: z.string().optional(), ...SUBSCRIPTION }).meta({ id: 'ChangeEndpoint' })
export type ChangeEndpoint = z.infer<typeof ChangeEndpoint>

/** POST …/rotate-secret: `now` for a secret that has leaked. */
export const RotateSecret = z
  .object({
    expire_previous: z
      .enum(['now', 'in_24_hours'])
      .optional()
      .meta({ description: 'When the secrets until now stop to sign: in_24_hours if omitted. now ends every earlier one.' }),
  })
  .meta({ id: 'RotateSecret' })
export type RotateSecret = z.infer<typeof RotateSecret>

const endpoint = {
  endpoint_id: z.string(),
  url: z.string(),
  ...SUBSCRIBED,
  status: z.enum(['active', 'disabled']),
  disabled_reason: z.enum(['gone', 'failing_for_five_days', 'credential_revoked', 'credential_expired']).optional().meta({
    description:
      'gone: the receiver replied 410. failing_for_five_days: every attempt failed for five days. credential_revoked, credential_expired: the credential that authorized it is no longer valid; enable it with another one.',
  }),
  ...AUTHORITY,
  failing_since: Stamp.optional().meta({ description: 'The UTC time since which every attempt has failed.' }),
  unreadable_secrets: z.array(z.enum(UNREADABLE_SECRETS)).optional().meta({
    description:
      'Signing secrets that the platform can no longer decrypt. The others still sign; if none is left, deliveries wait for rotate-secret.',
  }),
  created_at: Stamp,
}

/** A registered endpoint on reads. Its secret is shown only when it is created. */
export const WebhookEndpoint = z.object(endpoint).meta({ id: 'WebhookEndpoint' })
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>

export const EndpointCreated = z.object({ ...endpoint, secret: z.string(), warnings: UnknownMembers }).meta({ id: 'EndpointCreated' })
export type EndpointCreated = z.infer<typeof EndpointCreated>

export const EndpointList = z.object({ items: z.array(WebhookEndpoint), next_cursor: NextCursor }).meta({ id: 'EndpointList' })

/** POST …/test. */
export const TestEndpoint = z
  .object({
    event_type: z
      .enum([...EVENT_TYPES, WEBHOOK_TEST])
      .default(WEBHOOK_TEST)
      .meta({ description: 'The type of which a whole example is posted; webhook.test if omitted. Other types are for sandboxes only.' }),
  })
  .meta({ id: 'TestEndpoint' })
export type TestEndpoint = z.infer<typeof TestEndpoint>

/** POST …/rotate-secret: until the returned time every request also has a signature made with the replaced secret. */
export const SecretRotated = z
  .object({ endpoint_id: z.string(), secret: z.string(), previous_secret_valid_until: Stamp, warnings: UnknownMembers })
  .meta({ id: 'SecretRotated' })
export type SecretRotated = z.infer<typeof SecretRotated>

/** One attempt at a delivery. `error` is the reason if there was no response; only the status of a response is kept. */
export const DeliveryAttempt = z
  .object({
    at: Stamp,
    status_code: z.int().optional(),
    error: z.string().optional().meta({
      description:
        'The reason why there was no reply: refused_address (the name resolves to an address that the platform does not call), dns, connect, tls, timeout, reset or protocol. Values may be added.',
    }),
    latency_ms: z.int(),
  })
  .meta({ id: 'DeliveryAttempt' })
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>

/** The delivery of an event to an endpoint. `event_id` is the same on every attempt and redelivery, and is sent as `webhook-id`. */
export const Delivery = z
  .object({
    delivery_id: z.string(),
    event_type: z.enum([...EVENT_TYPES, WEBHOOK_TEST]),
    event_id: z.string(),
    order_id: z.string().optional(),
    seq: z.int().positive().optional(),
    status: z.enum(DELIVERY_STATUSES),
    dropped_reason: z.enum(DROP_REASONS).optional().meta({
      description:
        'The reason why it was dropped. attempts_failed: no attempt got a 2xx reply. gone: the receiver replied 410. too_late: 25.5 seconds had passed since its first attempt before the next could begin. endpoint_deleted, endpoint_disabled: it was still waiting. event_missing: the event is no longer in the log.',
    }),
    redelivery_of: z.string().optional(),
    created_at: Stamp,
    attempts: z.array(DeliveryAttempt),
  })
  .meta({ id: 'Delivery' })
export type Delivery = z.infer<typeof Delivery>

/** The delivery of a test event. */
export const TestDelivery = Delivery.extend({ warnings: UnknownMembers }).meta({ id: 'TestDelivery' })

export const DeliveryList = z.object({ items: z.array(Delivery), next_cursor: NextCursor }).meta({ id: 'DeliveryList' })
export type DeliveryList = z.infer<typeof DeliveryList>

/** GET …/deliveries: newest first. */
export const DeliveryListQuery = z.strictObject({
  status: z.enum(DELIVERY_STATUSES).optional(),
  order_id: z.string().max(200).optional(),
  ...listQuery({ usual: 50, max: 200 }),
})
export type DeliveryListQuery = z.infer<typeof DeliveryListQuery>

/** POST …/redeliver: deliveries first sent in a time range (`from` inclusive, `to` exclusive, default now) that ended in the status, oldest first. */
export const RedeliverRange = z
  .object({
    from: IsoDateTime,
    to: IsoDateTime.optional(),
    status: z
      .enum(['dropped', 'delivered'])
      .optional()
      .meta({ description: 'The status of the deliveries to send again; dropped if omitted.' }),
    skip_delivered: z.boolean().optional().meta({
      description: 'Whether to leave out events that another delivery to this endpoint has brought since; false if omitted.',
    }),
  })
  .meta({ id: 'RedeliverRange' })
export type RedeliverRange = z.infer<typeof RedeliverRange>

export const RangeRedelivered = z
  .object({ endpoint_id: z.string(), redelivered: z.int().nonnegative(), warnings: UnknownMembers })
  .meta({ id: 'RangeRedelivered' })
export type RangeRedelivered = z.infer<typeof RangeRedelivered>

/** A test ping. It has no component of its own, since generators leave out those that only webhooks have. */
export const WebhookTest = z.object({
  event_type: z.literal(WEBHOOK_TEST),
  event_id: z.string(),
  occurred_at: Stamp,
  data: z.object({ endpoint_id: z.string() }),
})

/** The headers of every request to an endpoint (choices, Signature). */
export const WebhookHeaders = z.object({
  'X-Signature': z.string().meta({ description: 't=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">, with one v1 for each valid secret.' }),
  'webhook-id': z.string().meta({
    description:
      'The event_id: order_id:seq for an event of an order. It is the same on every attempt and redelivery, so deduplicate by it.',
  }),
  'webhook-timestamp': z.string().meta({ description: 'When this attempt was signed, in Unix seconds.' }),
  'webhook-signature': z
    .string()
    .meta({ description: 'The signatures in the form of Standard Webhooks: v1,<base64>, separated by spaces.' }),
})
