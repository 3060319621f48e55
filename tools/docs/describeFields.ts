import { FIELD_GUIDE } from '../../src/contract/fieldGuide.ts'

/** A schema, or any part of an OpenAPI document that contains schemas. */
type Node = { readonly [member: string]: unknown }

/** Returns the document with a description on every member and parameter: its own, or the one from the field guide. */
export function described<Document extends object>(document: Document): Document {
  return walk(document, '') as Document
}

function walk(node: unknown, holder: string): unknown {
  if (Array.isArray(node)) return node.map((item) => walk(item, holder))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node as Node).map(([key, value]) => {
      if (key === 'properties') return [key, members(value as Node, holder)]
      if (key === 'parameters' && Array.isArray(value))
        return [key, value.map((sent) => parameter(sent, String((node as Node).operationId)))]
      // Components are named by their keys, without the suffix that marks a schema in replies.
      if (key === 'schemas') return [key, named(value as Node)]
      return [key, key === 'example' || key === 'examples' ? value : walk(value, holder)]
    }),
  )
}

function named(schemas: Node): Node {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, walk(schema, name.replace(/Output$/, ''))]))
}

function members(properties: Node, holder: string): Node {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const member = walk(schema, name) as Node
      const description = member.description ?? FIELD_GUIDE[`${holder}.${name}`] ?? FIELD_GUIDE[name]
      return [name, description === undefined ? member : { ...member, description }]
    }),
  )
}

function parameter(sent: Node, operation: string): Node {
  const { name, description = FIELD_GUIDE[`${operation}.${name}`] ?? FIELD_GUIDE[`parameters.${name}`] ?? FIELD_GUIDE[String(name)] } = sent
  return description === undefined ? sent : { ...sent, description }
}
