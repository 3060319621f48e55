import type { DocumentLine } from '../../contract/documentParse.ts'
import type { Period } from '../../contract/scalars.ts'
import { decimal } from '../decimal.ts'
import { type Column, columnOf, type Field, fieldOf, headerAt } from './columns.ts'
import { type Anchor, periodOfDate, periodOfRange, readDate, readPeriod } from './readPeriod.ts'
import { readAmount, readCount } from './readValue.ts'
import type { Table, TableCell, TableRow } from './table.ts'

/** A line in the words of the document. A member that the document does not state is absent. */
export type ReadLine = DocumentLine['read']
type ReadValue = NonNullable<ReadLine['product']>

/** A total that the document states, of the lines with the given positions or of all lines. */
export interface ReadTotal extends ReadValue {
  readonly of: 'gross' | 'units'
  readonly value: string
  readonly lines?: readonly number[]
}

export interface ReadDocument {
  readonly lines: readonly ReadLine[]
  readonly totals: readonly ReadTotal[]
}

/** The content of a document, or the reason why it cannot be read. */
export type DocumentReading = ReadDocument | { readonly unreadable: string }

/**
 * Reads the lines of a buysheet. The header may be on any row and may repeat on every page. A page without a header continues with the columns
 * of the page before. Undefined if no table is a buysheet.
 */
export function readDocument(tables: readonly Table[], anchor: Anchor): ReadDocument | undefined {
  const lines: ReadLine[] = []
  const rowTotals: ReadTotal[] = []
  const grand = new Map<ReadTotal['of'], ReadTotal>()
  let columns: readonly Column[] | undefined
  let stated: ReadLine = {}
  for (const { layout, rows } of tables) {
    if (layout === 'grid') columns = undefined
    let above: ReadLine = {}
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index] ?? []
      const header = headerAt(rows, index, anchor)
      if (header !== undefined) {
        columns = header.columns
        index += header.rows - 1
        above = {}
        continue
      }
      if (columns === undefined) {
        stated = { ...stated, ...statementOf(row) }
        continue
      }
      const total = totalsOf(row, columns, layout)
      for (const found of total ?? []) grand.set(found.of, found)
      if (total !== undefined) continue
      const read = linesOf(row, columns, layout, { above, anchor })
      if (read === undefined) continue
      above = read.shared
      const first = lines.length
      lines.push(...read.lines.map((line) => ({ ...stated, ...line })))
      const places = read.lines.map((_, place) => first + place)
      if (places.length > 0) rowTotals.push(...read.totals.map((of) => ({ ...of, lines: places })))
    }
  }
  return lines.length === 0 ? undefined : { lines, totals: [...rowTotals, ...grand.values()] }
}

/** Values that may be stated once above the table for all lines: `Spot length: :30`, or a label with its value in the next cell. */
const STATED: readonly Field[] = ['network', 'spot_length', 'buy_type', 'market_class', 'advertiser_class', 'clearance_tier']

function statementOf(row: TableRow): ReadLine {
  const stated: Record<string, ReadValue> = {}
  row.forEach((cell, index) => {
    const [label, own] = labelled(cell.text)
    const field = fieldOf(label)?.field
    const value = own !== '' ? { read: own, at: cell.at } : asValue(row[index + 1])
    const isLabel = cell.text.includes(':') || (index + 1 < row.length && fieldOf(row[index + 1]?.text ?? '') === undefined)
    if (field !== undefined && (STATED as readonly string[]).includes(field) && isLabel && value !== undefined) stated[field] ??= value
  })
  return stated
}

/** Splits `Spot length: :30` into `Spot length` and `:30`. */
function labelled(text: string): [label: string, own: string] {
  const colon = text.indexOf(':')
  return colon < 1 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1).trim()]
}

