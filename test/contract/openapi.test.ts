import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { openapi } from '../../api/pages/openapi.ts'
import { Avail } from '../../src/contract/avail.ts'
import { ENDPOINTS } from '../../src/contract/endpoints/groups.ts'
import { FIELD_GUIDE } from '../../src/contract/fieldGuide.ts'
import { RateEntry } from '../../src/contract/rateCard.ts'
import { ERRORS } from '../../src/contract/vocabulary/codes.ts'
import { makeOpenapi } from '../../tools/docs/makeOpenapi.ts'
import { pullOpenapi } from '../../tools/docs/pullOpenapi.ts'
import { checkReply, contract, ENVELOPE, faultsAgainst, templateOf, token } from '../support/http/contract.ts'

type Schema = {
  type?: string
  $ref?: string
  maxItems?: number
  maxProperties?: number
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}

type Operation = {
  operationId: string
  summary?: string
  description?: string
  tags: string[]
  requestBody?: { content: Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }> }
  responses: Record<string, Response | { $ref: string }>
}
type Response = {
  description: string
  headers?: Record<string, unknown>
  content?: { 'application/json'?: { examples?: Record<string, { value: unknown }> } }
}

const document = JSON.parse(makeOpenapi()) as { tags: { name: string }[]; components: { responses: Record<string, Response> } }

function operationNamed(name: string): Operation {
  const found = Object.values(contract.paths)
    .flatMap(Object.values)
    .find((operation) => operation?.operationId === name)
  return found as unknown as Operation
}

function resolved(schema: Schema | undefined): Schema | undefined {
  const name = schema?.$ref?.split('/').at(-1)
  return name === undefined ? schema : (contract.components.schemas[name] as Schema)
}

function response(sent: Operation['responses'][string] | undefined): Response {
  if (sent !== undefined && '$ref' in sent) return document.components.responses[sent.$ref.split('/').at(-1) as string] as Response
  return sent as Response
}

/** The places of a schema that take any number of entries. Maps whose values are taken as they come have no faults to tell. */
function unboundedIn(schema: Schema | undefined, at: string): string[] {
  const name = schema?.$ref?.split('/').at(-1)
  if (schema === undefined || at.includes(`<${name}>`)) return []
  if (name !== undefined) return unboundedIn(contract.components.schemas[name] as Schema, `${at}<${name}>`)
  const { type, maxItems, maxProperties, additionalProperties, properties = {}, items, anyOf = [], oneOf = [] } = schema
  const values = typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0 ? additionalProperties : undefined
  const here = (type === 'array' && maxItems === undefined) || (values !== undefined && maxProperties === undefined)
  return [
    ...(here ? [at] : []),
    ...Object.entries(properties).flatMap(([member, inner]) => unboundedIn(inner, `${at}.${member}`)),
    ...[items, values, ...anyOf, ...oneOf].flatMap((inner) => unboundedIn(inner, `${at}[]`)),
  ]
}

/** Members of schemas that nothing is said of. */
function undescribedIn(node: unknown, at: string): string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === 'example' || key === 'examples') return []
    const silent = key !== 'properties' ? [] : Object.entries(value as Record<string, { description?: string }>)
    return [
      ...silent.flatMap(([name, { description = '' }]) => (description === '' ? [`${at}.${name}`] : [])),
      ...undescribedIn(value, key === 'properties' ? at : `${at}.${key}`),
    ]
  })
}

/** An offset is kept where the time is the sender's own. */
const TIME = /UTC time|offset is kept/
const UNITS: readonly (readonly [member: RegExp, unit: RegExp])[] = [
  [/^(gross|max_gross|budget_gross|booked_gross|commitment_gross|computed_gross|remaining|exposure|cited|current)$/, /major units/],
  [/^(unit_cost|cpm|gross_rate_unit|gross_rate_cpm|fee_amount|credit_limit)$/, /major units/],
  [/(^|_)pct$/, /percent/],
  [/seconds$|^spot_lengths?$/, /second/],
  [/_minutes$/, /minutes/],
  [/_ms$/, /milliseconds/],
  [/_bytes$/, /bytes/],
  [/^notice_days|_days$/, /days/],
  [/_at$/, TIME],
]

function membersIn(node: unknown): [name: string, schema: { description?: string; format?: string }][] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === 'example' || key === 'examples') return []
    return [...(key === 'properties' ? Object.entries(value as Record<string, object>) : []), ...membersIn(value)]
  })
}

function memberNames(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => [...(key === 'properties' ? Object.keys(value) : []), ...memberNames(value)])
}

function parameterNames(): string[] {
  const operations = Object.values(contract.paths).flatMap(Object.values) as { parameters?: { name: string }[] }[]
  return operations.flatMap(({ parameters = [] }) => parameters.map(({ name }) => name))
}

