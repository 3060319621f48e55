import type { DocumentLine, LineDoubt } from '../../contract/documentParse.ts'
import type { Period } from '../../contract/scalars.ts'
import { decimal } from '../decimal.ts'
import { type Column, type Field, fieldOf, headerAt, isGridOf } from './columns.ts'
import { doubtsOf } from './doubts.ts'
import { type Anchor, type DateContext, ordersIn, periodOfDate, periodOfRange, readDate, readPeriod } from './readPeriod.ts'
import { readAmount, readCount } from './readValue.ts'
import { cellsOf, type RowCells } from './rowCells.ts'
import { type ReadTotal, statedTotals, totalsOf } from './statedTotals.ts'
import type { Table, TableCell, TableRow } from './table.ts'

/** A line in the words of the document. A member that the document does not state is absent. */
export type ReadLine = DocumentLine['read']
type ReadValue = NonNullable<ReadLine['product']>

export interface ReadDocument {
  readonly lines: readonly ReadLine[]
  /** What may be wrong about each line, in their order. */
  readonly doubts: readonly (readonly LineDoubt[])[]
  readonly totals: readonly ReadTotal[]
}

/** The content of a document, or the reason why it cannot be read. */
export type DocumentReading = ReadDocument | { readonly unreadable: string }

/**
 * Reads the lines of a buysheet. The header may be on any row and may repeat on every page. A page without a header continues with the columns
 * of the page before. Undefined if no table is a buysheet.
 */
export function readDocument(tables: readonly Table[], anchor: Anchor): ReadDocument | undefined {
  const orders = new Set<string>()
  const note = (text: string) => {
    for (const order of ordersIn(text)) orders.add(order)
  }
  const document = readTables(tables, { anchor, order: 'each' }, note)
  // A date that may have either order was read with the month first.
  if (document === undefined || !orders.has('day first') || !orders.has('either')) return document
  return orders.has('month first') ? inDoubt(document) : readTables(tables, { anchor, order: 'day first' })
}

/** Doubts the dates that may have either order, in a document that has dates of both. */
function inDoubt(document: ReadDocument): ReadDocument {
  const message = 'The document has dates with the day first and dates with the month first; this one may be either.'
  const doubts = document.doubts.map((of, place) => {
    const isDoubted = ordersIn(document.lines[place]?.period?.read ?? '').includes('either')
    return isDoubted ? [...of.filter(({ field }) => field !== 'period'), { field: 'period', message }] : of
  })
  return { ...document, doubts }
}

/** Reads with one order of dates. `note` gets the texts of all dates. */
function readTables(tables: readonly Table[], dates: DateContext, note?: (text: string) => void): ReadDocument | undefined {
  const lines: ReadLine[] = []
  const doubts: (readonly LineDoubt[])[] = []
  const totals = statedTotals()
  let columns: readonly Column[] | undefined
  let stated: ReadLine = {}
  for (const { layout, rows } of tables) {
    if (layout === 'grid') columns = undefined
    let above: ReadLine = {}
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index] ?? []
      const header = headerAt(rows, index, dates)
      if (header !== undefined) {
        columns = header.columns
        for (const { field, header: heading } of columns) if (field === 'week') note?.(heading.text)
        index += header.rows - 1
        above = {}
        continue
      }
      if (columns === undefined) {
        stated = { ...stated, ...statementOf(row) }
        continue
      }
      const total = totalsOf(row, columns, layout)
      if (total !== undefined) {
        totals.ofTotalRow(total, lines.length)
        continue
      }
      const cells = cellsOf(row, columns, layout)
      const read = linesOf(cells, columns, { row, stated, above, dates })
      if (read === undefined) continue
      above = read.shared
      for (const field of DATED) note?.(cells.cells.get(field)?.text ?? '')
      totals.ofRow(
        cells,
        read.lines.map((_, place) => lines.length + place),
        isGridOf(columns),
      )
      lines.push(...read.lines)
      doubts.push(...read.doubts)
    }
  }
  return lines.length === 0 ? undefined : { lines, doubts, totals: totals.all(lines) }
}

/** The columns of dates. */
const DATED: readonly Field[] = ['period', 'start', 'end']

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

interface RowContext {
  /** All cells of the row, those under no heading included. */
  readonly row: TableRow
  /** What the document states once above its table for all lines. */
  readonly stated: ReadLine
  /** The values of the row above: a product or a network that is written once applies to the rows below. */
  readonly above: ReadLine
  readonly dates: DateContext
}

/** Returns the lines of a row: one, or one for each week of a grid with units. Undefined if the row states too little to be a line. */
function linesOf(
  row: RowCells,
  columns: readonly Column[],
  { row: all, stated, above, dates }: RowContext,
): { shared: ReadLine; lines: ReadLine[]; doubts: LineDoubt[][] } | undefined {
  const { cells } = row
  const booked = row.weeks.filter(({ cell }) => !isNothing(cell.text))
  const isGrid = isGridOf(columns)
  const counts = readCount(cells.get('units')?.text ?? '') !== undefined
  if (cells.size === 0 && booked.length > 0 && booked.every(({ cell: { text } }) => isOfPage(text, dates))) return undefined
  const isTornLine = row.torn !== undefined && saysLine(all, { isGrid, dates })
  if (!isTornLine && (cells.size + booked.length < 2 || (!isGrid && !counts && cells.size < 3))) return undefined
  const shared: ReadLine = { ...stated, ...carried(above), ...valuesOf(cells, columns, dates) }
  const isOfWeeks = isGrid && !(isTornLine && booked.length === 0)
  const lines = isOfWeeks
    ? booked.map(({ column, cell }) => ({ cell, line: { ...shared, ...periodOfColumn(column), units: { read: cell.text, at: cell.at } } }))
    : [{ cell: cells.get('units'), line: withUnits(shared, asValue(cells.get('units'))) }]
  return {
    shared,
    lines: lines.map(({ line }) => line),
    doubts: lines.map(({ line, cell }) => doubtsOf(row, columns, line, cell)),
  }
}

