import { writeCsv, writeXlsx } from 'hucre'
import { parquetWriteBuffer } from 'hyparquet-writer'
import type { DropFormat } from '../../contract/vocabulary/drops.ts'

/** An entry in the form of the API, as in the body of a publish. */
export type Entry = Readonly<Record<string, unknown>>
export type Cell = string | number | boolean | null

/**
 * Writes entries as a file of a drop, as a seller's own programs would, for templates, examples and the demo. The same entries give the
 * same bytes. `columns` fixes the header of a table; without it, the header has the columns that the entries use.
 */
export async function writeDropFile(format: DropFormat, entries: readonly Entry[], columns?: readonly string[]): Promise<Uint8Array> {
  if (format === 'json') return Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  const rows = entries.flatMap(rowsOf)
  const header = columns ?? [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = rows.map((row) => header.map((name) => row[name] ?? null))
  if (format === 'csv') return Buffer.from(writeCsv([[...header], ...cells], { lineSeparator: '\n' }))
  if (format === 'xlsx')
    return writeXlsx({ sheets: [{ name: 'Sheet1', rows: [[...header], ...cells] }], properties: { created: EPOCH, modified: EPOCH } })
  const columnData = header.map((name, index) => {
    const data = cells.map((row) => row[index] ?? null)
    return { name, data, type: typeOf(data), nullable: true }
  })
  return new Uint8Array(parquetWriteBuffer({ columnData }))
}

const EPOCH = new Date('2026-01-01T00:00:00Z')

function typeOf(data: readonly Cell[]): 'BOOLEAN' | 'DOUBLE' | 'INT32' | 'STRING' {
  const given = data.filter((cell) => cell !== null)
  if (given.length > 0 && given.every((cell) => typeof cell === 'boolean')) return 'BOOLEAN'
  if (given.length === 0 || !given.every((cell) => typeof cell === 'number')) return 'STRING'
  return given.every((cell) => Number.isInteger(cell) && Math.abs(cell as number) < 2 ** 31) ? 'INT32' : 'DOUBLE'
}

/**
 * Returns the rows of an entry: members by dotted name, plain lists joined by `|`, and one row per element of a list of objects. Further
 * rows have no other cell than the product_id.
 */
export function rowsOf(entry: Entry): Record<string, Cell>[] {
  const rows: Record<string, Cell>[] = [{}]
  flatten('', entry, rows, 0)
  for (const row of rows.slice(1)) row.product_id = (entry.product_id as string | undefined) ?? null
  return rows
}

function flatten(path: string, value: unknown, rows: Record<string, Cell>[], at: number): void {
  if (Array.isArray(value) && value.some((element) => typeof element === 'object')) {
    for (const [index, element] of value.entries()) {
      while (rows.length <= at + index) rows.push({})
      flatten(path, element, rows, at + index)
    }
  } else if (Array.isArray(value)) put(rows, at, path, value.join('|'))
  else if (typeof value === 'object' && value !== null && path !== 'billboard') {
    for (const [name, member] of Object.entries(value)) flatten(path === '' ? name : `${path}.${name}`, member, rows, at)
  } else if (value !== undefined) put(rows, at, path, typeof value === 'object' ? JSON.stringify(value) : (value as Cell))
}

function put(rows: Record<string, Cell>[], at: number, path: string, cell: Cell): void {
  const row = rows[at]
  if (row !== undefined) row[path] = cell
}
