/**
 * What the steps of the document reader hand to each other. A file of an adapter is sheets; `page` finds their cells, `headings` their columns,
 * `rows` what each row is, `roles` what each column means, `lines` what is ordered, and `proof` whether the document's own totals agree.
 */

/** A sheet of a workbook, a csv, or a page of a pdf: texts with their positions, not interpreted. */
export interface Sheet {
  /** How texts are placed: by row and column of a grid, or by points on a page, y downwards. */
  readonly layout: 'grid' | 'page'
  /** The name of a workbook's sheet. */
  readonly name?: string | undefined
  readonly texts: readonly Text[]
}

/** A text as its file holds it: a cell of a grid, or a run of characters on a page. */
export interface Text {
  readonly text: string
  /** The location for people: `B7`, `Sheet2!B7`, `page 2`. */
  readonly at: string
  readonly left: number
  readonly right: number
  /** The baseline, or the number of the row. */
  readonly y: number
  /** The height of its characters; 1 in a grid. */
  readonly size: number
  /** The rows that a merged cell of a grid stands for, if more than one. */
  readonly rows?: number | undefined
}

/** A piece of a row that may be a cell, a part of one, or several that run together. */
export interface Cell extends Text {
  /** The texts between its spaces, where on a page it can be cut. */
  readonly words: readonly Word[]
}

export interface Word {
  readonly text: string
  readonly left: number
  readonly right: number
}

/** Cells of about one height, from left to right. */
export interface Row {
  readonly cells: readonly Cell[]
  readonly y: number
  /** The position of its sheet. */
  readonly sheet: number
}

/** The text of a row, for messages and rules that look at words. */
export function textOf(row: { readonly cells: readonly { readonly text: string }[] }): string {
  return row.cells.map(({ text }) => text).join(' ')
}

/** Returns true if two extents share more than `least`. */
export function overlaps(a: Extent, b: Extent, least = 0): boolean {
  return Math.min(a.right, b.right) - Math.max(a.left, b.left) > least
}

export interface Extent {
  readonly left: number
  readonly right: number
}
