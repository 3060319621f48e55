import type { IsoDate } from '../calendar.ts'
import type { Cell } from './cells.ts'
import type { Region } from './regions.ts'
import type { ByRole, ReadRow } from './rowKinds.ts'
import type { Terms } from './terms.ts'
import { secondsOf } from './values/amounts.ts'
import type { Span } from './values/dates.ts'

/** The length of a line's spots, with the cell that states it. */
export interface LineLength {
  readonly seconds: number | undefined
  readonly cell: Cell | undefined
}

/** What holds for all lines of a document or of a table unless a row says otherwise. */
export interface Stated {
  readonly length: number | undefined
  readonly region: number
  /** The date from which a date without a year is counted. */
  readonly anchor: () => IsoDate
  readonly order: DateOrder
  /** The spans that the document states, that of the whole order first. */
  readonly spans: readonly Span[]
  /** The terms that rows above the table state for all of its lines. */
  readonly above: Terms
}

/**
 * Returns the length of each row: its own; or the one that its heading, its table or its document states for all. A length that is merged over
 * rows stands at their middle, so the rows that it is the middle of have it; where they do not come out whole, no row has one.
 */
export function lengthsOf(region: Region, rows: readonly ReadRow[], roles: ByRole, stated: Stated): Map<number, LineLength> {
  const [column] = roles.of('length')
  const lines = rows.flatMap((row, at) => (row.kind === 'line' ? [at] : []))
  const lengths = new Map<number, LineLength>()
  if (column === undefined) {
    const seconds = region.headings.map(({ named }) => named?.seconds).find((of) => of !== undefined) ?? stated.length
    for (const at of lines) lengths.set(at, { seconds, cell: undefined })
    return lengths
  }
  const own = rows.map((row) => row.cells.get(column))
  const present = lines.filter((at) => own[at] !== undefined)
  if (region.layout === 'grid' && present.length * 2 > lines.length) {
    for (const at of lines)
      lengths.set(at, { seconds: secondsOf(own[at]?.text ?? '') ?? (own[at] === undefined ? stated.length : undefined), cell: own[at] })
    return lengths
  }
  if (present.length * 2 > lines.length) {
    // Where one row lacks its length, those of the others may have moved up or down.
    const isWhole = present.length === lines.length || new Set(present.map((at) => own[at]?.text)).size === 1
    for (const at of lines) lengths.set(at, { seconds: isWhole ? secondsOf(own[at]?.text ?? '') : undefined, cell: own[at] })
    return lengths
  }
  return region.layout === 'grid' ? carriedDown(lines, own, stated.length) : centred(lines, rows, own)
}

function carriedDown(lines: readonly number[], own: readonly (Cell | undefined)[], stated: number | undefined): Map<number, LineLength> {
  let last: Cell | undefined
  return new Map(
    lines.map((at) => {
      last = own[at] ?? last
      return [at, { seconds: last === undefined ? stated : secondsOf(last.text), cell: last }]
    }),
  )
}

function centred(lines: readonly number[], rows: readonly ReadRow[], own: readonly (Cell | undefined)[]): Map<number, LineLength> {
  const labels = own.flatMap((cell) => (cell === undefined || secondsOf(cell.text) === undefined ? [] : [cell])).sort((a, b) => a.y - b.y)
  const heights = lines.map((at) => rows[at]?.row.y ?? 0)
  const pitch = heights.length > 1 ? Math.abs((heights.at(-1) as number) - (heights[0] as number)) / (heights.length - 1) : 10
  const result = new Map<number, LineLength>()
  let from = 0
  for (const label of labels) {
    const counts = lines.slice(from).map((_, index) => index + 1)
    const middle = (count: number) => ((heights[from] as number) + (heights[from + count - 1] as number)) / 2
    const fitting = counts.filter((count) => Math.abs(middle(count) - label.y) < pitch * 0.3)
    if (fitting.length !== 1) return new Map()
    const count = fitting[0] as number
    for (const at of lines.slice(from, from + count)) result.set(at, { seconds: secondsOf(label.text), cell: label })
    from += count
  }
  return from === lines.length ? result : new Map()
}

/** The order of day and month in the dates of a document's rows: of one hand, so that one date decides for all. */
export type DateOrder = 'month first' | 'day first' | 'mixed'
