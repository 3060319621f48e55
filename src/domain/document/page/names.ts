import type { Cell, Row } from '../cells.ts'
import { apart } from './columns.ts'
import { bandsOf, solidRows } from './extents.ts'
import { isNumeric } from './numeric.ts'
import { together } from './rows.ts'
import { columnRows } from './shifted.ts'

/** Gives the numbers that a few rows have a space behind words to these words: `Farm Report 2`. Where most rows have one, it is a column. */
export function withNumbersOfNames(rows: readonly Row[]): Row[] {
  const solid = solidRows(columnRows(rows))
  const isBehind = (cells: readonly Cell[], at: number) => isNumeric(cells[at] as Cell) && isSameCell(cells[at - 1], cells[at] as Cell)
  const bands = bandsOf(solid).filter((band) => {
    const own = solid.flatMap(({ cells }) =>
      cells.flatMap((cell, at) => (isNumeric(cell) && apart(band, cell) < 0 ? [isBehind(cells, at)] : [])),
    )
    return own.length * 2 < solid.length && own.every((isNamed) => isNamed)
  })
  if (bands.length === 0) return [...rows]
  return rows.map((row) => {
    const cells: Cell[] = []
    row.cells.forEach((cell, at) => {
      const isNamed = isBehind(row.cells, at) && bands.some((band) => apart(band, cell) < 0)
      if (isNamed) cells.push(together(cells.pop() as Cell, cell))
      else cells.push(cell)
    })
    return { ...row, cells }
  })
}

/** Words a space apart are of one cell, whichever heading the later ones are near to, as is a number behind words: `Farm Report 2`. */
export function isSameCell(before: Cell | undefined, cell: Cell): boolean {
  return before !== undefined && !isNumeric(before) && cell.left - before.right <= cell.size * SPACE
}

const SPACE = 0.7
