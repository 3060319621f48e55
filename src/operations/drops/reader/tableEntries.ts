import { unescapeFormula } from '../../../adapters/tables/formulaText.ts'
import { Moment } from '../../../adapters/tables/rowReader/moment.ts'
import type { Cell, Table, TableRow } from '../../../adapters/tables/rowReader/table.ts'
import type { Column } from '../../../contract/dropColumns/columnsOf.ts'
import type { CellKind } from '../../../contract/dropColumns/exampleOf.ts'
import { pathIn } from '../../../contract/dropColumns/pathIn.ts'
import type { DropFileShape } from '../../../contract/dropColumns.ts'
import { isStorableText, MAX_LEVELS } from '../../../domain/strictJson.ts'
import { cellValue, type ReadColumn } from './cellValue.ts'
import { ColumnForms, type StatedForms, Unscanned } from './columnForms.ts'
import { withSigns } from './currencySigns.ts'
import { EntryRows } from './entryRows.ts'
import { type NamedColumn, readHeader } from './header.ts'
import { HeaderFault } from './headerFault.ts'
import { headerBelow, withOffer } from './headerHelp.ts'
import type { SentEntries, SentEntry, Warn } from './sentEntry.ts'
import { SharedMember, UNSHARED } from './sharedMember.ts'
import { UnfitCell } from './unfitCell.ts'

/** How the rows of a table are read. */
export interface TableReading {
  /** What a mapping states about dates and numbers; undefined for a file that is read by our columns alone. */
  readonly stated?: StatedForms | undefined
  /** A mapping of the seller that reads columns which the file has, although it is not used. */
  readonly similar?: string | undefined
  /** Opens the same table again, where all cells of a column decide what one means. */
  readonly reopen: () => Promise<Table>
  /** Called while rows are looked at that give no entries yet. */
  readonly alive: () => void
}

/** Converts the rows of a table to entries. Errors: HeaderFault; those of the table. */
export async function* tableEntries(
  table: Table,
  shape: DropFileShape,
  warn: Warn,
  { stated, similar, reopen, alive }: TableReading,
): SentEntries {
  const header = readHeader(table.header, table.headerRow, shape, table.isNested)
  const { columns, errors, warnings } = header
  for (const note of table.notes ?? []) warn({ row: 0, ...note })
  if (errors.length > 0) throw new HeaderFault(headerBelow(table, shape) ?? withOffer(table.header, header, similar))
  for (const warning of warnings) warn(warning)
  table.use?.(columns.map(({ at }) => at))
  const forms = new ColumnForms(stated)
  const entryOf = withSigns(columns, stated !== undefined, rowReader(columns, shape, forms))
  const read = async (batch: readonly TableRow[]): Promise<readonly SentEntry[]> => {
    try {
      return batch.map(entryOf)
    } catch (error) {
      if (!(error instanceof Unscanned)) throw error
      const places = columns.filter(({ column }) => FORMED.has(column?.kind)).map(({ at }) => at)
      await forms.scan(await reopen(), places, alive)
      return batch.map(entryOf)
    }
  }
  const rows = columns.some(({ column }) => column?.within !== undefined) ? new EntryRows() : undefined
  for await (const batch of table.rows) {
    const entries = await read(batch)
    yield rows === undefined ? entries : entries.flatMap((entry) => rows.take(entry))
  }
  if (rows !== undefined) yield rows.end()
  for (const note of table.notesAtEnd?.() ?? []) warn({ row: 0, ...note })
}

/** The kinds of the columns whose cells have several forms. */
const FORMED: ReadonlySet<CellKind | undefined> = new Set<CellKind>(['date', 'period', 'number'])

type ReadRow = (row: TableRow) => SentEntry

function rowReader(columns: readonly NamedColumn[], shape: DropFileShape, forms: ColumnForms): ReadRow {
  const readRow = plainReader(columns, shape, forms)
  const canShare = columns.every(({ column }) => column !== undefined && column.within === undefined && !column.isList)
  return canShare ? sharingReader(columns, shape, forms, readRow) : readRow
}

function plainReader(
  columns: readonly NamedColumn[],
  { entry: known, head: knownHead, isOrderCsv = false }: DropFileShape,
  forms: ColumnForms,
): ReadRow {
  const formsAt = new Map(columns.map(({ at }) => [at, forms.of(at)]))
  const isAsSent = columns.some(({ column }) => column === undefined)
  const grain = columns.find(({ column }) => column?.name === 'period.grain')
  const grainOf = (cells: readonly Cell[]) => (grain === undefined ? undefined : cells[grain.at])
  return ({ row, cells, fault }) => {
    if (fault !== undefined) return refused(row, fault)
    const entry = {}
    const head = {}
    let item: Record<string, unknown> | undefined
    for (const { column, path, isHead, at } of columns) {
      const cell = cells[at]
      const found = cellFault(cell, MAX_LEVELS - path.length)
      if (found !== undefined) return refused(row, `${path.join('.')} ${found}.`)
      let value: unknown
      try {
        value =
          column === undefined
            ? nestedValue(isHead ? knownHead : known, path.join('.'), cell)
            : written(cellValue(columnIn(column, grainOf(cells)), cell, formsAt.get(at)), isOrderCsv)
      } catch (error) {
        if (!(error instanceof UnfitCell)) throw error
        return unfit(row, path.join('.'), error)
      }
      if (value === undefined) continue
      if (column?.within === undefined) put(isHead ? head : entry, path, value)
      else {
        item ??= addItem(entry, column.within)
        put(item, path.slice(column.within.split('.').length), value)
      }
    }
    return { row, entry, head, isAsSent }
  }
}