/**
 * Returns true if the cells of a torn row are those of a line, whatever headings they are near to: a name beside two amounts, or in a list a
 * period beside one, and no label, as on the head or at the foot of a page. Such a row is not passed over: its line would be lost unasked.
 */
function saysLine(row: TableRow, { isGrid, dates }: { isGrid: boolean; dates: DateContext }): boolean {
  const texts = row.map(({ text }) => text)
  if (texts.length < 3 || texts.some((text) => fieldOf(text) !== undefined || LABEL.test(text))) return false
  const amounts = texts.filter((text) => readAmount(text) !== undefined).length
  if (amounts >= 2 && texts.some((text) => /[a-z]{2}/i.test(text))) return true
  // A period may have run together with the cell beside it.
  return !isGrid && amounts === 1 && texts.some((text) => text.split(/\s+/).some((word) => readPeriod(word, dates) !== undefined))
}

/** Returns true for what stands at the head or the foot of a page, such as its date and its number. */
function isOfPage(text: string, dates: DateContext): boolean {
  return LABEL.test(text) || readPeriod(text, dates) !== undefined
}

/** What begins or ends a label: `Order #`, `Date:`, `Printed 6/3/2030`. */
const LABEL = /[:#]$|:\s|^(page|printed|order|estimate|invoice|date)\b/i

function withUnits(line: ReadLine, units: ReadValue | undefined): ReadLine {
  return units === undefined ? line : { ...line, units }
}

function carried({ product, network }: ReadLine): ReadLine {
  return { ...(product === undefined ? {} : { product }), ...(network === undefined ? {} : { network }) }
}

/** Matches the ways in which people write an empty week. A cross is not one: it may mark units that are stated elsewhere. */
function isNothing(text: string): boolean {
  return /^[-–—.]*$/.test(text.trim()) || readCount(text) === 0
}

function valuesOf(cells: ReadonlyMap<Field, TableCell>, columns: readonly Column[], dates: DateContext): ReadLine {
  const line: Record<string, ReadValue> = {}
  const put = (member: keyof ReadLine, field: Field) => {
    const value = asValue(cells.get(field))
    if (value !== undefined) line[member] = value
  }
  for (const field of ['product', 'spot_length', 'cpm', ...STATED] as const) put(field as keyof ReadLine, field)
  put('unit_cost', 'rate')
  const goal = cells.get('impressions_goal')
  if (goal !== undefined) line.impressions_goal = scaled(goal, columns.find(({ field }) => field === 'impressions_goal')?.scale)
  const period = periodOf(cells, columns, dates)
  if (period !== undefined) line.period = period
  return line
}

/** Expands a count in thousands. */
function scaled({ text, at }: TableCell, scale = 1): ReadValue {
  const amount = readAmount(text)
  return { read: amount === undefined ? text : decimal(amount).times(decimal(scale)).toFixed(), at }
}

/** Reads a period column, or a pair of start and end columns. */
function periodOf(cells: ReadonlyMap<Field, TableCell>, columns: readonly Column[], dates: DateContext): ReadLine['period'] {
  const own = cells.get('period')
  if (own !== undefined) {
    const grain = columns.find(({ field }) => field === 'period')?.grain
    return period({ read: own.text, at: own.at }, understood(own.text, grain, dates))
  }
  const [start, end] = [cells.get('start'), cells.get('end')]
  if (start === undefined) return undefined
  const from = readDate(start.text, dates)
  const to = end === undefined ? undefined : readDate(end.text, from === undefined ? dates : { ...dates, anchor: () => from })
  const value =
    from === undefined || (end !== undefined && to === undefined)
      ? undefined
      : to === undefined
        ? periodOfDate(from, 'day')
        : periodOfRange(from, to)
  return period({ read: end === undefined ? start.text : `${start.text} - ${end.text}`, at: start.at }, value)
}

/** Reads a period. A bare number in a `Week` column is a week number. */
function understood(text: string, grain: Column['grain'], dates: DateContext): Period | undefined {
  const numbered = grain === 'week' && /^\d{1,2}$/.test(text.trim()) ? `W${text.trim()}` : text
  return readPeriod(numbered, { ...dates, grain })
}

function period(read: ReadValue, value: Period | undefined): ReadLine['period'] {
  return value === undefined ? read : { ...read, value }
}

function periodOfColumn({ header, period: value }: Column): ReadLine {
  return value === undefined ? {} : { period: { read: header.text, at: header.at, value } }
}

function asValue(cell: TableCell | undefined): ReadValue | undefined {
  return cell === undefined ? undefined : { read: cell.text, at: cell.at }
}
