import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathItemObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { ErrorEnvelope } from '../src/contract/errorEnvelope.ts'
import { OrderEvent } from '../src/contract/event.ts'
import { NoticeEvent } from '../src/contract/noticeEvent.ts'
import { WEBHOOK_TEST } from '../src/contract/vocabulary.ts'
import { WebhookHeaders, WebhookTest } from '../src/contract/webhook.ts'
import { bodyIsOptional, type Endpoint } from './endpoint.ts'
import { ENDPOINTS } from './routes.ts'

/** OpenAPI 3.1 as JSON text, made from the endpoint table and the schemas; `docs/openapi.json` is this, and the check fails when it is stale. */
export function openapi(): string {
  cached ??= `${JSON.stringify(document(), null, 2)}\n`
  return cached
}
let cached: string | undefined

function document() {
  const paths: ZodOpenApiPathsObject = {}
  for (const row of ENDPOINTS) {
    const path = row.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [row.method]: operation(row) }
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Order Marketplace Service',
      version: 'v1-preview',
      description:
        'Buyers place orders for advertising inventory with sellers; sellers decide. /v1 is a preview contract until general availability.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/v1' }],
    security: [{ bearer: [] }],
    paths,
    webhooks: Object.fromEntries(EVENTS.map((event) => [event.type, webhook(event)])),
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'omp_test_… or omp_live_…' } } },
  })
}

/** What is posted to registered endpoints: the six event types, and the ping. */
const EVENTS: readonly { type: string; schema: z.ZodType }[] = [
  { type: 'order.status_changed', schema: OrderEvent },
  ...NoticeEvent.options.map((schema) => ({ type: schema.shape.event_type.value, schema })),
  { type: WEBHOOK_TEST, schema: WebhookTest },
]

function webhook({ type, schema }: (typeof EVENTS)[number]): ZodOpenApiPathItemObject {
  return {
    post: {
      operationId: `webhook_${type.replaceAll('.', '_')}`,
      summary: `${type}, signed; see docs/receiving-webhooks.md`,
      requestParams: { header: WebhookHeaders },
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: {
        '2XX': { description: 'Taken; the answer is not read' },
        '410': { description: 'Not wanted any more: the endpoint is disabled' },
      },
    },
  }
}

/** What any endpoint may answer: 400 and 422 for a query that it does not take; 404 where something is named. */
function errorStatuses(row: Endpoint): number[] {
  const sent = row.body === undefined ? [] : [413, 415]
  const named = row.path.includes(':') ? [404] : []
  return [...new Set([400, 401, 403, 422, 429, 500, 503, ...sent, ...named, ...(row.errors ?? [])])].sort()
}

const BYTES = { type: 'string', format: 'binary' } as const

function operation(row: Endpoint): ZodOpenApiOperationObject {
  const names = [...row.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)
  return {
    operationId: operationId(row),
    summary: row.summary,
    description: `Scope: ${row.scope}.`,
    requestParams: {
      ...(names.length > 0 ? { path: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))) } : {}),
      ...(row.query === undefined ? {} : { query: row.query }),
    },
    ...(row.body === undefined
      ? {}
      : { requestBody: { required: !bodyIsOptional(row), content: { 'application/json': { schema: row.body } } } }),
    ...(row.stream ? { requestBody: { required: true, content: { 'application/octet-stream': { schema: BYTES } } } } : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(row.replies).map(([status, schema]) => [
          status,
          status === '204' ? { description: 'Success' } : { description: 'Success', content: { 'application/json': { schema } } },
        ]),
      ),
      ...Object.fromEntries(
        errorStatuses(row).map((status) => [status, { description: 'Error', content: { 'application/json': { schema: ErrorEnvelope } } }]),
      ),
    },
  }
}

/** `post /me/orders/:order_id/decide` becomes `post_me_orders_order_id_decide`. */
export function operationId({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method}${path.replaceAll(/[/:]+/g, '_')}`
}
