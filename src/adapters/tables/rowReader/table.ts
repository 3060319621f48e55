import { Moment } from './moment.ts'

/** A file whose columns have names. */
export interface Table {
  /** The number of the header's row; 0 if the format itself names the columns. */
  readonly headerRow: number
  readonly header: readonly string[]
  /** The first rows after the header, as they are. */
  readonly firstRows?: readonly TableRow[]
  /** Notes for the sender about the file. */
  readonly notes?: readonly Note[]
  /** Returns the notes that are known once all rows are read. */
  readonly notesAtEnd?: () => readonly Note[]
  /** Reads the other sheets that have the header, one after another, if it was looked for. */
  readonly others?: () => AsyncIterable<OtherSheet>
  /** Whether a cell may hold all members of a nested column. */
  readonly isNested?: boolean
  /** Says which columns are used, by their places, before the first row is read. The cells of others may be absent. */
  readonly use?: (places: readonly number[]) => void
  /** The rows after the header, in batches. Blank rows are omitted. */
  readonly rows: AsyncIterable<readonly TableRow[]>
}

/** A sheet with a header as that of the one that is read. */
export interface OtherSheet {
  readonly name: string
  readonly header: readonly string[]
  readonly rows: AsyncIterable<readonly TableRow[]>
}

/** What the sender should know about a file. */
export interface Note {
  readonly code: string
  readonly message: string
}

/** Returns the place of the header among the first rows of a file or a sheet; undefined if it is not there. */
export type FindHeader = (rows: readonly (readonly Cell[])[]) => number | undefined

/** A row of a table, with its number for error messages. */
export interface TableRow {
  readonly row: number
  readonly cells: readonly Cell[]
  /** The reason why the row cannot be used at all. */
  readonly fault?: string
}

/** Text, or the decoded value of a typed format. Objects and lists belong to nested columns. */
export type Cell = string | number | bigint | boolean | Moment | object | null | undefined

/** Returns a cell as it is shown: empty for an empty cell. */
export function shownText(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  return cell instanceof Moment ? cell.shown : String(cell)
}
