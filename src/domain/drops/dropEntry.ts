import type { DropError, DropWarning } from '../../contract/drop.ts'
import type { EntryError, EntryWarning } from '../../contract/product.ts'

/** An entry of a file, with its first row and its number of rows. */
export interface DropEntry<T> {
  readonly file: string
  readonly row: number
  readonly rows: number
  readonly value: T
}

export interface RowCounts {
  readonly rows_written: number
  readonly rows_rejected: number
}

type Places = readonly Pick<DropEntry<unknown>, 'file' | 'row' | 'rows'>[]

/** Returns the name of an entry in messages. */
export function rowName(entries: Places, index: number): string {
  const { file, row } = entries[index] as Places[number]
  return `row ${row} of ${file}`
}

export function placedError(entries: Places, { index, ...error }: EntryError): DropError {
  const { file, row } = entries[index] as Places[number]
  return { file, row, value: undefined, ...error }
}

export function placedWarning(entries: Places, { index, ...warning }: EntryWarning): DropWarning {
  const { file, row } = entries[index] as Places[number]
  return { file, row, ...warning }
}

/** Counts rows; an entry may have several. */
export function countsOf(entries: Places, accepted: ReadonlySet<number>): RowCounts {
  let rows_written = 0
  let rows_rejected = 0
  for (const [index, { rows }] of entries.entries()) {
    if (accepted.has(index)) rows_written += rows
    else rows_rejected += rows
  }
  return { rows_written, rows_rejected }
}
