import type { EntryError } from '../../contract/product.ts'
import type { RowError } from './messages.ts'

/** Converts the faults of an entry whose index is the number of its row. */
export function rowErrors(errors: readonly EntryError[]): RowError[] {
  return errors.map(({ index, ...error }) => ({ row: index, ...error }))
}