const TOTAL = /^\W*(grand |order |overall |sub ?-?|page |week(ly)? |month(ly)? )?totals?\b/i
const NOTHING_BUT_TOTAL =
  /^\W*(\w+ |sub ?-?)?totals?(\W+(spots?|units?|gross|net|costs?|amounts?|dollars|impressions|budget|of|for|all|this|the|order|buy|schedule|campaign|page|week|month))*[\W\d]*$/i
const LINES_OWN: readonly (Column['field'] | undefined)[] = ['period', 'start', 'rate', 'cpm']

/** Returns the totals of a total row; undefined for any other row. Skips subtotals. */
function totalsOf(row: TableRow, columns: readonly Column[], layout: Table['layout']): ReadTotal[] | undefined {
  const label = row.find(({ text }) => TOTAL.test(text))
  if (label === undefined) return undefined
  // A program may be named "Total Something". Unlike a total row, its row has a period or a price.
  if (!NOTHING_BUT_TOTAL.test(label.text) && row.some((cell) => LINES_OWN.includes(columnOf(cell, columns, layout)?.field)))
    return undefined
  if (/sub ?-?total|page total|(week|month)(ly)? total/i.test(label.text)) return []
  const totals: ReadTotal[] = []
  for (const cell of row) {
    const amount = cell === label ? readAmount(cell.text.replace(/^[^\d$€£]*/, '')) : readAmount(cell.text)
    if (amount === undefined) continue
    const of = ofTotal(cell === label ? undefined : columnOf(cell, columns, layout), label.text, isGridOf(columns))
    if (of !== undefined) totals.push({ of, read: cell.text, at: cell.at, value: amount })
  }
  return totals
}

function ofTotal(column: Column | undefined, label: string, isGrid: boolean): ReadTotal['of'] | undefined {
  if (/spots|units/i.test(label)) return 'units'
  if (/gross|cost|amount|\$/i.test(label)) return 'gross'
  switch (column?.field) {
    case 'amount':
      return 'gross'
    case 'units':
    case 'total_units':
      return 'units'
    case 'total':
      return isGrid ? 'units' : 'gross'
    default:
      return undefined
  }
}

interface RowContext {
  /** The values of the row above: a product or a network that is written once applies to the rows below. */
  readonly above: ReadLine
  readonly anchor: Anchor
}

/** Returns the lines of a row: one, or one for each week of a grid with units. Undefined if the row states too little to be a line. */
function linesOf(
  row: TableRow,
  columns: readonly Column[],
  layout: Table['layout'],
  { above, anchor }: RowContext,
): { shared: ReadLine; lines: ReadLine[]; totals: ReadTotal[] } | undefined {
  const cells = new Map<Field, TableCell>()
  const weeks: { column: Column; cell: TableCell }[] = []
  const scales = new Map<Field, number>()
  for (const cell of row) {
    const column = columnOf(cell, columns, layout)
    if (column === undefined) continue
    if (column.field === 'week') weeks.push({ column, cell })
    else if (!cells.has(column.field)) {
      cells.set(column.field, cell)
      if (column.scale !== undefined) scales.set(column.field, column.scale)
    }
  }
  const booked = weeks.filter(({ cell }) => !isNothing(cell.text))
  const isGrid = isGridOf(columns)
  const counts = readCount(cells.get('units')?.text ?? '') !== undefined
  if (cells.size + booked.length < 2 || (!isGrid && !counts && cells.size < 3)) return undefined
  const shared: ReadLine = { ...carried(above), ...valuesOf(cells, columns, scales, anchor) }
  const units = asValue(cells.get('units'))
  const lines = isGrid
    ? booked.map(({ column, cell }) => ({ ...shared, ...periodOfColumn(column), units: { read: cell.text, at: cell.at } }))
    : [{ ...shared, ...(units === undefined ? {} : { units }) }]
  return { shared, lines, totals: rowTotalsOf(cells, isGrid) }
}

/** Returns true if weeks are columns whose cells are units. */
function isGridOf(columns: readonly Column[]): boolean {
  return columns.some(({ field }) => field === 'week')
}

