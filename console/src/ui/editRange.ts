import type { CellAt } from './editKeys.ts'

/** The cell that is typed into, and the opposite corner of the cells that are selected with it. */
export interface Selection {
  readonly at: CellAt
  readonly to?: CellAt | undefined
}

/** The indexes of the rows that a filter shows, in order; undefined when all are shown. */
export type Shown = readonly number[] | undefined

/** Cells side by side, all ends included: the places of their rows among those that are shown, and the indexes of their columns. */
export interface CellRange {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

/** What is selected; undefined when the filter hides the cell that is typed into. */
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

/** -1 for a row that the filter hides. */
export function placeOf(row: number, shown: Shown): number {
  return shown === undefined ? row : shown.indexOf(row)
}

/** The row at a place; beyond the last one that is shown, a row that comes after all of them. */
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

/** Texts as spreadsheets copy them: cells between tabs, one row a line. */
export function copiedText(cells: readonly (readonly string[])[]): string {
  return cells.map((row) => row.map(copiedCell).join('\t')).join('\n')
}

function copiedCell(text: string): string {
  return /^"|[\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** What is pasted over a range: repeated, where the range is several times as large in both directions, as spreadsheets do. */
export function tiled(cells: readonly (readonly string[])[], range: { rows: number; columns: number }): readonly (readonly string[])[] {
  const [rows, columns] = [cells.length, Math.max(0, ...cells.map((row) => row.length))]
  if (rows === 0 || columns === 0 || range.rows % rows !== 0 || range.columns % columns !== 0) return cells
  return Array.from({ length: range.rows }, (_, row) =>
    Array.from({ length: range.columns }, (__, column) => cells[row % rows]?.[column % columns] ?? ''),
  )
}
