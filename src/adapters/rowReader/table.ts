/** A file whose columns have names. */
export interface Table {
  /** The number of the header's row; 0 where the format names its columns itself. */
  readonly headerRow: number
  readonly header: readonly string[]
  /** What the sender should know of the file. */
  readonly notes?: readonly { readonly code: string; readonly message: string }[]
  /** A cell may have all members of a nested column. */
  readonly isNested?: boolean
  /** The rows after the header, some at a time. Blank ones are left out. */
  readonly rows: AsyncIterable<readonly TableRow[]>
}

/** A row of a table, with the number by which errors name it. */
export interface TableRow {
  readonly row: number
  readonly cells: readonly Cell[]
  /** Why the row cannot be used at all. */
  readonly fault?: string
}

/** Text, or what a typed format decodes a cell to. Objects and lists are of nested columns. */
export type Cell = string | number | bigint | boolean | Date | object | null | undefined
