import type { Product } from '../../contract/product.ts'
import type { DropErrorCode, DropFileType, DropFormat } from '../../contract/vocabulary/drops.ts'

/** The files of one type of a drop that a reader is to read, in manifest order. */
export interface ReadTask {
  readonly type: DropFileType
  readonly drop_id: string
  readonly files: readonly FileToRead[]
  /** An existing folder for the slice files of this reader alone. */
  readonly folder: string
  /** The window of commits that name none: the one of the manifest. */
  readonly effective?: { readonly start: string; readonly end: string } | undefined
  /** Of avails: the path of a file with one `SoldProduct` a line. */
  readonly products?: string | undefined
  /** Where an earlier reader ended. Rows up to this one are read again without being reported, since later rows may repeat them. */
  readonly after?: Cursor | undefined
}

export interface FileToRead {
  readonly filename: string
  /** In the spool. */
  readonly path: string
  readonly format: DropFormat
  readonly sha256: string
}

/** A place among the files: the last row of `files[file]` that was handled. Row 0 is the start of the file. */
export interface Cursor {
  readonly file: number
  readonly row: number
}

/** What the rules of avails need of a product. */
export type SoldProduct = Pick<Product, 'product_id' | 'buy_types' | 'grains' | 'effective'>

/** A fault of a row. With row 0 it is a fault of the whole file. */
export interface RowError {
  readonly row: number
  readonly error_code: DropErrorCode
  readonly field?: string | undefined
  readonly value?: unknown
  readonly message: string
}

export interface RowWarning {
  readonly row: number
  readonly code: string
  readonly message: string
}

/** Rows in the order of a file. Errors and warnings are of these rows, so that the writer of the slice writes them with it. */
export interface Slice {
  readonly kind: 'slice'
  /** The index of the file in the task. */
  readonly file: number
  /** The last row of this slice. */
  readonly last_row: number
  /**
   * The file with the accepted rows; removed when the next message is asked for. Of avails it is COPY text with the columns row, product_id, grain,
   * start, state, body. Of other types it has one `SliceLine` as JSON a line.
   */
  readonly path: string
  readonly bytes: number
  readonly accepted: number
  readonly rejected: number
  /** At most `ERRORS_PER_DROP` in all messages of a reader. */
  readonly errors: readonly RowError[]
  /** At most `WARNINGS_PER_DROP` in all messages of a reader. */
  readonly warnings: readonly RowWarning[]
}

/** A line of a slice, except of avails. */
export interface SliceLine {
  /** The first row of the entry. */
  readonly row: number
  /** How many rows the entry has; 1 if absent. */
  readonly rows?: number
  /** Of rate_cards: the `number` of the commit to which the entry belongs. */
  readonly commit?: number
  /** As its schema reads it. */
  readonly entry: unknown
}

export function sliceLine(line: SliceLine): string {
  return `${JSON.stringify(line)}\n`
}

/** Sent before the first slice with entries of this head. */
export type Head =
  | { readonly kind: 'catalog'; readonly file: number; readonly row: number; readonly taxonomy_version: string }
  | {
      readonly kind: 'commit'
      readonly file: number
      readonly row: number
      /** Commits are numbered over all files. */
      readonly number: number
      readonly commit: string
      readonly effective: { readonly start: string; readonly end: string }
      readonly agreement_id?: string
    }

/** All rows of the file were reported. */
export interface FileEnd {
  readonly kind: 'fileEnd'
  readonly file: number
  readonly rows: number
}

/** The file broke at `error.row`. The slices of avails up to it count; of other types the file counts as not read. */
export interface UnreadableFile {
  readonly kind: 'unreadable'
  readonly file: number
  readonly error: RowError
}

/** What `readDropFiles` yields. Every file ends in `fileEnd` or `unreadable`. */
export type ReaderMessage = Slice | Head | FileEnd | UnreadableFile

/** The task of the process. */
export interface ChildTask extends ReadTask {
  /** The files that an earlier process could not read, by their index. */
  readonly broken: readonly number[]
}

/** What the process writes to its descriptor 3, one a line. */
export type ChildMessage =
  | ReaderMessage
  | { readonly kind: 'fileStart'; readonly file: number }
  | { readonly kind: 'end' }
  /** The last message: a slice cannot be written, for the reason that the system gives. */
  | { readonly kind: 'unwritable'; readonly code: string }
