import type { DocumentLine } from '../../contract/documentParse.ts'
import type { Period } from '../../contract/scalars.ts'
import { sameAmount } from '../decimal.ts'
import { type Column, columnOf, isGridOf } from './columns.ts'
import { readAmount } from './readValue.ts'
import type { RowCells } from './rowCells.ts'
import type { Table, TableCell, TableRow } from './table.ts'

/** A total that the document states. */
export interface ReadTotal {
  readonly of: 'gross' | 'units'
  readonly read: string
  readonly at: string
  readonly value: string
  /** What it includes that no line books: the money, or the units, of fees. */
  readonly fees?: string
  /** The positions of the lines that it sums; if omitted, all lines. */
  readonly lines?: readonly number[]
  /** The lines that it may sum as well: one of several totals is that of a part or of the whole. Empty for all lines. */
  readonly or_lines?: readonly number[]
}

type Stated = Omit<ReadTotal, 'lines' | 'or_lines'>

/** A total of a total row: of the whole document if its label says so, of one week or day if it stands in that column. */
export interface TotalCell extends Stated {
  readonly isWhole: boolean
  readonly period: Period | undefined
}

/** Collects the totals of a document while its lines are read. */
export interface StatedTotals {
  /** Takes the totals of a row for the lines at `places`. A cell that is merged over several rows states one total of all their lines. */
  ofRow(row: RowCells, places: readonly number[], isGrid: boolean): void
  /** Takes the totals of a total row that stands below `count` lines: they sum the lines since the last such row, or all. */
  ofTotalRow(totals: readonly TotalCell[], count: number): void
  /** Returns the totals of rows, then those of the document. */
  all(lines: readonly DocumentLine['read'][]): ReadTotal[]
}

export function statedTotals(): StatedTotals {
  const rows: (Stated & { lines: number[] })[] = []
  const merged = new Map<string, { lines: number[] }>()
  const below: { total: TotalCell; from: number; to: number }[] = []
  let summed = 0
  return {
    ofRow(row, places, isGrid) {
      if (places.length === 0) return
      for (const { cell, ...total } of rowTotalsOf(row, isGrid)) {
        const key = `${total.of} ${total.at}`
        const same = cell.rows === undefined ? undefined : merged.get(key)
        if (same !== undefined) same.lines.push(...places)
        else {
          const stated = { ...total, lines: [...places] }
          rows.push(stated)
          merged.set(key, stated)
        }
      }
    },
    ofTotalRow(totals, count) {
      // A total row right below another one, such as that of the money below that of the units, has the same lines.
      const from = summed === count ? (below.at(-1)?.from ?? 0) : summed
      for (const total of totals) below.push({ total, from, to: count })
      if (totals.length > 0) summed = count
    },
    all: (lines) => [...rows, ...below.map((row) => ofLines(row, lines)).filter((total) => !saysNothing(total))],
  }
}

/** Returns a total with the lines that it sums. */
function ofLines(
  { total: { isWhole, period, ...total }, from, to }: { total: TotalCell; from: number; to: number },
  lines: readonly DocumentLine['read'][],
): ReadTotal {
  const isPart = !isWhole && to - from < lines.length
  if (period === undefined && !isPart) return total
  const places = lines.flatMap(({ period: of }, place) => (period === undefined || isSame(of?.value, period) ? [place] : []))
  if (!isPart) return { ...total, lines: places }
  const own = places.filter((place) => from <= place && place < to)
  return { ...total, lines: own, or_lines: period === undefined ? [] : places }
}

/** Returns true for the zero below a week without lines. */
function saysNothing({ value, lines }: ReadTotal): boolean {
  return lines?.length === 0 && sameAmount(value, 0)
}

function isSame(a: Period | undefined, b: Period): boolean {
  return a?.grain === b.grain && a.start === b.start
}

const TOTAL = /^\W*(grand |order |overall |sub ?-?|page |week(ly)? |month(ly)? )?totals?\b/i
const WHOLE = /\b(grand|order|overall|campaign|schedule)\b/i
const NOTHING_BUT_TOTAL =
  /^\W*(\w+ |sub ?-?)?totals?(\W+(spots?|units?|gross|net|costs?|amounts?|dollars|impressions|budget|of|for|all|this|the|order|buy|schedule|campaign|page|week|month))*[\W\d]*$/i
const LINES_OWN: readonly (Column['field'] | undefined)[] = ['period', 'start', 'rate', 'cpm']

/** Returns the totals of a total row; undefined for any other row. Skips subtotals. */
export function totalsOf(row: TableRow, columns: readonly Column[], layout: Table['layout']): TotalCell[] | undefined {
  const label = row.find(({ text }) => TOTAL.test(text))
  if (label === undefined) return undefined
  // A program may be named "Total Something". Unlike a total row, its row has a period or a price.
  const isNamed = !NOTHING_BUT_TOTAL.test(label.text)
  if (isNamed && row.some((cell) => LINES_OWN.includes(columnOf(cell, columns, layout)?.field))) return undefined
  // A subtotal sums what its name says, which may be any lines.
  if (/sub ?-?total|page total|(week|month)(ly)? total/i.test(label.text) || (isNamed && /totals? (for|of)\b/i.test(label.text))) return []
  const totals: TotalCell[] = []
  const isWhole = WHOLE.test(label.text)
  for (const cell of row) {
    const amount = cell === label ? readAmount(cell.text.replace(/^[^\d$€£]*/, '')) : readAmount(cell.text)
    if (amount === undefined) continue
    const column = cell === label ? undefined : columnOf(cell, columns, layout)
    const of = totalled(cell, column?.field, { isGrid: isGridOf(columns), label: label.text })
    if (of !== undefined) totals.push({ of, read: cell.text, at: cell.at, value: amount, isWhole, period: column?.period })
  }
  return totals
}

function byLabel(label: string): ReadTotal['of'] | undefined {
  if (/spots|units/i.test(label)) return 'units'
  return /gross|cost|amount|\$/i.test(label) ? 'gross' : undefined
}

/** Returns the totals that a row states for its own lines. */
function rowTotalsOf({ claims }: RowCells, isGrid: boolean): (Stated & { cell: TableCell })[] {
  return claims.flatMap(({ column: { field }, cell }) => {
    const of = field === 'week' || (field === 'units' && !isGrid) ? undefined : totalled(cell, field, { isGrid, label: '' })
    const value = of === undefined ? undefined : readAmount(cell.text)
    return of === undefined || value === undefined ? [] : [{ of, read: cell.text, at: cell.at, value, cell }]
  })
}

/** Returns what a total in a column counts: what its column or its row names; else units in a grid, unless it names a currency. */
function totalled(
  { text }: TableCell,
  field: Column['field'] | undefined,
  { isGrid, label }: { isGrid: boolean; label: string },
): ReadTotal['of'] | undefined {
  switch (field) {
    case 'amount':
      return 'gross'
    case 'units':
    case 'total_units':
      return 'units'
    case 'week':
    case 'total':
      return /[$€£]/.test(text) ? 'gross' : (byLabel(label) ?? (isGrid ? 'units' : 'gross'))
    case 'other':
    case undefined:
      return byLabel(label)
    default:
      return undefined
  }
}
