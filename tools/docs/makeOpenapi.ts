import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject, type ZodOpenApiResponseObject } from 'zod-openapi'
import { BYTES, bodyIsOptional, type Endpoint, FILE, type Named, takesJson } from '../../src/contract/endpoints/endpoint.ts'
import { ENDPOINT_GROUPS } from '../../src/contract/endpoints/groups.ts'
import { ErrorEnvelope } from '../../src/contract/errorEnvelope.ts'
import { ERROR_GUIDE } from '../../src/contract/errorGuide.ts'
import { ERRORS, type ErrorCode } from '../../src/contract/vocabulary/codes.ts'
import { described } from './describeFields.ts'
import { withEventSchemas } from './eventSchemas.ts'
import { withNamedParts } from './namedParts.ts'
import { fileExample, fileExamples, replyExamples, requestExamples } from './openapiExamples.ts'
import { WEBHOOK_TAG, webhookOperations } from './openapiWebhooks.ts'
import { withOpenReplies } from './openReplies.ts'
import { errorExample, operationErrors } from './operationErrors.ts'

/** Returns OpenAPI 3.1 as JSON text, made from the endpoint table and the schemas. The check fails if `docs/openapi.json` is stale. */
export function makeOpenapi(): string {
  made ??= `${JSON.stringify(withOpenReplies(named()), null, 2)}\n`
  return made
}
let made: string | undefined

/** Returns the document as this version replies: without the room that clients must leave for later ones. */
export function makeClosedOpenapi(): string {
  return JSON.stringify(named())
}

function named() {
  return withNamedParts(withEventSchemas(described(document())))
}

function document() {
  const paths: ZodOpenApiPathsObject = {}
  for (const { tag, endpoints } of ENDPOINT_GROUPS) {
    for (const row of endpoints) {
      const path = row.path.replaceAll(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [row.method]: operation(row, tag) }
    }
  }
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Order Marketplace Service',
        version: 'v1-preview',
        description:
          'Buyers place orders for advertising inventory with sellers; sellers decide. /v1 is a preview contract until general availability. ' +
          'Money is in major units of its currency, times are UTC in ISO 8601, days and weeks are ISO dates and ISO weeks. Clients ignore members and ' +
          'values that they do not know. Every reply to a credential has RateLimit-Policy and RateLimit, which say what may be sent, and every reply of ' +
          'a sandbox X-Sandbox: true; see docs/buy/sandbox.md and docs/sell/sandbox.md.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/v1' }],
      security: [{ bearer: [] }],
      tags: [...ENDPOINT_GROUPS.map(({ tag, about }) => ({ name: tag, description: about })), WEBHOOK_TAG],
      paths,
      webhooks: webhookOperations(),
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'omp_test_… or omp_live_…' } } },
    },
    { override: ({ jsonSchema }) => dropDefault(jsonSchema) },
  )
}

/** Drops a default that is an object or belongs to several types, since it breaks client generators. The members still describe it. */
function dropDefault(schema: { default?: unknown; anyOf?: unknown }): void {
  if (typeof schema.default === 'object' || schema.anyOf !== undefined) delete schema.default
}

const CALLERS = { buyer: 'Buyers', seller: 'Sellers', any: 'Buyers and sellers', everybody: 'Everybody', operator: 'Operators' } as const

/** Says who calls an operation. */
function callersOf({ side, scope }: Endpoint): string {
  return scope === null ? 'Every credential may call it.' : `${CALLERS[side]} call it with the scope ${scope}.`
}

const BINARY = { type: 'string', format: 'binary' } as const
const TEXT = { type: 'string' } as const

function operation(row: Named<Endpoint>, tag: string): ZodOpenApiOperationObject {
  const names = [...row.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)
  const examples = requestExamples(row.name)
  const body = takesJson(row) ? (row.shownBody ?? row.body) : undefined
  return {
    operationId: row.name,
    tags: [tag],
    summary: row.summary,
    description: `${row.description} ${callersOf(row)}`,
    requestParams: {
      ...(names.length > 0 ? { path: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))) } : {}),
      ...(Object.keys(row.query.shape).length === 0 ? {} : { query: row.query }),
      ...(row.headers === undefined ? {} : { header: row.headers }),
    },
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: !bodyIsOptional(row),
            content: { 'application/json': { schema: body, ...(examples === undefined ? {} : { examples }) } },
          },
        }),
    ...(row.body === BYTES
      ? { requestBody: { required: true, content: { 'application/octet-stream': { schema: BINARY, examples: fileExamples(row.name) } } } }
      : {}),
    responses: {
      ...Object.fromEntries(Object.entries(row.replies).map(([status, schema]) => [status, success(row, Number(status), schema)])),
      ...Object.fromEntries(errorsOf(row).map(([status, codes]) => [status, failure(status, codes)])),
    },
  }
}

