import { describe, expect, it } from '@jest/globals'
import type { z } from 'zod'
import { makeOpenapi } from '../../api/makeOpenapi.ts'
import { ENDPOINTS } from '../../src/contract/endpoints/groups.ts'
import { strictJson } from '../../src/domain/strictJson.ts'

interface Schema {
  $ref?: string
  type?: string
  const?: unknown
  enum?: unknown[]
  minimum?: number
  maximum?: number
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}
interface Document {
  paths: Record<string, Record<string, { operationId: string; requestBody?: { content: Record<string, { schema: Schema }> } }>>
  components: { schemas: Record<string, Schema> }
}

/** A number of a request: where it stands, and a body that has it alone, with the first of the words that stand beside it. */
interface Found {
  readonly path: readonly (string | number)[]
  readonly schema: Schema
  readonly around: (value: unknown) => unknown
}

const document = JSON.parse(makeOpenapi()) as Document
const operations = Object.values(document.paths).flatMap((byMethod) => Object.values(byMethod))

function numbersIn(sent: Schema, path: Found['path'], around: Found['around'], refs: readonly string[] = []): Found[] {
  if (sent.$ref !== undefined && refs.includes(sent.$ref)) return []
  const known = sent.$ref === undefined ? refs : [...refs, sent.$ref]
  const schema = sent.$ref === undefined ? sent : (document.components.schemas[sent.$ref.split('/').at(-1) ?? ''] ?? {})
  if (schema.type === 'integer' || schema.type === 'number') return [{ path, schema, around }]
  const chosen = Object.entries(schema.properties ?? {}).flatMap(([name, of]) => {
    const [value] = 'const' in of ? [of.const] : (of.enum ?? [])
    return value === undefined ? [] : [[name, value]]
  })
  const constants = Object.fromEntries(chosen)
  const within = (name: string, of: Schema) => numbersIn(of, [...path, name], (value) => around({ ...constants, [name]: value }), known)
  const { additionalProperties: others } = schema
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, of]) => within(name, of)),
    ...(typeof others === 'object' ? within('anything', others) : []),
    ...(schema.items === undefined ? [] : numbersIn(schema.items, [...path, 0], (value) => around([value]), known)),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((option) => numbersIn(option, path, around, known)),
  ]
}

const NUMBERS = operations.flatMap(({ operationId, requestBody }) => {
  const schema = requestBody?.content['application/json']?.schema
  const endpoint = ENDPOINTS.find(({ name }) => name === operationId)
  if (schema === undefined || endpoint === undefined) return []
  return numbersIn(schema, [], (value) => value).map(
    (found) => [operationId, found.path.join('.'), (endpoint.shownBody ?? endpoint.body) as z.ZodType, found] as const,
  )
})

/** Whether the server takes a number where it was found, whatever else the body lacks. */
function takes(body: z.ZodType, { path, around }: Found, value: number): boolean {
  const { error } = body.safeParse(strictJson(Buffer.from(JSON.stringify(around(value)))))
  return !error?.issues.some((issue) => issue.path.join('.') === path.join('.'))
}

describe('the numbers of every request', () => {
  it('are found', () => {
    expect(NUMBERS.length).toBeGreaterThan(50)
  })

  it.each(NUMBERS)('%s takes %s up to its documented maximum, and nothing above', (_operation, _path, body, found) => {
    const { maximum, type } = found.schema
    expect(takes(body, found, maximum ?? 1e15)).toBe(true)
    if (maximum === undefined) return
    const above = type === 'integer' || maximum < 1e15 ? maximum + (Number.isInteger(maximum) ? 1 : 0.01) : maximum * 2
    expect(takes(body, found, above)).toBe(false)
  })

  it.each(NUMBERS)('%s rounds a computed %s, or refuses it by name', (_operation, _path, body, found) => {
    const { maximum = 1, type } = found.schema
    const computed = maximum < 1 ? 0 : 0.1 + 0.2
    const isTaken = takes(body, found, computed)
    const isMoney = /gross|unit_cost|cpm|credit_limit|amount|commission_pct$/.test(String(found.path.at(-1)))
    expect(isTaken).toBe(type === 'number' && !isMoney)
  })
})
