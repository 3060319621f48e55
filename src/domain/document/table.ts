/** A sheet or a page as it was read: text with its place, and nothing understood yet. */
export interface Table {
  /** How columns are told apart: by their index in a grid, by where the text stands on a page. */
  readonly layout: 'grid' | 'page'
  readonly rows: readonly TableRow[]
}

/** From left to right; cells without text are left out. */
export type TableRow = readonly TableCell[]

export interface TableCell {
  readonly text: string
  /** Where a person finds it: `B7`, `Sheet2!B7`, `page 2`. */
  readonly at: string
  /** What it covers, `right` excluded: column indexes in a grid, points on a page. */
  readonly left: number
  readonly right: number
}

/** Of one cell: a name, a date or a price is far shorter. What is longer was cut. */
export const CELL_CHARACTERS = 256
