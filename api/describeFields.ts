import { FIELD_GUIDE } from '../src/contract/fieldGuide.ts'

/** A schema, or anything of an OpenAPI document that holds some. */
type Node = { readonly [member: string]: unknown }

/** The document with a description on every member of every schema: its own, or what the field guide says of it. */
export function described<Document extends object>(document: Document): Document {
  return walk(document, '') as Document
}

function walk(node: unknown, holder: string): unknown {
  if (Array.isArray(node)) return node.map((item) => walk(item, holder))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node as Node).map(([key, value]) => {
      if (key === 'properties') return [key, members(value as Node, holder)]
      // Components are named by their key, without the suffix of what a reply makes of a schema.
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
