import { describe, expect, it } from '@jest/globals'
import { makeClosedOpenapi, makeOpenapi } from '../../tools/docs/makeOpenapi.ts'

type Node = { readonly [member: string]: unknown }
interface Document {
  paths: Record<string, Record<string, { requestBody?: Node; parameters?: Node[] }>>
  components: { schemas: Record<string, Node> }
}
const open = JSON.parse(makeOpenapi()) as Document
const closed = JSON.parse(makeClosedOpenapi()) as Document

/** Every schema below a node, with the place where it stands. */
function* nodesIn(node: unknown, at = ''): Generator<readonly [string, Node]> {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) yield [at, node as Node]
  for (const [key, value] of Object.entries(node)) if (!/^examples?$/.test(key)) yield* nodesIn(value, `${at}/${key}`)
}

const { schemas } = open.components
const nameIn = (ref: unknown) => String(ref).split('/').at(-1) ?? ''
/** The components that requests reach. */
const sent = new Set<string>()
const reach = (node: unknown): void => {
  for (const [, { $ref }] of nodesIn(node)) {
    const name = nameIn($ref)
    if ($ref === undefined || sent.has(name)) continue
    sent.add(name)
    reach(schemas[name])
  }
}
for (const byMethod of Object.values(open.paths))
  for (const { requestBody, parameters } of Object.values(byMethod)) reach([requestBody, parameters])
const OF_REPLIES = Object.entries(schemas).filter(([name, schema]) => !sent.has(name) && schema.enum === undefined)

describe('what a reply may gain without a new version', () => {
  it('is found in most schemas', () => expect(OF_REPLIES.length).toBeGreaterThan(200))

  it('is any member', () => {
    const shut = OF_REPLIES.flatMap(([name, schema]) =>
      [...nodesIn(schema, name)].filter(([, node]) => node.additionalProperties === false),
    )
    expect(shut.map(([at]) => at)).toEqual([])
  })

  it('is any value of an enum, whose known ones are listed', () => {
    const nodes = OF_REPLIES.flatMap(([name, schema]) => [...nodesIn(schema, name)])
    const open = nodes.filter(([, node]) => node['x-extensible-enum'] !== undefined)
    expect(open.length).toBeGreaterThan(100)
    for (const [at, { anyOf, 'x-extensible-enum': known }] of open) {
      const [first, second] = anyOf as [Node, Node]
      expect([at, schemas[nameIn(first.$ref)]?.enum, second]).toEqual([at, known, { type: 'string' }])
    }
    const inline = nodes.filter(([, node]) => Array.isArray(node.enum) && node.enum.length > 1)
    expect(inline.map(([at]) => at)).toEqual([])
  })

  it('is an event or an artifact of another type', () => {
    for (const [of, fallback] of [
      [(schemas.EventFeed as { properties: { events: { items: Node } } }).properties.events.items, 'OtherEvent'],
      [schemas.ArtifactOutput as Node, 'OtherArtifact'],
    ] as const)
      expect(nameIn((of.anyOf as Node[]).at(-1)?.$ref)).toBe(fallback)
  })

  it('is nothing of a request, which is as in the closed document', () => {
    for (const name of sent) expect([name, schemas[name]]).toEqual([name, closed.components.schemas[name]])
  })
})

describe('the names of schemas', () => {
  it('have no numbers, and each enum and object has one', () => {
    expect(Object.keys(schemas).filter((name) => /\d/.test(name))).toEqual([])
    const inner = Object.entries(schemas).flatMap(([name, schema]) => [...nodesIn(schema, name)].filter(([at]) => at !== name))
    const isPart = ({ enum: words, properties, $ref, type }: Node) =>
      $ref === undefined &&
      ((Array.isArray(words) && words.length > 1) ||
        (type === 'object' && Object.keys((properties as object | undefined) ?? {}).length > 0))
    expect(inner.filter(([at, node]) => !at.endsWith('/properties') && isPart(node)).map(([at]) => at)).toEqual([])
  })

  it('are given to each option of a union, which generators number otherwise', () => {
    const unions = Object.entries(schemas).flatMap(([name, schema]) =>
      [...nodesIn(schema, name)].flatMap(([at, node]) => {
        const options = [...((node.anyOf as Node[] | undefined) ?? []), ...((node.oneOf as Node[] | undefined) ?? [])]
        const nameless = options.filter(({ $ref, type, anyOf }) => $ref === undefined && type !== 'null' && anyOf === undefined)
        return nameless.length > 1 ? [at] : []
      }),
    )
    expect(unions).toEqual([])
  })
})
