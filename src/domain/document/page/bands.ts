import { addUp } from '../../addUp.ts'
import { type Cell, type Extent, overlaps, type Row } from '../cells.ts'
import type { Heading } from '../headings/compose.ts'
import { isList } from '../headings/vocabulary.ts'
import { amountOf } from '../values/amounts.ts'
import { apart, matched } from './columns.ts'
import { bandsOf, belowOne, numbersIn, solidRows } from './extents.ts'
import { isSameCell, withNumbersOfNames } from './names.ts'
import { isNumeric } from './numeric.ts'
import { cutAt, partOf, together } from './rows.ts'
import { columnRows, shiftedSheets } from './shifted.ts'

/** A row whose cells are below their headings. */
export interface PlacedRow {
  readonly row: Row
  /** The cell of each column, by the column's position. */
  readonly cells: ReadonlyMap<number, Cell>
  /** Cells that are below no heading. */
  readonly loose: readonly Cell[]
  /** Why the cells of the row cannot be told apart by their columns; undefined if they can. */
  readonly torn: string | undefined
}

/**
 * Assigns the cells of a table's rows to its columns. In a grid a cell is below the heading of its column. On a page the numbers of all rows that
 * stand above each other are one band, and the bands and the headings are in the same order: a band below no heading's own width belongs to a
 * heading beside it, and to which one is decided for all bands together, since no heading has two. Where an empty heading leaves a choice, the
 * numbers beside it are of neither.
 */
export function placed(rows: readonly Row[], headings: readonly Heading[], layout: 'grid' | 'page'): PlacedRow[] {
  if (layout === 'grid')
    return rows.map((row) =>
      withWordsTold(
        inColumns(row, (cell) => gridColumn(cell, headings)),
        headings,
      ),
    )
  const cut = withNumbersCut(
    rows.map((row) => ({ ...row, cells: withSigns(row.cells).flatMap((cell) => cutByHeadings(cell, headings)) })),
    headings,
  )
  return placedOnPage(rows, withNumbersOfNames(cut), headings)
}

function placedOnPage(rows: readonly Row[], cut: readonly Row[], headings: readonly Heading[]): PlacedRow[] {
  const shifted = shiftedSheets(cut)
  const solid = solidRows(columnRows(cut.filter(({ sheet }) => !shifted.has(sheet))))
  const taken = textHeadings(solid, headings)
  const bands = belowOne(bandsOf(solid), headings)
  const columns = matched(bands, headings, taken)
  const occupied = new Set(
    cut.flatMap(({ cells }) => cells.filter((cell) => !isNumeric(cell)).flatMap((cell) => headingsOver(cell, headings))),
  )
  const isMoved = columns.some((column, at) => column === undefined && numbersIn(bands[at] as Extent, solid) > 1)
  const columnOf = (cell: Cell): number | undefined | 'either' => {
    if (!isNumeric(cell)) return besideOccupied(cell, headings, occupied) ?? textColumn(cell, headings)
    const shared = bands.map((extent) => -apart(extent, cell))
    const max = Math.max(0, ...shared)
    return max === 0 ? near(cell, headings) : columns[shared.indexOf(max)]
  }
  return cut.map((row, at) => ({
    ...tornIf(
      shifted.has(row.sheet) ? SHIFTED : isMoved ? MOVED : undefined,
      inColumns(row, columnOf, (cell) => !headings.some((heading) => overlaps(heading, cell, 0.5))),
    ),
    row: rows[at] as Row,
  }))
}

const SHIFTED = 'its columns do not stand below those of the page with the headings'
/** Where a whole column of numbers has no heading, those beside it may stand below headings of others. */
const MOVED = 'a column of numbers of its table is below no heading'

function tornIf(fault: string | undefined, row: PlacedRow): PlacedRow {
  if (fault === undefined || !row.row.cells.some(isNumeric)) return row
  return { ...row, torn: row.torn ?? fault }
}

/** In a list of products, also words below no heading say something of the line that nobody knows. */
function withWordsTold(row: PlacedRow, headings: readonly Heading[]): PlacedRow {
  const [loose] = row.loose
  if (row.torn !== undefined || loose === undefined || !isList({ headings })) return row
  return { ...row, torn: `"${loose.text}" (${loose.at}) is under no heading` }
}

/** A sign of money stands apart from its number, at the left edge of the column. */
function withSigns(cells: readonly Cell[]): Cell[] {
  const joined: Cell[] = []
  for (const cell of cells) {
    const last = joined.at(-1)
    if (last?.text === '$' && (amountOf(cell.text) !== undefined || /^[-–—]$/.test(cell.text)))
      joined[joined.length - 1] = together(last, cell)
    else joined.push(cell)
  }
  return joined
}

/** Cuts a cell that covers several headings between its words, each of which goes to its nearest heading. */
function cutByHeadings(cell: Cell, headings: readonly Heading[]): Cell[] {
  const covered = headings.filter((heading) => overlaps(heading, cell, 0.5))
  if (cell.words.length < 2 || amountOf(cell.text) !== undefined || covered.length < 2) return [cell]
  const parts: { heading: number; words: Cell['words'][number][] }[] = []
  for (const word of cell.words) {
    const last = parts.at(-1)
    // A range that its printer cut goes on behind its hyphen.
    const isCut = last !== undefined && /\d\w?-$/.test(last.words.at(-1)?.text ?? '')
    const heading = isCut ? last.heading : nearest(word, covered)
    if (last?.heading === heading) last.words.push(word)
    else parts.push({ heading, words: [word] })
  }
  return parts.map(({ words }) => partOf(cell, words))
}

