import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject } from 'zod-openapi'
import { DecideOrder } from '../../src/contract/decideOrder.ts'
import { OrderSnapshot } from '../../src/contract/order.ts'
import { AvailabilityAnswer, AvailabilityRequest, HoldRequest } from '../../src/contract/pullApi.ts'

/** Returns the OpenAPI 3.1 text for the APIs that sellers implement. The check fails if `docs/pull-openapi.json` is stale. */
export function pullOpenapi(): string {
  return `${JSON.stringify(document(), null, 2)}\n`
}

function document() {
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Pull connection of a seller',
      version: 'v1-preview',
      description:
        'Served by a seller, called by the marketplace below transports.pull.base_url of the capability profile: decisions under `approval: pull`, ' +
        'availability under `realtime_availability`, holds under `holds`. The marketplace never calls what the profile does not declare. Answers are strict JSON of ' +
        'at most 1 MiB, not encoded; redirects are not followed. Decisions and the end of a hold are sent again after no answer or any 5xx.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '{base_url}', variables: { base_url: { default: 'https://seller.example/pull' } } }],
    security: [{ signature: [] }],
    paths: {
      '/decisions': {
        post: operation({
          operationId: 'askDecision',
          summary: 'An order waits for the seller’s decision',
          description:
            'The body is that of GET /v1/me/orders/{order_id}. The same request may be repeated with the same webhook-id: give the same answer. Timeout 10 s.',
          requestBody: json(OrderSnapshot),
          responses: DECISION,
        }),
      },
      '/decisions/{order_id}': {
        get: operation({
          operationId: 'pollDecision',
          summary: 'Has the seller decided by now?',
          description:
            'Sent after a 202: after 30 s, then at doubling intervals up to 10 minutes, until it is decided or the order has left seller_review. A 404 makes the platform ask again with POST /decisions.',
          requestParams: { path: z.object({ order_id: z.string() }) },
          responses: { ...DECISION, 404: { description: 'The order is not known here' } },
        }),
      },
      '/availability': {
        post: operation({
          operationId: 'askAvailability',
          summary: 'Is there inventory for these lines now?',
          description: 'Sent once per order. Timeout 3 s in total. An answer that cannot be used leaves the published state unchanged.',
          requestBody: json(AvailabilityRequest),
          responses: { 200: { description: 'The state of each line', ...json(AvailabilityAnswer) } },
        }),
      },
      '/holds': {
        post: operation({
          operationId: 'hold',
          summary: 'Hold inventory until expires_at',
          description: 'Timeout 10 s. An order whose lines carry the hold_id uses it up: no DELETE follows then.',
          requestBody: json(HoldRequest),
          responses: { '2XX': { description: 'Held' }, '4XX': { description: 'Refused: the buyer gets INVENTORY_UNAVAILABLE' } },
        }),
      },
      '/holds/{hold_id}': {
        delete: operation({
          operationId: 'releaseHold',
          summary: 'The hold was released, or it expired',
          description: 'May be repeated, and may name a hold that is not known.',
          requestParams: { path: z.object({ hold_id: z.string() }) },
          responses: { '2XX': { description: 'Released' }, '4XX': { description: 'Not known: counts as released' } },
        }),
      },
    },
    components: {
      securitySchemes: {
        signature: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Signature',
          description:
            't=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">, keyed with the decoded secret (`whsec_` + base64; any other secret by its own bytes). ' +
            'Refuse what is older than 300 s. The request also carries webhook-id, webhook-timestamp and webhook-signature of Standard Webhooks.',
        },
      },
    },
  })
}

const DECISION = {
  200: { description: 'Decided: exactly the body of POST /v1/me/orders/{order_id}/decide', ...json(DecideOrder) },
  202: { description: 'Decides later: the platform polls GET /decisions/{order_id}' },
} as const

function json(schema: z.ZodType) {
  return { content: { 'application/json': { schema } } }
}

function operation(row: ZodOpenApiOperationObject): ZodOpenApiOperationObject {
  return { ...row, responses: { ...row.responses, 401: { description: 'The signature is missing, wrong or too old' } } }
}