function written(value: unknown, isOrderCsv: boolean): unknown {
  return isOrderCsv && typeof value === 'string' ? unescapeFormula(value) : value
}

/** Reads rows like `readRow`, and lets rows share the values of their members. */
function sharingReader(columns: readonly NamedColumn[], shape: DropFileShape, forms: ColumnForms, readRow: ReadRow): ReadRow {
  const byMember = new Map<string, NamedColumn[]>()
  for (const column of columns) {
    const id = `${column.isHead} ${column.path[0]}`
    byMember.set(id, [...(byMember.get(id) ?? []), column])
  }
  const members = [...byMember.values()].map((own) => {
    const { isHead, path } = own[0] as NamedColumn
    const read = plainReader(own, shape, forms)
    const name = path[0] as string
    const shared = new SharedMember(
      own.map(({ at }) => at),
      (cells) => {
        const { entry, head, error } = read({ row: 0, cells })
        return error === undefined ? ((isHead ? head : entry) as Record<string, unknown>)[name] : UNSHARED
      },
    )
    return { name, isHead, shared }
  })
  const hasHead = columns.some(({ isHead }) => isHead)
  return (tableRow) => {
    const { row, cells, fault } = tableRow
    if (fault !== undefined) return refused(row, fault)
    const entry = {}
    const head = hasHead ? {} : NO_HEAD
    for (const { name, isHead, shared } of members) {
      const value = shared.valueIn(cells)
      if (value === UNSHARED) return readRow(tableRow)
      if (value !== undefined) define(isHead ? head : entry, name, value)
    }
    return { row, entry, head, isShared: true }
  }
}

const NO_HEAD: SentEntry['head'] = {}

/** Returns why a PUT would refuse a cell. It checks texts and names inside nested columns; objects and lists are at most `levels` deep. */
function cellFault(cell: Cell, levels: number): string | undefined {
  if (typeof cell === 'string') return isStorableText(cell) ? undefined : NOT_STORABLE
  if (typeof cell !== 'object' || cell === null || cell instanceof Moment) return undefined
  if (levels === 0) return `is nested deeper than the ${MAX_LEVELS} levels of an entry`
  for (const [name, member] of Object.entries(cell)) {
    const found = isStorableText(name) ? cellFault(member as Cell, levels - 1) : NOT_STORABLE
    if (found !== undefined) return found
  }
  return undefined
}

const NOT_STORABLE = 'has U+0000, which is not allowed'

function refused(row: number, message: string): SentEntry {
  return { row, entry: undefined, head: {}, error: { row, error_code: 'INVALID_ENTRY', message } }
}

function unfit(row: number, column: string, { message, value, inner }: UnfitCell): SentEntry {
  const field = inner === '' ? column : inner
  return {
    row,
    entry: undefined,
    head: {},
    error: { row, error_code: 'INVALID_ENTRY', field, value, message: `${field} ${message}.` },
  }
}

/** The kinds of the start of a period. A week is text: no cell but a text has one. */
const PERIODS: Readonly<Record<string, CellKind>> = { day: 'date', week: 'text', month: 'month' }

/** Returns a column as it is in a row with this grain. */
function columnIn(column: Column, grain: unknown): ReadColumn {
  if (column.kind !== 'period') return column
  return { kind: PERIODS[String(grain).trim()] ?? 'date', isList: false }
}

/** Returns the members of a nested column, each read as the column of its name; keeps names that the contract does not know. */
function nestedValue(known: readonly Column[], path: string, cell: Cell): unknown {
  if (cell === null || cell === undefined) return undefined
  if (Array.isArray(cell)) return cell.map((item) => nestedValue(known, path, item) ?? null)
  if (typeof cell !== 'object' || cell instanceof Moment) return cellValue({ kind: 'text', isList: false }, cell)
  const value: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(cell as Record<string, Cell>)) {
    const inner = `${path}.${name}`
    const column = known.find((one) => pathIn(one, inner) !== undefined)
    const read = named(inner, () =>
      column === undefined ? nestedValue(known, inner, member) : cellValue(columnIn(column, (cell as { grain?: unknown }).grain), member),
    )
    if (read !== undefined) define(value, name, read)
  }
  return value
}

/** Reads a member of a nested column, and names it in an error. */
function named<T>(inner: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof UnfitCell && error.inner === '' ? new UnfitCell(error.message, error.value, inner) : error
  }
}

/** Creates the list at this path with one item, and returns the item. */
function addItem(entry: Record<string, unknown>, list: string): Record<string, unknown> {
  const item: Record<string, unknown> = {}
  put(entry, list.split('.'), [item])
  return item
}

/** Sets a member by its path. */
function put(holder: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = holder
  for (const name of path.slice(0, -1)) {
    if (!Object.hasOwn(at, name)) define(at, name, {})
    at = at[name] as Record<string, unknown>
  }
  define(at, path.at(-1) as string, value)
}

function define(holder: Record<string, unknown>, name: string, value: unknown): void {
  // The sender may choose any name for the free part of a column, even `__proto__`.
  if (name === '__proto__') Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true })
  else holder[name] = value
}
