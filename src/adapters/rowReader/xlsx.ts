import { readFile, stat } from 'node:fs/promises'
import { streamXlsxRows } from 'hucre/xlsx'
import { Unreadable } from '../unreadable.ts'
import { checkZip } from '../zipLimits.ts'
import { HiddenRows } from './hiddenRows.ts'
import { COLUMNS, ROWS, XLSX_BYTES, XLSX_ZIP } from './limits.ts'
import { INVALID_MOMENT, Moment, partsOf } from './moment.ts'
import { SheetFormulas } from './sheetFormulas.ts'
import { type Cell, FIRST_ROWS, type Note, type Table, type TableRow } from './table.ts'
import { calculationOf, visibleSheets } from './xlsxParts.ts'

/** Reads the first visible sheet of a workbook. Formulas show their stored values, if they were calculated; nothing is computed and no macro runs. */
export async function readXlsxTable(path: string): Promise<Table> {
  if ((await stat(path)).size > XLSX_BYTES) throw new Unreadable(`it is larger than ${XLSX_BYTES / 1024 / 1024} MiB`)
  const bytes = await readFile(path)
  const sheet = await lookInside(bytes)
  let hidden = 0
  const rows = rowsOf(bytes, sheet)
  const { value: first } = await rows.next()
  const header = first?.[0]?.cells.map((cell) => (cell === null ? '' : cell instanceof Moment ? cell.shown : String(cell))) ?? []
  const isHidden = ({ row }: TableRow) => sheet.hiddenRows.has(row)
  const counted = (some: readonly TableRow[]) => {
    hidden += some.filter(isHidden).length
    return some
  }
  return {
    headerRow: first?.[0]?.row ?? 1,
    header,
    firstRows: first?.slice(1, 1 + FIRST_ROWS) ?? [],
    rows: after(first?.slice(1) ?? [], rows, header.length, counted),
    notes: sheetNotes(sheet),
    notesAtEnd: () => hiddenNotes(hidden),
  }
}

function sheetNotes({ names: [first, ...others] }: SheetInside): Note[] {
  if (others.length === 0) return []
  const message = `The workbook has ${others.length + 1} visible sheets; only the first, ${first}, was read, and not ${listed(others)}.`
  return [{ code: 'MORE_SHEETS', message }]
}

/** The most sheets that a note names. */
const NAMED = 5

function listed(names: readonly string[]): string {
  const more = names.length > NAMED ? [`${names.length - NAMED} more`] : []
  return [...names.slice(0, NAMED), ...more].join(', ')
}

function hiddenNotes(hidden: number): Note[] {
  if (hidden === 0) return []
  const which = hidden === 1 ? '1 row of the sheet is' : `${hidden} rows of the sheet are`
  return [{ code: 'HIDDEN_ROWS', message: `${which} hidden, by hand or by a filter, and read like the others.` }]
}

async function* after(
  first: readonly TableRow[],
  others: AsyncIterable<readonly TableRow[]>,
  columns: number,
  counted: (rows: readonly TableRow[]) => readonly TableRow[],
): AsyncGenerator<readonly TableRow[]> {
  yield counted(first).map((row) => withinHeader(row, columns))
  for await (const rows of others) yield counted(rows).map((row) => withinHeader(row, columns))
}

function withinHeader(row: TableRow, columns: number): TableRow {
  if (row.cells.length <= columns || row.cells.slice(columns).every((cell) => cell === null || cell === '')) return row
  return { row: row.row, cells: [], fault: `The row has a cell to the right of the ${columns} columns of the header.` }
}

/** The number of rows that are yielded together. */
const AT_ONCE = 500

async function* rowsOf(bytes: Buffer, sheet: SheetInside): AsyncGenerator<readonly TableRow[], undefined> {
  let batch: TableRow[] = []
  let fault: { readonly error: unknown } | undefined
  try {
    for await (const row of sheetRows(bytes, sheet)) {
      batch.push(row)
      if (batch.length < AT_ONCE) continue
      yield batch
      batch = []
    }
  } catch (error) {
    fault = { error }
  }
  // Rows before the fault still count.
  if (fault === undefined || batch.length > 0) yield batch
  if (fault !== undefined) throw fault.error
}

async function* sheetRows(bytes: Buffer, { index: sheet, uncalculatedIn }: SheetInside): AsyncGenerator<TableRow, undefined> {
  let last = 0
  for await (const { index, values } of streamXlsxRows(bytes, { sheet })) {
    const row = index + 1
    if (!(row > last)) throw new Unreadable(`its rows are not in order after row ${last}`, last + 1)
    if (row > ROWS + 1) throw new Unreadable(`it has more than ${ROWS} rows`, row)
    if (values.length > COLUMNS) throw new Unreadable(`row ${row} has more than ${COLUMNS} columns`, row)
    last = row
    const formula = uncalculatedIn(row)
    if (formula === undefined && values.every((value) => value === null || value === '')) continue
    yield rowOf(row, values as readonly Cell[], formula)
  }
}

