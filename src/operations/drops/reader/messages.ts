import type { Mapping } from '../../../contract/mapping.ts'
import type { Product } from '../../../contract/product.ts'
import type { DropErrorCode, DropFileType, DropFormat } from '../../../contract/vocabulary/drops.ts'

/** The files of one type of a drop for a reader, in manifest order. */
export interface ReadTask {
  readonly type: DropFileType
  readonly drop_id: string
  readonly files: readonly FileToRead[]
  /** An existing folder that only this reader uses for its slice files. */
  readonly folder: string
  /** The window for commits that name none, from the manifest. */
  readonly effective?: { readonly start: string; readonly end: string } | undefined
  /** For avails: the path of a file with one `SoldProduct` per line. */
  readonly products?: string | undefined
  /** The mappings for files of the type, as they were when the drop was registered. */
  readonly mappings?: readonly Mapping[] | undefined
  /** The place where an earlier reader ended. Rows up to it are read again but not reported, since later rows may repeat them. */
  readonly after?: Cursor | undefined
}

export interface FileToRead {
  readonly filename: string
  /** The path in the spool. */
  readonly path: string
  readonly format: DropFormat
  readonly sha256: string
  /** The mapping that the manifest names for it. */
  readonly mapping?: string | undefined
}

/** A place among the files: the last row of `files[file]` that was handled. Row 0 is the start of the file. */
export interface Cursor {
  readonly file: number
  readonly row: number
}

/** The members of a product that the rules of avails need. */
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

/** Rows in the order of a file. Its errors and warnings concern these rows, so that one writer writes them together with the slice. */
export interface Slice {
  readonly kind: 'slice'
  /** The index of the file in the task. */
  readonly file: number
  /** The last row of this slice. */
  readonly last_row: number
  /**
   * The file with the accepted rows; removed when the next message is requested. For avails it is COPY text: row, product_id, grain,
   * start, state, body. For other types it has one `SliceLine` as JSON per line.
   */
  readonly path: string
  readonly bytes: number
  readonly accepted: number
  readonly rejected: number
  /** All messages of a reader together have at most `ERRORS_PER_DROP`. */
  readonly errors: readonly RowError[]
  /** All messages of a reader together have at most `WARNINGS_PER_DROP`. */
  readonly warnings: readonly RowWarning[]
}

/** A line of a slice, except for avails. */
export interface SliceLine {
  /** The first row of the entry. */
  readonly row: number
  /** The number of rows of the entry; 1 if absent. */
  readonly rows?: number
  /** For rate_cards: the `number` of the commit to which the entry belongs. */
  readonly commit?: number
  /** The entry as its schema parsed it. */
  readonly entry: unknown
}

/** A line of a slice of delivery posts about a refused row. */
export interface RefusedLine {
  readonly row: number
  /** What can be read of it (`PostKey`, and the broadcast date). */
  readonly refused: object
}

/** Returns a line of a slice, with the entry as its last member. */
export function sliceLine(line: SliceLine | RefusedLine): string {
  if (!('entry' in line)) return `${JSON.stringify(line)}\n`
  const { entry, ...place } = line
  return `${JSON.stringify({ ...place, entry })}\n`
}

/** The bytes before the entry of a line: the members before it are numbers. */
export const BEFORE_ENTRY = Buffer.from('"entry":')

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

/** Sent before the first slice of a file that is read by a mapping. */
export interface MappedBy {
  readonly kind: 'mapped'
  readonly file: number
  readonly mapping: string
  readonly version: string
}

/** All rows of the file were reported. */
export interface FileEnd {
  readonly kind: 'fileEnd'
  readonly file: number
  readonly rows: number
}

/** The file broke at `error.row`. Avails slices up to that row count; for other types the file counts as not read. */
export interface UnreadableFile {
  readonly kind: 'unreadable'
  readonly file: number
  readonly error: RowError
}

/** The messages that `readDropFiles` yields. Every file ends in `fileEnd` or `unreadable`. */
export type ReaderMessage = Slice | Head | MappedBy | FileEnd | UnreadableFile

/** The task of the reader's process. */
export interface ChildTask extends ReadTask {
  /** The indexes of the files that an earlier process could not read. */
  readonly broken: readonly number[]
}

/** The messages that the process writes to its descriptor 3, one per line. */
export type ChildMessage =
  | ReaderMessage
  | { readonly kind: 'fileStart'; readonly file: number }
  | { readonly kind: 'end' }
  /** The last message if a slice cannot be written, with the system's reason. */
  | { readonly kind: 'unwritable'; readonly code: string }
