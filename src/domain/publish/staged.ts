import type { EntryError, EntryWarning } from '../../contract/product.ts'

/** An entry of a publish that has the right shape, with its place in the body. */
export interface Parsed<T> {
  readonly index: number
  readonly value: T
}

/** What the rules made of a publish: per-entry partial success (spec, One write model). */
export interface Staged<T> {
  readonly accepted: readonly T[]
  readonly errors: readonly EntryError[]
  readonly warnings: readonly EntryWarning[]
}

export function invalidEntry(index: number, field: string, value: unknown, message: string): EntryError {
  return { index, error_code: 'INVALID_ENTRY', field, ...quoted(value), message }
}

/** An unknown product_id is an entry-level error everywhere (spec, One write model, 3). */
export function unknownProduct(index: number, value: string, field = 'product_id'): EntryError {
  return { index, error_code: 'UNKNOWN_PRODUCT_ID', field, value, message: `${value} is not a product of your catalog.` }
}

/** The offending value as far as it helps to find it: scalars, long texts cut. A reply must not grow with what was wrong. */
export function quoted(value: unknown): { value?: unknown } {
  if (typeof value === 'string') return { value: value.length > 200 ? `${value.slice(0, 200)}…` : value }
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? { value } : {}
}

export function byIndex(a: { index: number }, b: { index: number }): number {
  return a.index - b.index
}
