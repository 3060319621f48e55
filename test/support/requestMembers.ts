import { type Endpoint, takesJson } from '../../src/contract/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints/groups.ts'
import { strictJson } from '../../src/domain/strictJson.ts'
import { makeOpenapi } from '../../tools/docs/makeOpenapi.ts'

/** What the tests read of a schema of the OpenAPI document. */
export interface Schema {
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

/** A member of a request: where it stands, and a body that has it alone, with the first of the words that stand beside it. */
export interface Found {
  readonly path: readonly (string | number)[]
  readonly schema: Schema
  readonly around: (value: unknown) => unknown
}

export type RequestMember = readonly [operation: string, path: string, body: Endpoint['body'], found: Found]

/** Returns the members of all JSON bodies, as the OpenAPI document has them, that a test is about. */
export function requestMembers(isWanted: (schema: Schema, path: Found['path']) => boolean): RequestMember[] {
  const { paths, components } = JSON.parse(makeOpenapi()) as Document
  const within = (sent: Schema, path: Found['path'], around: Found['around'], refs: readonly string[] = []): Found[] => {
    if (sent.$ref !== undefined && refs.includes(sent.$ref)) return []
    const known = sent.$ref === undefined ? refs : [...refs, sent.$ref]
    const schema = sent.$ref === undefined ? sent : (components.schemas[sent.$ref.split('/').at(-1) ?? ''] ?? {})
    if (isWanted(schema, path)) return [{ path, schema, around }]
    const chosen = Object.entries(schema.properties ?? {}).flatMap(([name, of]) => {
      const { const: constant, enum: words = [] } = of.$ref === undefined ? of : (components.schemas[of.$ref.split('/').at(-1) ?? ''] ?? {})
      const [value] = constant === undefined ? words : [constant]
      return value === undefined ? [] : [[name, value]]
    })
    const constants = Object.fromEntries(chosen)
    const member = (name: string, of: Schema) => within(of, [...path, name], (value) => around({ ...constants, [name]: value }), known)
    const { additionalProperties: others } = schema
    return [
      ...Object.entries(schema.properties ?? {}).flatMap(([name, of]) => member(name, of)),
      ...(typeof others === 'object' ? member('anything', others) : []),
      ...(schema.items === undefined ? [] : within(schema.items, [...path, 0], (value) => around([value]), known)),
      ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((option) => within(option, path, around, known)),
    ]
  }
  return Object.values(paths)
    .flatMap((byMethod) => Object.values(byMethod))
    .flatMap(({ operationId, requestBody }) => {
      const schema = requestBody?.content['application/json']?.schema
      const endpoint = ENDPOINTS.find(({ name }) => name === operationId)
      if (schema === undefined || endpoint === undefined || !takesJson(endpoint)) return []
      const body = endpoint.shownBody ?? endpoint.body
      return within(schema, [], (value) => value).map((found) => [operationId, found.path.join('.'), body, found] as const)
    })
}

/** Whether the server takes a value where the member was found, whatever else the body lacks. */
export function takes(body: Endpoint['body'], { path, around }: Found, value: unknown): boolean {
  const { error } = body.safeParse(strictJson(Buffer.from(JSON.stringify(around(value)))))
  return !error?.issues.some((issue) => issue.path.join('.') === path.join('.'))
}
