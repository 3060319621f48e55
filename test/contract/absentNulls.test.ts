import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { dropAbsentNulls } from '../../src/contract/absentNulls.ts'
import { ENDPOINTS } from '../../src/contract/endpoints/groups.ts'
import { makeOpenapi } from '../../tools/docs/makeOpenapi.ts'

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}
interface Body {
  content: Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }>
}

const document = JSON.parse(makeOpenapi()) as {
  paths: Record<string, Record<string, { operationId: string; requestBody?: Body }>>
  components: { schemas: Record<string, Schema> }
}
const deref = ({ $ref, ...schema }: Schema): Schema =>
  $ref === undefined ? schema : deref(document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {})

/** Adds null for each optional member that an example leaves out, as programs write it that have a class for each body. */
function withNulls(sent: Schema, value: unknown): unknown {
  const schema = deref(sent)
  if (Array.isArray(value)) return value.map((item) => (schema.items === undefined ? item : withNulls(schema.items, item)))
  if (typeof value !== 'object' || value === null) return value
  const options = schema.anyOf ?? schema.oneOf
  const { properties = {}, required = [] } =
    options === undefined ? schema : (options.map(deref).find((option) => isOption(option, value)) ?? {})
  const absent = Object.entries(properties).filter(
    ([name, member]) => !Object.hasOwn(value, name) && !required.includes(name) && isTyped(member),
  )
  return {
    ...Object.fromEntries(Object.entries(value).map(([name, own]) => [name, withNulls(properties[name] ?? {}, own)])),
    ...Object.fromEntries(absent.map(([name]) => [name, null])),
  }
}

function isOption({ properties = {} }: Schema, value: object): boolean {
  return Object.entries(properties).every(
    ([name, { const: constant }]) => constant === undefined || (value as Record<string, unknown>)[name] === constant,
  )
}

/** Whether a member has a type, and none that takes null. */
function isTyped(sent: Schema): boolean {
  const { type, enum: values, anyOf, oneOf, const: constant } = deref(sent)
  const options = anyOf ?? oneOf
  return options === undefined
    ? constant !== undefined || values !== undefined || (type !== undefined && ![type].flat().includes('null'))
    : options.every(isTyped)
}

const EXAMPLES = Object.values(document.paths).flatMap((byMethod) =>
  Object.values(byMethod).flatMap(({ operationId, requestBody }) => {
    const { schema = {}, examples = {} } = requestBody?.content['application/json'] ?? {}
    const endpoint = ENDPOINTS.find(({ name }) => name === operationId)
    return Object.entries(examples).map(([name, { value }]) => ({ operationId, name, schema, value, endpoint }))
  }),
)

describe('null of an optional member', () => {
  it.each(EXAMPLES)('reads as absent in every place of $operationId, $name', ({ schema, value, endpoint }) => {
    const body = endpoint?.shownBody ?? endpoint?.body
    if (body === undefined) throw new Error('an example of no operation')
    const sent = withNulls(schema, value)
    dropAbsentNulls(body, sent)
    expect(body.safeParse(sent)).toEqual(body.safeParse(value))
  })

  it('is in most examples', () => {
    const changed = EXAMPLES.filter(({ schema, value }) => JSON.stringify(withNulls(schema, value)) !== JSON.stringify(value))
    expect(changed.length).toBeGreaterThan(EXAMPLES.length / 2)
  })

  const schema = z.object({
    required: z.string(),
    nullable: z.string().nullable().optional(),
    anything: z.unknown().optional(),
    map: z.record(z.string(), z.number()).optional(),
    list: z.array(z.number().or(z.null())).optional(),
    open: z.looseObject({ name: z.string().optional() }),
  })

  it('is kept where it is required, has a meaning, or stands in a map or a list', () => {
    const sent = { required: null, nullable: null, anything: null, map: { a: null }, list: [null], open: { name: null, other: null } }
    dropAbsentNulls(schema, sent)
    expect(sent).toEqual({ required: null, nullable: null, anything: null, map: { a: null }, list: [null], open: { other: null } })
  })

  it.each([null, 1, 'x', [null], { open: 1 }])('changes nothing else: %j', (sent) => {
    const before = structuredClone(sent)
    dropAbsentNulls(schema, sent)
    expect(sent).toEqual(before)
  })
})
