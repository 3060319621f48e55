import { distance } from 'fastest-levenshtein'
import { z } from 'zod'
import type { Fault } from './errorEnvelope.ts'
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
const MOST = 100

/**
 * Returns the members of `sent` that no schema knows, in body order, at most 100. `ignored` are dotted paths, with `*` for any index, of members
 * that the specification ignores explicitly. Skips objects that keep unknown members, and values of the wrong type.
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
    if (found.length === MOST || ignored.includes(at.map((key) => (typeof key === 'number' ? '*' : key)).join('.'))) return
    const nearest = nearestTo(name, known)
    found.push({ code: 'UNKNOWN_MEMBER', pointer: pointerOf(at), ...(nearest === undefined ? {} : { nearest }) })
  }
  walk(schemas.map(shapeOf).reduce(merged), sent)
  return found
}

/** Converts unknown members to faults, for requests that replace a whole resource. */
export function unknownFaults(found: readonly UnknownMember[]): Fault[] {
  return found.map(({ pointer, nearest }) => {
    const field = pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')
    const message = `${field} is not a known member${nearest === undefined ? '' : `; the nearest is ${nearest}`}.`
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

/** Finds `do_not_air` for `doNotAir` and `do-not-air`; otherwise a name in which at most a third of the characters differ. */
function nearestTo(sent: string, names: Iterable<string>): string | undefined {
  if (sent.length > 64) return undefined
  const plain = plainName(sent)
  const [best] = [...names].map((name) => ({ name, off: distance(plain, plainName(name)) })).sort((a, b) => a.off - b.off)
  return best !== undefined && best.off <= Math.floor(plain.length / 3) ? best.name : undefined
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}

function pointerOf(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