function rowOf(row: number, cells: readonly Cell[], formula: string | undefined): TableRow {
  if (formula !== undefined)
    return {
      row,
      cells: [],
      fault: `The formula in ${formula} is not calculated; open the workbook, calculate it and save it, or write the value itself.`,
    }
  const error = cells.find((cell) => typeof cell === 'string' && ERROR.test(cell))
  if (error !== undefined) return { row, cells: [], fault: `A cell has the error ${error}.` }
  return { row, cells: cells.map(cellOf) }
}

const ERROR = /^#(DIV\/0!|N\/A|NAME\?|NULL!|NUM!|REF!|VALUE!|GETTING_DATA|SPILL!|CALC!)$/

function cellOf(value: unknown): Cell {
  return value instanceof Date ? momentOf(value) : (value as Cell)
}

/** The zeros of the date systems of workbooks, from which a time of day counts. */
const ZEROS = [Date.UTC(1899, 11, 31), Date.UTC(1904, 0, 1)]
const DAY = 86_400_000

/** Returns a date cell. The numbers below 2 are times: those of a broadcast day run to 29:59. */
function momentOf(cell: Date): Moment | string {
  // Times are stored as fractions of a day.
  const at = new Date(Math.round(cell.getTime() / 1_000) * 1_000)
  const zero = ZEROS.find((one) => at.getTime() >= one && at.getTime() < one + 2 * DAY)
  if (zero !== undefined) return new Moment({ time: timeAfter(at.getTime() - zero) })
  const parts = partsOf(at)
  if (parts === undefined) return INVALID_MOMENT
  return new Moment(parts.time === '00:00:00' ? { date: parts.date } : parts)
}

function timeAfter(milliseconds: number): string {
  const seconds = milliseconds / 1_000
  return [seconds / 3_600, (seconds / 60) % 60, seconds % 60].map((part) => String(Math.floor(part)).padStart(2, '0')).join(':')
}

/** The sheet that is read, and the names of all visible ones. */
interface SheetInside {
  readonly index: number
  readonly names: readonly string[]
  readonly hiddenRows: Pick<HiddenRows, 'has'>
  /** Returns the name of a row's first cell whose formula is not calculated. */
  readonly uncalculatedIn: (row: number) => string | undefined
}

async function lookInside(bytes: Buffer): Promise<SheetInside> {
  const names = new Map<string, Buffer[]>()
  const sheets = new Map<string, { formulas: SheetFormulas; hiddenRows: HiddenRows }>()
  await checkZip(bytes, XLSX_ZIP, (name) => {
    if (/(^|\/)vbaProject\.bin$/i.test(name)) throw new Unreadable('it has macros; save it as a workbook without macros')
    if (/^xl\/worksheets\/[^/]+\.xml$/i.test(name)) {
      const found = { formulas: new SheetFormulas(), hiddenRows: new HiddenRows() }
      sheets.set(name, found)
      return (chunk) => {
        const part = chunk.toString('latin1')
        found.formulas.take(part)
        found.hiddenRows.take(part)
      }
    }
    const chunks: Buffer[] = []
    names.set(name, chunks)
    return DIRECTORY.test(name) ? (chunk) => chunks.push(chunk) : undefined
  })
  if (names.has('content.xml')) throw new Unreadable('it is an OpenDocument spreadsheet (ods); save it as xlsx')
  if (!names.has('[Content_Types].xml')) throw new Unreadable('it is not a workbook')
  const partOf = (name: string) => Buffer.concat(names.get(name) ?? []).toString('utf8')
  const visible = visibleSheets(partOf)
  const [first] = visible
  if (first === undefined) throw new Unreadable('it has no visible sheet')
  const found = sheets.get(first.path)
  const calculation = calculationOf(partOf, (name) => names.has(name))
  return {
    index: first.index,
    names: visible.map(({ name }) => name),
    hiddenRows: found?.hiddenRows ?? new HiddenRows(),
    uncalculatedIn: (row) => found?.formulas.uncalculatedIn(row, calculation),
  }
}

/** The parts that say which sheet is the first, and whether formulas are calculated. */
const DIRECTORY = /^(_rels\/\.rels|xl\/workbook\d*\.xml|xl\/_rels\/workbook\d*\.xml\.rels)$/
