/** A sheet or page as read: uninterpreted text with its position. */
export interface Table {
  /** How columns are separated: by index in a grid, by horizontal position on a page. */
  readonly layout: 'grid' | 'page'
  readonly rows: readonly TableRow[]
}

/** Cells from left to right, without empty ones. */
export type TableRow = readonly TableCell[]

export interface TableCell {
  readonly text: string
  /** The location for people: `B7`, `Sheet2!B7`, `page 2`. */
  readonly at: string
  /** The horizontal extent, `right` excluded: column indexes in a grid, points on a page. */
  readonly left: number
  readonly right: number
  /** The rows that a merged cell stands for, if more than one. */
  readonly rows?: number
}

/** The most characters of a cell. Names, dates and prices are far shorter; longer text is truncated. */
export const CELL_CHARACTERS = 256