/** The descriptions of success statuses whose schema has none. */
const SUCCESS: Readonly<Record<number, string>> = {
  200: 'Served.',
  201: 'Created.',
  202: 'Accepted; what follows arrives as events.',
  204: 'Done; no body.',
}

function success(
  { name: operation, replyHeaders = {}, files = {} }: Named<Endpoint>,
  status: number,
  schema: z.ZodType,
): ZodOpenApiResponseObject {
  const named = replyHeaders[status] ?? []
  const headers = headersOf(Object.fromEntries(named.map((name) => [name, HEADERS[name]])))
  const description = schema.meta()?.description ?? SUCCESS[status] ?? 'Served.'
  if (status === 204) return { description, headers }
  if (schema === FILE) return { description, headers, content: fileContent(files) }
  const examples = replyExamples(operation, status)
  return { description, headers, content: { 'application/json': { schema, ...(examples && { examples }) } } }
}

function fileContent(files: NonNullable<Endpoint['files']>) {
  return Object.fromEntries(Object.entries(files).map(([type, file]) => [type, { schema: TEXT, examples: fileExample(file) }]))
}

/** Groups the error codes of an operation by status. */
function errorsOf(row: Endpoint): [number, ErrorCode[]][] {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of operationErrors(row)) byStatus.set(ERRORS[code].status, [...(byStatus.get(ERRORS[code].status) ?? []), code])
  return [...byStatus].sort(([a], [b]) => a - b)
}

/** Returns one component per set of codes, since most endpoints share most sets. */
function failure(status: number, codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const id = `${status}_${[...codes].sort().join('_')}`
  const known = failures.get(id)
  if (known !== undefined) return known
  const response: ZodOpenApiResponseObject = {
    id,
    description: codes.map((code) => `${code}: ${ERROR_GUIDE[code].when}`).join(' '),
    headers: headersOf(FAILURE_HEADERS[status]),
    content: {
      'application/json': {
        schema: ErrorEnvelope,
        examples: Object.fromEntries(codes.map((code) => [code, { summary: ERROR_GUIDE[code].remedy, value: errorExample(code) }])),
      },
    },
  }
  failures.set(id, response)
  return response
}
const failures = new Map<string, ZodOpenApiResponseObject>()

function headersOf(more: Readonly<Record<string, z.ZodType>> = {}) {
  return z.object({ 'X-Request-Id': HEADERS['X-Request-Id'], ...more })
}

function header(name: string, description: string): z.ZodType {
  return z.string().meta({ description, header: { id: name } })
}

const HEADERS = {
  'X-Request-Id': header('X-Request-Id', 'The request, as the logs of the service name it: the one that was sent, or a new one.'),
  'X-Idempotent-Replay': header(
    'X-Idempotent-Replay',
    'true: this repeats the reply to an earlier request, and nothing was done again.',
  ).optional(),
  'Content-Disposition': header('Content-Disposition', 'attachment, with the name of the file.'),
  ETag: header('ETag', 'The version of what was read, of an order its last_seq: send it as If-Match with what changes it.'),
}

const RETRY_AFTER = { 'Retry-After': header('Retry-After', 'Seconds to wait before the request is sent again.') }
const RATES = {
  'RateLimit-Policy': header('RateLimit-Policy', 'The quotas that the request counted against: q at once, which come back in w seconds.'),
  RateLimit: header('RateLimit', 'What is left of each: r now, and t seconds until all of it is.'),
}
const FAILURE_HEADERS: Readonly<Record<number, Record<string, z.ZodType>>> = {
  401: { 'WWW-Authenticate': header('WWW-Authenticate', 'How to authenticate: Bearer.') },
  429: { ...RETRY_AFTER, ...RATES },
  503: RETRY_AFTER,
}
