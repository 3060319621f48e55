import { nameIn, reached } from './eventSchemas.ts'
import type { Node } from './namedParts.ts'

/** Replies with discriminated unions that may grow, by component and member; the fallback's component. */
const GROWING: readonly { readonly at: readonly string[]; readonly fallback: string; readonly tag: string; readonly about: string }[] = [
  {
    at: ['EventFeed', 'properties', 'events', 'items'],
    fallback: 'OtherEvent',
    tag: 'event_type',
    about: 'An event of a type that this version of the document does not know. Keep its place in the feed and pass over it.',
  },
  {
    at: ['ArtifactOutput'],
    fallback: 'OtherArtifact',
    tag: 'name',
    about: 'An artifact that this version of the document does not know.',
  },
]

/**
 * Returns the document with what a reply may gain without a new version: members, values of enums (`anyOf` with string, and
 * `x-extensible-enum`), events and artifacts of other types. Requests stay closed (choices, OpenAPI: open replies).
 */
export function withOpenReplies<Document extends { components?: object; paths?: object; webhooks?: object }>(document: Document): Document {
  const { schemas = {}, ...others } = document.components as { schemas?: Readonly<Record<string, Node>> }
  const sent = reached(requestsOf(document.paths), schemas)
  const isOfReplies = (name: string) => !sent.has(name) && !isEnum(schemas[name])
  const open = (node: unknown): unknown => opened(node, (name) => schemas[name])
  const components: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(schemas)) components[name] = isOfReplies(name) ? open(schema) : schema
  for (const { at, fallback, tag, about } of GROWING) addFallback(components, at, fallback, { tag, about })
  return { ...document, components: { ...others, schemas: components } }
}

function opened(node: unknown, schemaOf: (name: string) => Node | undefined): unknown {
  if (Array.isArray(node)) return node.map((item) => opened(item, schemaOf))
  if (typeof node !== 'object' || node === null) return node
  // The names of a map's members may grow, too.
  const entries = Object.entries(node as Node).filter(
    ([key, value]) => key !== 'propertyNames' && (key !== 'additionalProperties' || value !== false),
  )
  const { $ref, ...said } = Object.fromEntries(entries)
  const referred = typeof $ref === 'string' ? schemaOf(nameIn($ref)) : undefined
  // A generator for Go would make a struct of the options; a text has room for every value.
  if (isEnum(referred)) return { anyOf: [{ $ref }, { type: 'string' }], 'x-extensible-enum': referred.enum, 'x-go-type': 'string', ...said }
  return Object.fromEntries(entries.map(([key, value]) => [key, key === 'example' || key === 'examples' ? value : opened(value, schemaOf)]))
}

function isEnum(schema: Node | undefined): schema is Node & { enum: readonly unknown[] } {
  return Array.isArray(schema?.enum)
}

/** Turns a union into one of its options and a fallback. It is no longer told apart by its tag alone, since generators refuse tags that they do not know. */
function addFallback(
  components: Record<string, unknown>,
  [component = '', ...path]: readonly string[],
  fallback: string,
  { tag, about }: { readonly tag: string; readonly about: string },
): void {
  const change = (node: unknown, steps: readonly string[]): unknown => {
    const [step, ...rest] = steps
    if (step !== undefined) return { ...(node as Node), [step]: change((node as Node)[step], rest) }
    const { oneOf: _, discriminator: __, type: ___, ...others } = node as Node
    const other = `#/components/schemas/${fallback}`
    return { ...others, anyOf: [...optionsOf(node as Node), { $ref: other }], 'x-fallback': other }
  }
  components[component] = change(components[component], path)
  const tagged = { type: 'string', description: 'Its type.' }
  components[fallback] = { type: 'object', properties: { [tag]: tagged }, required: [tag], description: about }
}

/** Returns the options of a union, and those of unions among them. */
function optionsOf({ oneOf }: Node): Node[] {
  return (oneOf as Node[]).flatMap((option) => (option.oneOf === undefined ? [option] : optionsOf(option)))
}

/** Returns the parts of the paths that clients send. */
function requestsOf(paths: object = {}): unknown[] {
  return Object.values(paths as Record<string, Record<string, Node>>).flatMap((byMethod) =>
    Object.values(byMethod).flatMap(({ parameters, requestBody }) => [parameters, requestBody]),
  )
}
