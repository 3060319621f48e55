import type { Node } from './namedParts.ts'

/**
 * Returns the document whose webhooks have the schemas of replies. What the platform posts is what the feed replies, but to OpenAPI it is a
 * request body, for which schemas of their own would be made that no path uses; generators leave those out (choices, OpenAPI: webhooks).
 */
export function withEventSchemas<Document extends { components?: object; paths?: object; webhooks?: object }>(
  document: Document,
): Document {
  const { schemas = {}, ...others } = (document.components ?? {}) as { schemas?: Readonly<Record<string, Node>> }
  const ofReply = (ref: string) => (Object.hasOwn(schemas, `${nameIn(ref)}Output`) ? `${ref}Output` : ref)
  const webhooks = withRefs(document.webhooks, ofReply) as object
  const used = reached([document.paths, webhooks, others], schemas)
  return {
    ...document,
    webhooks,
    components: { ...others, schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name))) },
  }
}

function withRefs(node: unknown, changed: (ref: string) => string): unknown {
  if (Array.isArray(node)) return node.map((item) => withRefs(item, changed))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? changed(value) : withRefs(value, changed),
    ]),
  )
}

/** Returns the names of the schemas that are reached from some parts of the document. */
export function reached(from: unknown, schemas: Readonly<Record<string, Node>>): ReadonlySet<string> {
  const found = new Set<string>()
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      if (key !== '$ref' || typeof value !== 'string') walk(value)
      else if (!found.has(nameIn(value))) {
        found.add(nameIn(value))
        walk(schemas[nameIn(value)])
      }
    }
  }
  walk(from)
  return found
}

/** Returns the name of the component that a reference names. */
export function nameIn(ref: string): string {
  return ref.split('/').at(-1) ?? ''
}
