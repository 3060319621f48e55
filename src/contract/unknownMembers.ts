import { z } from 'zod'
import type { Fault } from './errorEnvelope.ts'
import { nearestIs, nearestName } from './nearestName.ts'
import { optionFor, type Shape, shapeOf } from './shape.ts'

/** A member of a request that its schema does not know and that had no effect. `nearest` is the known name that was probably meant. */
export const UnknownMember = z
  .object({
    code: z.literal('UNKNOWN_MEMBER'),
    pointer: z.string().meta({ description: 'The JSON pointer of the ignored member.' }),
    nearest: z.string().optional().meta({ description: 'The known member that was probably meant.' }),
  })
  .meta({ id: 'UnknownMember', description: 'A member that was sent and ignored because the contract does not have it.' })
export type UnknownMember = z.infer<typeof UnknownMember>

/** Warnings of a reply that has no others; absent when empty. */
export const UnknownMembers = z.array(UnknownMember).optional()

/** The most warnings to list. */
const MAX = 100

/**
 * Returns the members of `sent` that no schema knows, in body order, at most 100. `ignored` are dotted paths, with `*` for any index, of members
 * that the contract ignores explicitly. Skips objects that keep unknown members, and values of the wrong type.
 */
export function unknownMembers(schemas: readonly z.ZodType[], sent: unknown, ignored: readonly string[] = []): UnknownMember[] {
  const found: UnknownMember[] = []
  const path: (string | number)[] = []
  const walk = (shape: Shape, value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const fitting = shape.options === undefined ? shape : optionFor(shape.options, value)
    if (Array.isArray(value)) {
      for (let index = 0; fitting?.items !== undefined && index < value.length; index += 1) step(index, fitting.items, value[index])
      return
    }
    if (fitting?.members === undefined || fitting.isOpen) return
    for (const name of Object.keys(value)) {
      const inner = fitting.members.get(name)
      if (inner === undefined) note(name, fitting.members.keys())
      else step(name, inner, (value as Record<string, unknown>)[name])
    }
  }
  const step = (key: string | number, shape: Shape, value: unknown) => {
    path.push(key)
    walk(shape, value)
    path.pop()
  }
  const note = (name: string, known: Iterable<string>) => {
    const at = [...path, name]
    if (found.length === MAX || ignored.includes(at.map((key) => (typeof key === 'number' ? '*' : key)).join('.'))) return
    const nearest = nearestName(name, known)
    found.push({ code: 'UNKNOWN_MEMBER', pointer: pointerOf(at), ...(nearest === undefined ? {} : { nearest }) })
  }
  walk(schemas.map(shapeOf).reduce(merged), sent)
  return found
}

/** Converts unknown members to faults, for requests that replace a whole resource. */
export function unknownFaults(found: readonly UnknownMember[]): Fault[] {
  return found.map(({ pointer, nearest }) => {
    const field = fieldOf(pointer)
    const message = `${field} is not a known member${nearestIs(nearest)}.`
    return { error_code: 'INVALID_INPUT', field, message }
  })
}

/** Merges the members that two shapes know. */
function merged(a: Shape, b: Shape): Shape {
  if (a === b) return a
  if (a.members === undefined || b.members === undefined || a.isOpen || b.isOpen)
    return a.items !== undefined && b.items !== undefined ? { items: merged(a.items, b.items) } : {}
  const members = new Map(a.members)
  for (const [name, shape] of b.members) members.set(name, merged(members.get(name) ?? shape, shape))
  return { members }
}

/** Adds to each fault of a missing member the unknown one that was probably meant for it: `units is required, but what was sent is named unit`. */
export function withLikelySlips(faults: readonly Fault[], unknown: readonly UnknownMember[]): Fault[] {
  const slips = new Map(
    unknown.flatMap(({ pointer, nearest }) => {
      const steps = fieldOf(pointer).split('.')
      return nearest === undefined ? [] : [[[...steps.slice(0, -1), nearest].join('.'), steps.at(-1)]]
    }),
  )
  return faults.map((fault) => {
    const slip = fault.missing === true && fault.field !== undefined ? slips.get(fault.field) : undefined
    return slip === undefined ? fault : { ...fault, message: `${fault.field} is required, but what was sent is named ${slip}` }
  })
}

/** Returns the dotted path of a pointer. */
function fieldOf(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')
}

function pointerOf(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
