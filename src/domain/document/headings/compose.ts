import { type Cell, type Extent, overlaps, type Row, type Word } from '../cells.ts'
import { cutAt } from '../page/rows.ts'
import { monthOf } from '../values/dates.ts'
import { daysOf } from '../values/weekdays.ts'
import { dateIn } from './headingDate.ts'
import { type Named, named } from './vocabulary.ts'
import { weekNumber } from './weekNumbers.ts'

/** A column of a table by its headings, of one row to four. */
export interface Heading extends Extent {
  /** Its texts from top to bottom. */
  readonly tokens: readonly Cell[]
  readonly text: string
  readonly named: Named | undefined
  /** Texts that stand over several columns, such as a month. */
  readonly groups: readonly Cell[]
}

/** Returns true for what can be a heading by itself: known words, a date or a part of one. */
export function isHeadingWord(text: string): boolean {
  return (
    named(text) !== undefined ||
    dateIn(text) !== undefined ||
    isDatePart(text) ||
    weekNumber(text) !== undefined ||
    /^\d{4}-?W\d{2}$/i.test(text)
  )
}

/** A month, a day of a month, or the letter of a weekday. */
export function isDatePart(text: string): boolean {
  return monthOf(text) !== undefined || /^\d{1,2}$/.test(text) || (text.length <= 3 && (daysOf(text)?.length ?? 0) === 1)
}

/** Cuts cells of a heading row that have run together, where each part is a heading by its words. */
export function tokensOf(row: Row, layout: 'grid' | 'page'): Cell[] {
  return layout === 'grid' ? [...row.cells] : row.cells.flatMap((cell) => (isHeadingWord(cell.text) ? [cell] : (segments(cell) ?? [cell])))
}

function segments(cell: Cell): Cell[] | undefined {
  const words = cell.words.flatMap(capitals)
  return words.length < 2 || words.length > 30 ? undefined : recognized({ ...cell, words })
}

/** Cuts `LengthSpots`, two headings without a gap between them. */
function capitals(word: Word): Word[] {
  const at = /[a-z](?=[A-Z][a-z])/.exec(word.text)?.index
  if (at === undefined) return [word]
  const middle = word.left + ((word.right - word.left) * (at + 1)) / word.text.length
  return [
    { ...word, text: word.text.slice(0, at + 1), right: middle },
    { ...word, text: word.text.slice(at + 1), left: middle },
  ]
}

function recognized(cell: Cell): Cell[] | undefined {
  if (cell.words.length < 2) return undefined
  for (let count = Math.min(4, cell.words.length - 1); count > 0; count -= 1) {
    const [first, rest] = cutAt(cell, count)
    if (!isHeadingWord(first.text)) continue
    const after = isHeadingWord(rest.text) ? [rest] : recognized(rest)
    if (after !== undefined) return [first, ...after]
  }
  return undefined
}

/**
 * Composes the columns of a block of heading rows. The row with the most texts gives the columns; a text of another row belongs to the column
 * that it stands over or under, is a group if it stands over several, and a column of its own if over none.
 */
export function composed(rows: readonly (readonly Cell[])[]): Heading[] {
  const base = rows.reduce((max, row) => (row.length > max.length ? row : max), [] as readonly Cell[])
  const columns = base.flatMap((cell) => columnsOf(cell, rows)).map((column) => ({ ...column, extent: extentOf(column.tokens) }))
  const placed = new Set(columns.flatMap(({ tokens }) => tokens))
  for (const row of rows.filter((row) => row !== base)) {
    for (const cell of row) {
      if (placed.has(cell)) continue
      placed.add(cell)
      const under = columns.filter(({ extent }) => overlaps(extent, cell, LEAST_SHARED))
      const [only] = under
      if (only === undefined) columns.push({ tokens: [cell], groups: [], extent: cell })
      else if (under.length === 1 && !only.tokens.some(({ y }) => y === cell.y)) {
        only.tokens.push(cell)
        only.extent = extentOf([only.extent, cell])
      } else for (const { groups } of under) groups.push(cell)
    }
  }
  return columns.map(({ tokens, groups, extent }) => headingOf(tokens, groups, extent)).sort((a, b) => a.left - b.left)
}

interface Column {
  readonly tokens: Cell[]
  readonly groups: Cell[]
  /** Of the tokens. */
  extent: Extent
}

/** A merged cell of a grid that stands over several others is their group; any other cell is a column. */
function columnsOf(cell: Cell, rows: readonly (readonly Cell[])[]): Omit<Column, 'extent'>[] {
  if (cell.size !== 1 || cell.right - cell.left < 2) return [{ tokens: [cell], groups: [] }]
  const below = rows.map((row) => row.filter((other) => other.y > cell.y && other.left >= cell.left && other.right <= cell.right))
  const parts = below.find((some) => some.length > 1) ?? []
  if (parts.length === 0) return [{ tokens: [cell], groups: [] }]
  return parts.map((part) => ({ tokens: [part], groups: [cell] }))
}

const LEAST_SHARED = 0.3

function headingOf(tokens: readonly Cell[], groups: readonly Cell[], { left, right }: Extent): Heading {
  const ordered = [...tokens].sort((a, b) => a.y - b.y)
  const text = ordered.map((cell) => cell.text).join(' ')
  // A word that the row above shares with its neighbour, such as `Wks` beside the first week, is none of the column's own.
  return { left, right, tokens: ordered, text, named: named(text), groups }
}

export function extentOf(cells: readonly Extent[]): Extent {
  return { left: Math.min(...cells.map(({ left }) => left)), right: Math.max(...cells.map(({ right }) => right)) }
}

/** Returns the positions of seven columns side by side that are headed by the days of a week; empty if there are none. */
export function weekdayColumns(headings: readonly Heading[]): number[] {
  const texts = headings.map(({ text }) => text)
  const from = texts.findIndex((_, at) => texts.slice(at, at + 7).length === 7 && texts.slice(at, at + 7).every(isDay))
  return from < 0 ? [] : [0, 1, 2, 3, 4, 5, 6].map((day) => from + day)
}

function isDay(text: string, day: number): boolean {
  const letter = ['m', 't', 'w', 't', 'f', 's', 's'][day] as string
  const own = text.toLowerCase()
  return (
    text.length <= 3 && (own.startsWith(letter) || (day === 3 && own === 'r') || (day === 6 && own === 'u')) && daysOf(text)?.length === 1
  )
}
