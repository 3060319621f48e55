import { addUp } from '../../addUp.ts'
import type { Cell, Row } from '../cells.ts'
import { isNumeric } from './numeric.ts'

/** Returns the rows that show the columns of their headings: those of the page with the headings, and of pages with lines besides, if not of a sum alone. */
export function columnRows<R extends Row>(rows: readonly R[]): R[] {
  const isLine = ({ cells }: Row) => cells.filter(isNumeric).length >= 2 && cells.filter((cell) => !isNumeric(cell)).length >= 2
  const lines = new Set(rows.filter(isLine).map(({ sheet }) => sheet))
  return rows.filter(({ sheet }) => sheet === rows[0]?.sheet || lines.has(sheet))
}

/**
 * Returns the sheets whose rows do not stand below those of the first sheet, so that headings there say nothing of them: the words of their columns
 * begin, end or have their middles elsewhere.
 */
export function shiftedSheets(rows: readonly Row[]): Set<number> {
  const [first] = rows
  const others = new Set(rows.map(({ sheet }) => sheet).filter((sheet) => sheet !== first?.sheet))
  const above = rows.filter(({ sheet }) => sheet === first?.sheet)
  const below = EDGES.map((edge) => belowAt(edge, above))
  return new Set(
    [...others].filter((sheet) => {
      const words = wordsOf(rows.filter((row) => row.sheet === sheet))
      return words.length > 0 && words.filter((cell) => below.some((isBelow) => isBelow(cell))).length < words.length * LEAST
    }),
  )
}

/** The least share of words that stand below others. */
const LEAST = 0.5
/** Points by which two of a column may be apart. */
const APART = 1
/** From so many rows on, a column shows in the edges that several of them share. */
const SEVERAL = 4

type Edge = (cell: Cell) => number
const EDGES: readonly Edge[] = [({ left }) => left, ({ right }) => right, ({ left, right }) => (left + right) / 2]

/** The words of rows that tell columns: several beside numbers. */
function wordsOf(rows: readonly Row[]): Cell[] {
  return rows.flatMap(({ cells }) => {
    const words = cells.filter((cell) => !isNumeric(cell))
    return words.length >= TELLING && cells.length - words.length >= 2 ? words : []
  })
}

const TELLING = 3

/** Returns whether a cell has an edge that cells above have. */
function belowAt(edge: Edge, above: readonly Row[]): (cell: Cell) => boolean {
  const counts = new Map<number, number>()
  const place = (at: number) => Math.round(at / APART)
  for (const cell of wordsOf(above)) addUp(counts, place(edge(cell)))
  const least = above.length >= SEVERAL ? 2 : 1
  return (cell) => [-1, 0, 1].reduce((sum, by) => sum + (counts.get(place(edge(cell)) + by) ?? 0), 0) >= least
}