const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'r-1', 'cache-control': 'no-store' }
const created = {
  order_id: 'ord_1',
  external_order_id: 'e',
  buyer_entity: 'acme',
  status: 'submitted',
  created_at: '2030-06-05T00:00:00.000Z',
}
const envelope = { error_code: 'NOT_FOUND', error_message: 'no', stage: 'request', recoverable: false, details: {} }
const reply = (status: number, body: object, headers: Record<string, string> = HEADERS) => ({ status, headers, text: JSON.stringify(body) })

describe('docs/openapi.json', () => {
  it('is what the endpoint table makes', async () => {
    expect(openapi()).toBe(makeOpenapi())
  })

  it('and docs/pull-openapi.json what the schemas of the pull API make', async () => {
    expect(await readFile(new URL('../../docs/pull-openapi.json', import.meta.url), 'utf8')).toBe(pullOpenapi())
  })

  it('has every endpoint of the table, each with its success replies and the errors that any may answer', () => {
    for (const row of ENDPOINTS) {
      const operation = contract.paths[row.path.replaceAll(/:(\w+)/g, '{$1}')]?.[row.method]
      expect(operation?.operationId).toBe(row.name)
      const statuses = Object.keys(operation?.responses ?? {})
      expect(statuses).toEqual(expect.arrayContaining([...Object.keys(row.replies), '401', '403', '429', '500', '503']))
    }
  })

  it('shows every entry of a publish whole', () => {
    const itemsOf = (operation: string, list: string) => {
      const { requestBody } = operationNamed(operation)
      const schema = resolved(requestBody?.content['application/json']?.schema)
      return resolved(schema?.properties?.[list]?.items)
    }
    expect(itemsOf('publishCatalog', 'products')?.oneOf).toHaveLength(3)
    expect(Object.keys(itemsOf('publishRateCard', 'entries')?.properties ?? {})).toEqual(Object.keys(RateEntry.shape))
    expect(Object.keys(itemsOf('publishAvails', 'avails')?.properties ?? {})).toEqual(Object.keys(Avail.shape))
  })

  it('describes every member of every schema', () => {
    expect(undescribedIn(JSON.parse(makeOpenapi()), '')).toEqual([])
  })

  it('names the unit of every amount, share, size and duration, and says of times that they are UTC', () => {
    const silent = membersIn(JSON.parse(makeOpenapi()).components).flatMap(([name, { description = '', format }]) => {
      const unit = UNITS.find(([named]) => named.test(name))?.[1] ?? (format === 'date-time' ? TIME : /./)
      return unit.test(description) ? [] : [`${name}: ${description}`]
    })
    expect([...new Set(silent)]).toEqual([])
  })

  it('describes nothing that the contract does not have', () => {
    const names = new Set([...memberNames(JSON.parse(makeOpenapi())), ...parameterNames()])
    expect(Object.keys(FIELD_GUIDE).filter((key) => !names.has(key.split('.').at(-1) as string))).toEqual([])
  })

  it('tags every operation and names its headers and errors', () => {
    const tags = new Set(document.tags.map(({ name }) => name))
    for (const { name } of ENDPOINTS) {
      const operation = operationNamed(name)
      expect(operation.tags.every((tag) => tags.has(tag)) && operation.tags.length === 1).toBe(true)
      for (const [status, sent] of Object.entries(operation.responses)) {
        const { description, headers } = response(sent)
        const needed = ['X-Request-Id', ...(status === '429' || status === '503' ? ['Retry-After'] : [])]
        expect({ name, status, headers: Object.keys(headers ?? {}) }).toMatchObject({ headers: expect.arrayContaining(needed) })
        expect(description).not.toBe('')
      }
    }
    expect(Object.keys(response(operationNamed('createOrder').responses['201']).headers ?? {})).toContain('X-Idempotent-Replay')
  })

  it('says of every operation in a few sentences what it does, who calls it and with which scope', () => {
    for (const { name, scope } of ENDPOINTS) {
      const { summary = '', description = '' } = operationNamed(name)
      expect(summary).toMatch(/^[A-Z][^.]{2,60}$/)
      const sentences = description.split(/(?<=\.) /)
      expect({ name, sentences: sentences.length }).toEqual({ name, sentences: Math.min(Math.max(sentences.length, 2), 5) })
      expect(sentences.at(-1)).toMatch(
        scope === null
          ? /^Every credential may call it\.$/
          : new RegExp(`^(Buyers|Sellers|Buyers and sellers|Operators) call it with the scope ${scope}\\.$`),
      )
    }
  })

  it('has examples of every body and every success reply, which its own schemas take', () => {
    for (const { name, path, method, replies } of ENDPOINTS) {
      const { requestBody, responses } = operationNamed(name)
      const at = `#/paths/${token(path.replaceAll(/:(\w+)/g, '{$1}'))}/${method}`
      const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { examples }]) => {
        return [`requestBody/content/${token(type)}`, examples] as const
      })
      const sent = Object.keys(replies).flatMap((status) => {
        const content = response(responses[status]).content?.['application/json']
        return content === undefined ? [] : [[`responses/${status}/content/application~1json`, content.examples] as const]
      })
      for (const [pointer, examples = {}] of [...bodies, ...sent]) {
        expect({ name, pointer, examples: Object.keys(examples).length > 0 }).toEqual({ name, pointer, examples: true })
        for (const { value } of Object.values(examples)) {
          expect({ name, pointer, faults: faultsAgainst(`${at}/${pointer}/schema`, value) }).toEqual({ name, pointer, faults: undefined })
        }
      }
    }
  })

  it('documents no status that no error code has', () => {
    const known = new Set<number>(Object.values(ERRORS).map(({ status }) => status))
    for (const operation of Object.values(contract.paths).flatMap(Object.values)) {
      for (const status of Object.keys(operation?.responses ?? {}).map(Number)) expect(status < 400 || known.has(status)).toBe(true)
    }
  })

  it('bounds every list and every map of a request, so that all its faults can be reported', () => {
    for (const operation of Object.values(contract.paths).flatMap(Object.values)) {
      const { operationId: id, requestBody } = operation as Operation
      expect(unboundedIn(requestBody?.content['application/json']?.schema, id)).toEqual([])
    }
  })

  it('names its operations once each', () => {
    const names = ENDPOINTS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('the description of a parameter', () => {
  const parameters = Object.values(contract.paths)
    .flatMap((byMethod) => Object.values(byMethod ?? {}))
    .flatMap((operation) => {
      const { operationId, parameters: own = [] } = operation as unknown as {
        operationId: string
        parameters?: { in: string; name: string; description?: string }[]
      }
      return own.map((parameter) => ({ operationId, ...parameter }))
    })

  it('is one of every parameter', () => {
    expect(parameters.filter(({ description = '' }) => description === '')).toEqual([])
  })

  it('names what the path of its operation names, and filters only where it is a filter', () => {
    const filters = /^(Returns|Shows|Lists) /
    expect(parameters.filter(({ in: place, description = '' }) => place === 'path' && filters.test(description))).toEqual([])
    const ofEntries = parameters.filter(({ name, description = '' }) => name === 'order_id' && /entries/.test(description))
    expect(ofEntries).toEqual([])
  })
})

describe('the check that every reply of these tests goes through', () => {
  it('passes what is documented', () => {
    expect(() => checkReply('post', '/orders', reply(201, created))).not.toThrow()
    expect(() => checkReply('get', '/orders/ord_1', reply(404, envelope))).not.toThrow()
  })

  it.each([
    ['a missing member', 'post', '/orders', reply(201, { ...created, order_id: undefined })],
    ['a member that is not documented', 'post', '/orders', reply(201, { ...created, secret: 1 })],
    ['a status that is not documented', 'post', '/orders', reply(200, created)],
    [
      'an error that is not documented for the operation',
      'get',
      '/orders/ord_1',
      reply(403, { ...envelope, error_code: 'TENANT_MISMATCH' }),
    ],
    ['an error without an envelope', 'get', '/orders/ord_1', reply(404, { message: 'no' })],
    ['an unknown error code', 'get', '/orders/ord_1', reply(404, { ...envelope, error_code: 'OOPS' })],
    ['a server error', 'get', '/orders/ord_1', reply(500, { ...envelope, error_code: 'INTERNAL' })],
    ['HTML', 'get', '/orders/ord_1', reply(404, envelope, { ...HEADERS, 'content-type': 'text/html' })],
    ['a reply that may be cached', 'get', '/orders/ord_1', reply(404, envelope, { ...HEADERS, 'cache-control': '' })],
    ['a stack', 'get', '/orders/ord_1', reply(404, { ...envelope, error_message: 'at run (/app/api/app.ts:12:3)' })],
    ['a page', 'get', '/orders/ord_1', { status: 404, headers: HEADERS, text: '<html></html>' }],
    ['a success on an unknown route', 'get', '/nothing', reply(200, {})],
    ['a success on an unknown method', 'put', '/orders', reply(200, {})],
  ])('refuses %s', (_, method, path, bad) => {
    expect(() => checkReply(method, path, bad)).toThrow()
  })

  it('tells fixed paths from parameters', () => {
    expect(templateOf('/orders?limit=1')).toBe('/orders')
    expect(templateOf('/v1/me/orders/x/decide')).toBe('/me/orders/{order_id}/decide')
    expect(templateOf('/orders/x/y/z')).toBeUndefined()
    expect(faultsAgainst(ENVELOPE, envelope)).toBeUndefined()
  })
})