/** Cuts a number from the words after it where most rows have both in one cell: the number is of the column before, which its printer ran together. */
function withNumbersCut(rows: readonly Row[], headings: readonly Heading[]): Row[] {
  const isBoth = ({ words, text }: Cell) =>
    words.length > 1 && /^\d{1,4}$/.test(words[0]?.text ?? '') && amountOf(text) === undefined && !/^\d/.test(words[1]?.text ?? '')
  const solid = solidRows(rows)
  const at = new Map<number, number>()
  for (const { cells } of solid) for (const cell of cells.filter(isBoth)) addUp(at, nearest(cell, headings))
  const often = new Set([...at].filter(([, count]) => count > solid.length * 0.5).map(([heading]) => heading))
  if (often.size === 0) return [...rows]
  return rows.map((row) => ({
    ...row,
    cells: row.cells.flatMap((cell) => (isBoth(cell) && often.has(nearest(cell, headings)) ? cutAt(cell, 1) : [cell])),
  }))
}

function nearest(extent: Extent, headings: readonly Heading[]): number {
  let best = 0
  headings.forEach((heading, at) => {
    if (apart(extent, heading) < apart(extent, headings[best] as Heading)) best = at
  })
  return best
}

/** Returns the headings below which the rows have words, each with the share of its rows. */
function textHeadings(rows: readonly Row[], headings: readonly Heading[]): Set<number> {
  const counts = new Map<number, number>()
  for (const { cells } of rows)
    for (const at of new Set(cells.filter((cell) => !isNumeric(cell)).map((cell) => textColumn(cell, headings)))) addUp(counts, at)
  return new Set([...counts].filter(([, count]) => count >= rows.length * 0.5).map(([at]) => at))
}

function headingsOver(cell: Extent, headings: readonly Heading[]): number[] {
  return headings.flatMap((heading, at) => (overlaps(heading, cell, 0.5) ? [at] : []))
}

/**
 * Returns the heading of words that stand below none, between two of which one has words of its own below it: they are of the other one, such as
 * words on the left of a column below a heading in its middle.
 */
function besideOccupied(cell: Extent, headings: readonly Heading[], occupied: ReadonlySet<number>): number | undefined {
  if (headingsOver(cell, headings).length > 0) return undefined
  const before = headings.findLastIndex((heading) => heading.right <= cell.left)
  const after = headings.findIndex((heading) => heading.left >= cell.right)
  if (before < 0 || after < 0 || occupied.has(before) === occupied.has(after)) return undefined
  const free = occupied.has(before) ? after : before
  // Numbers below a heading are its column as well.
  return headings[free]?.named !== undefined && WORDED.includes(headings[free].named.role) ? free : undefined
}

const WORDED: readonly string[] = ['program', 'product', 'block', 'daypart', 'window', 'days', 'network', 'creative']

/** Words begin at or below their heading: of several, the one that shares most; of none, the one whose left edge is nearest. */
function textColumn(cell: Extent, headings: readonly Heading[]): number {
  const shared = headings.map((heading) => -apart(cell, heading))
  const max = Math.max(...shared)
  if (max > 0) return shared.indexOf(max)
  return nearest(cell, headings)
}

/** A number in no band is of the heading that it is below or beside. */
function near(cell: Cell, headings: readonly Heading[]): number | undefined {
  const at = textColumn(cell, headings)
  return apart(cell, headings[at] as Heading) > cell.size * FAR ? undefined : at
}

const FAR = 3

function gridColumn(cell: Cell, headings: readonly Heading[]): number | undefined {
  const at = headings.findIndex((heading) => heading.left <= cell.left && cell.left < heading.right)
  return at < 0 ? undefined : at
}

function inColumns(
  row: Row,
  columnOf: (cell: Cell) => number | 'either' | undefined,
  isFree: (cell: Cell) => boolean = () => false,
): PlacedRow {
  const cells = new Map<number, Cell>()
  const loose: Cell[] = []
  let torn: string | undefined
  let last: { cell: Cell; column: number | 'either' | undefined } | undefined
  for (const cell of row.cells) {
    const own = columnOf(cell)
    // A number of a band of its own is of a column, though its heading be narrow.
    const isOpen = isFree(cell) && (own === undefined || !isNumeric(cell))
    const column = isOpen && isSameCell(last?.cell, cell) ? last?.column : own
    last = { cell, column }
    const before = typeof column === 'number' ? cells.get(column) : undefined
    if (typeof column !== 'number') {
      loose.push(cell)
      if (/\d/.test(cell.text))
        torn ??= column === 'either' ? `"${cell.text}" may be below either of two headings` : `"${cell.text}" is below no heading`
    } else if (before === undefined) cells.set(column, cell)
    else if (isNumeric(before) && isNumeric(cell) && before.text !== cell.text)
      torn ??= `"${before.text}" and "${cell.text}" are below one heading`
    else cells.set(column, together(before, cell))
  }
  return { row, cells, loose, torn }
}
