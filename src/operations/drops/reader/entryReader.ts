import type { z } from 'zod'
import type { EntryError } from '../../../contract/product.ts'
import { unknownWarnings } from '../../publishing/parseEntries.ts'
import type { Head, RowError, RowWarning } from './messages.ts'
import type { SentEntry } from './sentEntry.ts'

/** Takes the entries of one type from all files of a drop, and reports them to the output. */
export interface EntryReader {
  beginFile?(index: number): void
  /** Takes an entry that has no error yet. */
  take(sent: SentEntry): void
  /** Ends a file whose last row this is, before its last slice is written. */
  endFile?(last: number): void
}

/** The most characters, as JSON, of a type's accepted entries if the drop publishes them together, since it then holds them in memory. */
export const HELD_CHARACTERS = 256 * 1024 * 1024

/** The receiver of a file's entries. */
export interface EntryOutput {
  /** Reports the head of the entries that follow. */
  head(head: Head): void
  /** `line` is the entry as a line of a slice; `rows` counts the rows that it has in the file. */
  accept(row: number, line: string, rows?: number): void
  /** `line` tells as a line of the slice what the row was about. */
  reject(row: number, errors: readonly RowError[], rows?: number, line?: string): void
  /** Reports a warning that is known once this row has been read, which is its own unless it is about several rows. */
  warn(warning: RowWarning, knownAt?: number): void
  /** False once warnings are no longer kept. */
  readonly takesWarnings: boolean
}

/** Converts the faults of an entry whose index is its row. A fault in a list item gets the row of that item. */
export function rowErrors(errors: readonly EntryError[], { itemRows }: Pick<SentEntry, 'itemRows'> = {}): RowError[] {
  return errors.map(({ index, ...error }) => {
    const item = itemRows === undefined ? undefined : ITEM.exec(error.field ?? '')?.[1]
    return { row: (item === undefined ? undefined : itemRows?.[Number(item)]) ?? index, ...error }
  })
}

const ITEM = /^definition\.(?:windows|occurrences)\.(\d+)/

/** Warns of the members of an entry that its schema does not know. */
export function warnUnknown(output: EntryOutput, schema: z.ZodType, { row, entry, isAsSent }: SentEntry): void {
  if (isAsSent !== true || !output.takesWarnings) return
  for (const { code, message } of unknownWarnings(schema, '', row, entry)) output.warn({ row, code, message })
}
