import type { EntryError, EntryWarning } from '../../contract/product.ts'

/** A well-formed entry of a publish, with its index in the body. */
export interface Parsed<T> {
  readonly index: number
  readonly value: T
}

/** The result of checking a publish, with partial success per entry (contract, One write model). */
export interface Staged<T> {
  readonly accepted: readonly T[]
  readonly errors: readonly EntryError[]
  readonly warnings: readonly EntryWarning[]
}

/** Names an entry in a message: by its index in a body, or by its row in a file of a drop. */
export type NameOfEntry = (index: number) => string

export const entryName: NameOfEntry = (index) => `entry ${index}`

export function invalidEntry(index: number, field: string, value: unknown, message: string): EntryError {
  return { index, error_code: 'INVALID_ENTRY', field, ...quoted(value), message }
}

/** Makes the entry-level error for an unknown product_id (contract, One write model: unknown product). */
export function unknownProduct(index: number, value: string, field = 'product_id'): EntryError {
  return { index, error_code: 'UNKNOWN_PRODUCT_ID', field, value, message: `${value} is not a product of your catalog.` }
}

/** Returns a scalar value to show in an error, truncated if long, so a reply does not grow with what was sent. */
export function quoted(value: unknown): { value?: unknown } {
  if (typeof value === 'string') return { value: value.length > 200 ? `${value.slice(0, 200).toWellFormed()}…` : value }
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? { value } : {}
}

export function byIndex(a: { index: number }, b: { index: number }): number {
  return a.index - b.index
}
