import { readCsvTable } from '../../adapters/rowReader/csv.ts'
import type { Table, TableRow } from '../../adapters/rowReader/table.ts'
import { Unreadable } from '../../adapters/unreadable.ts'
import type { DropColumns } from '../../contract/dropColumns.ts'
import { isStorableText } from '../../domain/strictJson.ts'
import { cellValue } from './cellValue.ts'
import { type NamedColumn, readHeader } from './header.ts'
import type { FileToRead, RowError, RowWarning } from './messages.ts'

/** An entry as a file has it, before any schema has read it. */
export interface SentEntry {
  readonly row: number
  readonly entry: unknown
  /** The columns of the head in this row. */
  readonly head: Readonly<Record<string, unknown>>
  /** Why there is no entry. */
  readonly error?: RowError
}

/** The header does not fit the type of the file, of which no row is read then. */
export class HeaderFault extends Error {
  override name = 'HeaderFault'
  readonly errors: readonly RowError[]

  constructor(errors: readonly RowError[]) {
    super('the header is not valid')
    this.errors = errors
  }
}

/** Reads the entries of a file, some at a time. Errors: HeaderFault; Unreadable, after the entries before the row that broke. */
export async function* sentEntries(
  file: FileToRead,
  columns: DropColumns,
  warn: (warning: RowWarning) => void,
): AsyncGenerator<readonly SentEntry[]> {
  const table = await openTable(file)
  const { columns: named, errors, warnings } = readHeader(table.header, table.headerRow, columns)
  if (errors.length > 0) throw new HeaderFault(errors)
  for (const warning of warnings) warn(warning)
  for await (const rows of table.rows) yield rows.map((row) => entryOf(row, named))
}

async function openTable({ path, format }: FileToRead): Promise<Table> {
  if (format === 'csv') return readCsvTable(path)
  throw new Unreadable(`${format} is not a supported format`)
}

function entryOf({ row, cells, fault }: TableRow, columns: readonly NamedColumn[]): SentEntry {
  if (fault !== undefined) return { row, entry: undefined, head: {}, error: { row, error_code: 'INVALID_ENTRY', message: fault } }
  const entry = {}
  const head = {}
  for (const { column, path, isHead, at } of columns) {
    const cell = cells[at]
    if (typeof cell === 'string' && !isStorableText(cell)) {
      const message = `${column.name} has U+0000 or a lone surrogate, which is not allowed.`
      return { row, entry: undefined, head: {}, error: { row, error_code: 'INVALID_ENTRY', field: path.join('.'), message } }
    }
    const value = cellValue(column, cell)
    if (value !== undefined) put(isHead ? head : entry, path, value)
  }
  return { row, entry, head }
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
  // The free part of a column may be any name.
  if (name === '__proto__') Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true })
  else holder[name] = value
}
