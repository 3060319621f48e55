import { readFile, stat } from 'node:fs/promises'
import { streamXlsxRows } from 'hucre/xlsx'
import { FIRST_ROWS } from '../../../contract/vocabulary/mappings.ts'
import { checkZip } from '../../files/zipLimits.ts'
import { timeOfCell, toSecond } from '../timeCell.ts'
import { Unreadable } from '../unreadable.ts'
import { HiddenRows } from './hiddenRows.ts'
import { COLUMNS, ROWS, XLSX_BYTES, XLSX_ZIP } from './limits.ts'
import { INVALID_MOMENT, Moment, partsOf } from './moment.ts'
import { SheetFormulas } from './sheetFormulas.ts'
import { type Cell, type FindHeader, type Note, type OtherSheet, shownText, type Table, type TableRow } from './table.ts'
import { calculationOf, visibleSheets } from './xlsxParts.ts'

/**
 * Reads a visible sheet of a workbook: the first in which `find` finds the header, else the first. Formulas show their stored values, if they were
 * calculated; nothing is computed and no macro runs.
 */
export async function readXlsxTable(path: string, find?: FindHeader): Promise<Table> {
  if ((await stat(path)).size > XLSX_BYTES) throw new Unreadable(`it is larger than ${XLSX_BYTES / 1024 / 1024} MiB`)
  const bytes = await readFile(path)
  const sheets = await lookInside(bytes)
  const { place, at, rows, first } = await beginSheet(bytes, sheets, find)
  const sheet = sheets[place] as SheetInside
  let hidden = 0
  const [top, ...rest] = first.slice(at)
  const header = top?.cells.map(shownText) ?? []
  const isHidden = ({ row }: TableRow) => sheet.hiddenRows.has(row)
  const counted = (some: readonly TableRow[]) => {
    hidden += some.filter(isHidden).length
    return some
  }
  return {
    headerRow: top?.row ?? 1,
    header,
    firstRows: rest.slice(0, FIRST_ROWS),
    rows: after(rest, rows, header.length, counted),
    notes: sheetNotes(sheets, place),
    notesAtEnd: () => hiddenNotes(hidden),
    ...(find && { others: () => otherSheets(bytes, sheets, place, find) }),
  }
}

/** Reads the sheets behind one that have the header too. What cannot be read of them is not told: only the first one counts. */
async function* otherSheets(
  bytes: Buffer,
  sheets: readonly SheetInside[],
  read: number,
  find: FindHeader,
): AsyncGenerator<OtherSheet, undefined> {
  for (let from = read + 1; from < Math.min(sheets.length, SHEETS_SEARCHED); from += 1) {
    const rows = rowsOf(bytes, sheets[from] as SheetInside)
    const first = await rows.next().then(
      ({ value }) => value ?? [],
      () => [],
    )
    const at = find(first.slice(0, 1 + FIRST_ROWS).map(({ cells }) => cells))
    const [top, ...rest] = at === undefined ? [] : first.slice(at)
    if (top === undefined) await rows.return(undefined)
    else yield { name: sheets[from]?.name ?? '', header: top.cells.map(shownText), rows: behind(rest, rows) }
  }
}

async function* behind(first: readonly TableRow[], others: AsyncIterable<readonly TableRow[]>): AsyncGenerator<readonly TableRow[]> {
  yield first
  yield* others
}

/** A sheet whose first rows are read. */
interface Begun {
  readonly place: number
  /** The place of the header among the first rows. */
  readonly at: number
  readonly rows: AsyncGenerator<readonly TableRow[], undefined>
  readonly first: readonly TableRow[]
}

/** The most sheets in which a header is looked for. */
const SHEETS_SEARCHED = 32

/** Begins the first sheet that has the header, else the first of all. A sheet that cannot be read has none. */
async function beginSheet(bytes: Buffer, sheets: readonly SheetInside[], find: FindHeader | undefined): Promise<Begun> {
  const begin = async (place: number): Promise<Begun> => {
    const rows = rowsOf(bytes, sheets[place] as SheetInside)
    const { value: first = [] } = await rows.next()
    return { place, at: 0, rows, first }
  }
  if (find !== undefined) {
    for (let place = 0; place < Math.min(sheets.length, SHEETS_SEARCHED); place += 1) {
      const begun = await begin(place).catch(() => undefined)
      const at = begun && find(begun.first.slice(0, 1 + FIRST_ROWS).map(({ cells }) => cells))
      if (begun !== undefined && at !== undefined) return { ...begun, at }
      await begun?.rows.return(undefined)
    }
  }
  return begin(0)
}

function sheetNotes(sheets: readonly SheetInside[], place: number): Note[] {
  const others = sheets.filter((_, index) => index !== place).map(({ name }) => name)
  if (others.length === 0) return []
  const read = place === 0 ? `the first, ${sheets[0]?.name},` : sheets[place]?.name
  const message = `The workbook has ${sheets.length} visible sheets; only ${read} was read, and not ${listed(others)}.`
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
const BATCH = 500

async function* rowsOf(bytes: Buffer, sheet: SheetInside): AsyncGenerator<readonly TableRow[], undefined> {
  let batch: TableRow[] = []
  let fault: { readonly error: unknown } | undefined
  try {
    for await (const row of sheetRows(bytes, sheet)) {
      batch.push(row)
      if (batch.length < BATCH) continue
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

/** Returns a date cell. The numbers below 2 are times. */
function momentOf(cell: Date): Moment | string {
  const time = timeOfCell(cell)
  if (time !== undefined) return new Moment({ time })
  const parts = partsOf(toSecond(cell))
  if (parts === undefined) return INVALID_MOMENT
  return new Moment(parts.time === '00:00:00' ? { date: parts.date } : parts)
}

/** A visible sheet. */
interface SheetInside {
  readonly index: number
  readonly name: string
  readonly hiddenRows: Pick<HiddenRows, 'has'>
  /** Returns the name of a row's first cell whose formula is not calculated. */
  readonly uncalculatedIn: (row: number) => string | undefined
}

/** Returns the visible sheets, at least one. */
async function lookInside(bytes: Buffer): Promise<SheetInside[]> {
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
  if (visible.length === 0) throw new Unreadable('it has no visible sheet')
  const calculation = calculationOf(partOf, (name) => names.has(name))
  return visible.map(({ index, name, path }) => ({
    index,
    name,
    hiddenRows: sheets.get(path)?.hiddenRows ?? new HiddenRows(),
    uncalculatedIn: (row) => sheets.get(path)?.formulas.uncalculatedIn(row, calculation),
  }))
}

/** The parts that say which sheet is the first, and whether formulas are calculated. */
const DIRECTORY = /^(_rels\/\.rels|xl\/workbook\d*\.xml|xl\/_rels\/workbook\d*\.xml\.rels)$/
