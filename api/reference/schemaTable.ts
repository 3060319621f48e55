import { escapedHtml } from '../pages/sentencePage.ts'
import { type Described, nameOf, type Schema } from './described.ts'

/** How deep the members of members are shown; below there is the name of the type alone. */
const DEPTH = 6

/** Returns the members of a schema as a table, with those of its members to unfold. */
export function schemaTable(document: Described, schema: Schema, seen: readonly string[] = []): string {
  const { resolved, names } = resolve(document, schema, seen)
  const members = membersOf(document, resolved)
  if (members.length === 0) return `<p>${typeOf(resolved)}</p>`
  const rows = members.map(([name, member, required]) => {
    const inner = seen.length >= DEPTH ? '' : nested(document, member, names)
    const note = escapedHtml(member.description ?? resolve(document, member, []).resolved.description ?? '')
    return `<tr><th scope="row"><code>${escapedHtml(name)}</code>${required ? ' <span class="required">required</span>' : ''}</th><td>${typeOf(member)}</td><td>${note}${inner}</td></tr>`
  })
  return `<table><thead><tr><th scope="col">Member</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function nested(document: Described, member: Schema, seen: readonly string[]): string {
  const inner = objectIn(document, member, seen)
  if (inner === undefined) return ''
  return `<details><summary>Members of ${escapedHtml(inner.name)}</summary>${schemaTable(document, inner.schema, inner.seen)}</details>`
}

/** Returns the object that a member is, or holds in a list or as one of its forms; undefined if there is none that was not shown yet. */
function objectIn(
  document: Described,
  member: Schema,
  seen: readonly string[],
): { name: string; schema: Schema; seen: readonly string[] } | undefined {
  const { resolved, names } = resolve(document, member, seen)
  if (names === CYCLE) return undefined
  if (resolved.properties !== undefined || resolved.allOf !== undefined) {
    const name = member.$ref === undefined ? 'it' : nameOf(member.$ref)
    return { name, schema: resolved, seen: names }
  }
  if (resolved.items !== undefined) return objectIn(document, resolved.items, names)
  for (const form of resolved.anyOf ?? resolved.oneOf ?? []) {
    const found = objectIn(document, form, names)
    if (found !== undefined) return found
  }
  return undefined
}

/** Stands for the names of a schema that is inside of itself. */
const CYCLE: readonly string[] = []

function resolve(document: Described, schema: Schema, seen: readonly string[]): { resolved: Schema; names: readonly string[] } {
  let [resolved, names] = [schema, seen]
  while (resolved.$ref !== undefined) {
    const name = nameOf(resolved.$ref)
    if (names.includes(name)) return { resolved: {}, names: CYCLE }
    names = [...names, name]
    resolved = document.components.schemas[name] ?? {}
  }
  return { resolved, names }
}

function membersOf(document: Described, schema: Schema): [name: string, member: Schema, required: boolean][] {
  const own = Object.entries(schema.properties ?? {}).map(([name, member]): [string, Schema, boolean] => [
    name,
    member,
    schema.required?.includes(name) === true,
  ])
  const parts = [...(schema.allOf ?? []), ...(schema.properties === undefined ? (schema.anyOf ?? schema.oneOf ?? []).slice(0, 1) : [])]
  return [...own, ...parts.flatMap((part) => membersOf(document, resolve(document, part, []).resolved))]
}

/** Returns a type in words, as HTML. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return `<span class="type">${escapedHtml(nameOf(schema.$ref))}</span>`
  if (schema.const !== undefined) return `<code>${escapedHtml(JSON.stringify(schema.const))}</code>`
  if (schema.enum !== undefined) return schema.enum.map((value) => `<code>${escapedHtml(String(value))}</code>`).join(' ')
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`
  const forms = schema.anyOf ?? schema.oneOf
  if (forms !== undefined) return [...new Set(forms.map(typeOf))].join(' or ')
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : ((schema.type as string | undefined) ?? 'object')
  return `<span class="type">${escapedHtml(schema.format === undefined ? type : `${type}, ${schema.format}`)}</span>`
}
