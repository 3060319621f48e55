import { z } from 'zod'

/** The known structure of a value: the members of an object, the items of a list, or several alternatives. */
export interface Shape {
  readonly members?: ReadonlyMap<string, Shape>
  /** The members that may be absent and take no null. */
  readonly optional?: ReadonlySet<string>
  /** Whether the object keeps members that it does not know, or refuses them itself. */
  readonly isOpen?: boolean
  readonly items?: Shape
  readonly options?: readonly Shape[]
  /** For an alternative: the constant members that distinguish it. */
  readonly constants?: ReadonlyMap<string, unknown>
}

const shapes = new WeakMap<z.ZodType, Shape>()

/** Returns the shape of what a schema takes. */
export function shapeOf(schema: z.ZodType): Shape {
  const known = shapes.get(schema)
  if (known !== undefined) return known
  const document = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: taken }) as JsonSchema
  const shape = compile(document, document.$defs ?? {}, new Map())
  shapes.set(schema, shape)
  return shape
}

/** Marks members that are never taken, which JSON Schema has no type for: they would seem to take anything. */
function taken({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (zodSchema._zod.def.type === 'undefined') jsonSchema.not = {}
}

/** Returns the alternative that a value follows, by its constant members. */
export function optionFor(options: readonly Shape[], value: object): Shape | undefined {
  return options.find(({ constants, items }) => {
    if (Array.isArray(value)) return items !== undefined
    return [...(constants ?? [])].every(([name, constant]) => (value as Record<string, unknown>)[name] === constant)
  })
}

/** Returns the names that an object knows, at a place of a value; none where the place has no shape. */
export function membersAt(shape: Shape, value: unknown, path: readonly PropertyKey[]): Iterable<string> {
  let [at, own]: [Shape | undefined, unknown] = [shape, value]
  for (const key of path) {
    const fitting = fittingOf(at, own)
    at = typeof key === 'number' ? fitting?.items : fitting?.members?.get(String(key))
    own = typeof own === 'object' && own !== null ? (own as Record<PropertyKey, unknown>)[key] : undefined
  }
  return fittingOf(at, own)?.members?.keys() ?? []
}

function fittingOf(shape: Shape | undefined, value: unknown): Shape | undefined {
  return shape?.options === undefined || typeof value !== 'object' || value === null ? shape : optionFor(shape.options, value)
}

interface JsonSchema {
  $ref?: string
  $defs?: Record<string, JsonSchema>
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: unknown
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  not?: unknown
}
type Defs = Readonly<Record<string, JsonSchema>>

function compile(schema: JsonSchema, defs: Defs, compiled: Map<string, Shape>): Shape {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) as string
    const known = compiled.get(name)
    if (known !== undefined) return known
    const shape: Shape = {}
    compiled.set(name, shape) // before its members, since a shape may contain itself
    return Object.assign(shape, compile(defs[name] ?? {}, defs, compiled))
  }
  const options = schema.anyOf ?? schema.oneOf
  if (options !== undefined) return { options: options.map((option) => compile(option, defs, compiled)) }
  if (schema.items !== undefined) return { items: compile(schema.items, defs, compiled) }
  if (schema.properties === undefined) return {}
  const properties = Object.entries(schema.properties)
  const members = new Map(properties.map(([name, member]) => [name, compile(member, defs, compiled)]))
  const isOptional = (name: string, member: JsonSchema) => schema.required?.includes(name) !== true && !takesNull(member, defs)
  const optional = new Set(properties.flatMap(([name, member]) => (isOptional(name, member) ? [name] : [])))
  const constants = new Map(properties.flatMap(([name, member]) => ('const' in member ? [[name, member.const]] : [])))
  return { members, optional, isOpen: schema.additionalProperties !== undefined, constants }
}

/** Returns true if null is a value like others, as where nothing is said of the type. */
function takesNull(schema: JsonSchema, defs: Defs): boolean {
  if (schema.$ref !== undefined) return takesNull(defs[schema.$ref.split('/').at(-1) as string] ?? {}, defs)
  const options = schema.anyOf ?? schema.oneOf
  if (options !== undefined) return options.some((option) => takesNull(option, defs))
  if (schema.enum !== undefined) return schema.enum.includes(null)
  if ('const' in schema) return schema.const === null
  return [schema.type].flat().includes('null') || (schema.type === undefined && schema.not === undefined)
}
