import type { CellAt } from './editKeys.ts'

/** The active cell, and the opposite corner of the selected range. */
export interface Selection {
  readonly at: CellAt
  readonly to?: CellAt | undefined
}

/** The indexes of the rows that a filter shows, in order; undefined when all are shown. */
export type Shown = readonly number[] | undefined

/** A rectangle of cells, all ends included: the positions of its rows among the shown rows, and the indexes of its columns. */
export interface CellRange {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

/** Returns the selected range; undefined if the filter hides the active cell. */
export function rangeOf({ at, to = at }: Selection, shown: Shown): CellRange | undefined {
  const place = placeOf(at.row, shown)
  if (place < 0) return undefined
  const other = placeOf(to.row, shown)
  const [row, column] = other < 0 ? [place, at.column] : [other, to.column]
  return {
    top: Math.min(place, row),
    bottom: Math.max(place, row),
    left: Math.min(at.column, column),
    right: Math.max(at.column, column),
  }
}

/** Returns the position of a row among the shown rows; -1 if the filter hides it. */
export function placeOf(row: number, shown: Shown): number {
  return shown === undefined ? row : shown.indexOf(row)
}

/** Returns the row at a position; a position beyond the last shown row means a new row after all others. */
export function rowAt(place: number, shown: Shown, count: number): number {
  return shown === undefined ? place : (shown[place] ?? count + place - shown.length)
}

export function sizeOf({ top, bottom, left, right }: CellRange): { rows: number; columns: number } {
  return { rows: bottom - top + 1, columns: right - left + 1 }
}

/** Every cell of a range, row by row. */
export function cellsOf(range: CellRange, shown: Shown): CellAt[][] {
  const { rows, columns } = sizeOf(range)
  return Array.from({ length: rows }, (_, place) => {
    const row = rowAt(range.top + place, shown, Number.POSITIVE_INFINITY)
    return Array.from({ length: columns }, (__, index) => ({ row, column: range.left + index }))
  })
}

/** Writes cells as spreadsheets copy them: separated by tabs, one row per line. */
export function copiedText(cells: readonly (readonly string[])[]): string {
  return cells.map((row) => row.map(copiedCell).join('\t')).join('\n')
}

function copiedCell(text: string): string {
  return /^"|[\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Repeats the cells if the range is a multiple of their size in both directions, as spreadsheets do when pasting. */
export function tiled(cells: readonly (readonly string[])[], range: { rows: number; columns: number }): readonly (readonly string[])[] {
  const [rows, columns] = [cells.length, Math.max(0, ...cells.map((row) => row.length))]
  if (rows === 0 || columns === 0 || range.rows % rows !== 0 || range.columns % columns !== 0) return cells
  return Array.from({ length: range.rows }, (_, row) =>
    Array.from({ length: range.columns }, (__, column) => cells[row % rows]?.[column % columns] ?? ''),
  )
}