function carried({ product, network }: ReadLine): ReadLine {
  return { ...(product === undefined ? {} : { product }), ...(network === undefined ? {} : { network }) }
}

/** Matches the ways in which people write an empty week. A cross is not one: it may mark units that are stated elsewhere. */
function isNothing(text: string): boolean {
  return /^[-–—.]*$/.test(text.trim()) || readCount(text) === 0
}

function valuesOf(
  cells: ReadonlyMap<Field, TableCell>,
  columns: readonly Column[],
  scales: ReadonlyMap<Field, number>,
  anchor: Anchor,
): ReadLine {
  const line: Record<string, ReadValue> = {}
  const put = (member: keyof ReadLine, field: Field) => {
    const value = asValue(cells.get(field))
    if (value !== undefined) line[member] = value
  }
  for (const field of ['product', 'spot_length', 'cpm', ...STATED] as const) put(field as keyof ReadLine, field)
  put('unit_cost', 'rate')
  const goal = cells.get('impressions_goal')
  if (goal !== undefined) line.impressions_goal = scaled(goal, scales.get('impressions_goal'))
  const period = periodOf(cells, columns, anchor)
  if (period !== undefined) line.period = period
  return line
}

/** Expands a count in thousands. */
function scaled({ text, at }: TableCell, scale = 1): ReadValue {
  const amount = readAmount(text)
  return { read: amount === undefined ? text : decimal(amount).times(decimal(scale)).toFixed(), at }
}

/** Reads a period column, or a pair of start and end columns. */
function periodOf(cells: ReadonlyMap<Field, TableCell>, columns: readonly Column[], anchor: Anchor): ReadLine['period'] {
  const own = cells.get('period')
  if (own !== undefined) {
    const grain = columns.find(({ field }) => field === 'period')?.grain
    return period({ read: own.text, at: own.at }, understood(own.text, grain, anchor))
  }
  const [start, end] = [cells.get('start'), cells.get('end')]
  if (start === undefined) return undefined
  const from = readDate(start.text, anchor)
  const to = end === undefined ? undefined : readDate(end.text, from === undefined ? anchor : () => from)
  const value =
    from === undefined || (end !== undefined && to === undefined)
      ? undefined
      : to === undefined
        ? periodOfDate(from, 'day')
        : periodOfRange(from, to)
  return period({ read: end === undefined ? start.text : `${start.text} - ${end.text}`, at: start.at }, value)
}

/** Reads a period. A bare number in a `Week` column is a week number. */
function understood(text: string, grain: Column['grain'], anchor: Anchor): Period | undefined {
  const numbered = grain === 'week' && /^\d{1,2}$/.test(text.trim()) ? `W${text.trim()}` : text
  return readPeriod(numbered, { anchor, grain })
}

function period(read: ReadValue, value: Period | undefined): ReadLine['period'] {
  return value === undefined ? read : { ...read, value }
}

function periodOfColumn({ header, period: value }: Column): ReadLine {
  return value === undefined ? {} : { period: { read: header.text, at: header.at, value } }
}

/** Returns the totals that a row states for its own lines. In a grid `Total` counts spots; elsewhere it is money. */
function rowTotalsOf(cells: ReadonlyMap<Field, TableCell>, isGrid: boolean): ReadTotal[] {
  const said: [ReadTotal['of'], TableCell | undefined][] = [
    ['gross', cells.get('amount')],
    ['units', cells.get('total_units') ?? (isGrid ? cells.get('units') : undefined)],
    [isGrid ? 'units' : 'gross', cells.get('total')],
  ]
  return said.flatMap(([of, cell]) => {
    const value = cell === undefined ? undefined : readAmount(cell.text)
    return cell === undefined || value === undefined ? [] : [{ of, read: cell.text, at: cell.at, value }]
  })
}

function asValue(cell: TableCell | undefined): ReadValue | undefined {
  return cell === undefined ? undefined : { read: cell.text, at: cell.at }
}
