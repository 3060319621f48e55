import type { z } from 'zod'
import { optionFor, type Shape, shapeOf } from './shape.ts'

/**
 * Deletes from a value, as parsed from JSON, every optional member that is null, since programs write an absent value so (choices, Null).
 * Members whose schema gives null a meaning or takes any value keep it, and so do required ones, which it is a wrong value of.
 */
export function dropAbsentNulls(schema: z.ZodType, sent: unknown): void {
  walk(shapeOf(schema), sent)
}

function walk(shape: Shape, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const fitting = shape.options === undefined ? shape : optionFor(shape.options, value)
  if (Array.isArray(value)) {
    if (fitting?.items !== undefined) for (const item of value) walk(fitting.items, item)
    return
  }
  for (const [name, member] of fitting?.members ?? []) {
    if (!Object.hasOwn(value, name)) continue
    const members = value as Record<string, unknown>
    if (members[name] === null && fitting?.optional?.has(name)) delete members[name]
    else walk(member, members[name])
  }
}
