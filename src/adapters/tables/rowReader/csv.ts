import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { FIRST_ROWS } from '../../../contract/vocabulary/mappings.ts'
import { Unreadable } from '../unreadable.ts'
import { COLUMNS, CSV_RECORD_BYTES, ROWS } from './limits.ts'
import { SAVE_AS_UTF8 } from './signature.ts'
import type { FindHeader, Table, TableRow } from './table.ts'

/**
 * Reads a csv file. Its first record is the header, row 1, unless `find` finds it below; a first line such as `sep=;`, which Excel understands, names
 * another delimiter than a comma and is row 1 itself. Rows are counted as records, including blank ones.
 */
export async function readCsvTable(path: string, find?: FindHeader): Promise<Table> {
  const delimiter = await statedDelimiter(path)
  const records = readRecords(path, { delimiter })
  const above = delimiter === undefined ? 0 : 1
  const { first, others } = await begun(records, above + 1 + FIRST_ROWS)
  const headerRow = above + 1 + (find?.(first.slice(above, above + 1 + FIRST_ROWS)) ?? 0)
  const [header = [], ...rest] = first.slice(headerRow - 1)
  return {
    headerRow,
    header,
    firstRows: rest.slice(0, FIRST_ROWS).map((cells, index) => ({ row: headerRow + 1 + index, cells })),
    rows: rowsOf(headerRow, rest, others, header.length),
  }
}

/** Reads the first records, at least so many unless there are fewer. Who reads the others meets a fault that is behind the first. */
async function begun(records: AsyncGenerator<string[][], undefined>, count: number) {
  const first: string[][] = []
  let fault: { readonly error: unknown } | undefined
  try {
    while (first.length < count) {
      const { value: more, done } = await records.next()
      if (done === true) break
      first.push(...more)
    }
  } catch (error) {
    if (first.length === 0) throw error
    fault = { error }
  }
  async function* others(): AsyncGenerator<string[][]> {
    if (fault !== undefined) throw fault.error
    yield* records
  }
  return { first, others: others() }
}

/** Returns the delimiter of a first line `sep=;`. */
async function statedDelimiter(path: string): Promise<string | undefined> {
  for await (const chunk of createReadStream(path, { end: LONGEST_STATEMENT }) as AsyncIterable<Buffer>)
    return STATEMENT.exec(chunk.toString('latin1'))?.[1]
  return undefined
}

const STATEMENT = /^(?:\u00ef\u00bb\u00bf)?"?sep=([,;|\t])"?[\r\n]/i
const LONGEST_STATEMENT = 16

async function* rowsOf(
  headerRow: number,
  first: readonly string[][],
  others: AsyncIterable<readonly string[][]>,
  columns: number,
): AsyncGenerator<readonly TableRow[]> {
  let row = headerRow
  const numbered = (records: readonly string[][]): TableRow[] => {
    const rows: TableRow[] = []
    for (const cells of records) {
      row += 1
      if (cells.every((cell) => cell === '')) continue
      // Excel leaves empty cells out at the end of rows, and other programs add some.
      if (cells.slice(columns).every((cell) => cell === '')) rows.push({ row, cells })
      else rows.push({ row, cells: [], fault: tooManyCells(cells.length, columns) })
    }
    return rows
  }
  yield numbered(first)
  for await (const records of others) yield numbered(records)
}

function tooManyCells(cells: number, columns: number): string {
  return `The row has ${cells} cells; the header has ${columns}. A cell that has a comma stands in quotes: "Mon, Tue".`
}

interface Dialect {
  readonly delimiter?: string | undefined
  /** Whether quotes have a meaning. */
  readonly hasQuotes?: boolean
}

/** Reads the records of a file in batches of at least one. */
export async function* readRecords(
  path: string,
  { delimiter = ',', hasQuotes = true }: Dialect = {},
): AsyncGenerator<string[][], undefined> {
  const parser = parse({
    delimiter,
    quote: hasQuotes ? '"' : null,
    bom: true,
    // Detecting the delimiter from the first line end merges records of a file that mixes them.
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: CSV_RECORD_BYTES,
    relax_column_count: true,
    trim: true,
  })
  let fault: Error | undefined
  parser.on('error', (error) => {
    fault ??= error
  })
  let read = 0
  const taken = (): string[][] => {
    const records: string[][] = []
    for (let record = parser.read(); record !== null; record = parser.read()) {
      read += 1
      if (record.length > COLUMNS) fault = new Unreadable(`row ${read} has ${record.length} columns; a file has at most ${COLUMNS}`, read)
      else if (read > ROWS + 1) fault = new Unreadable(`it has more than ${ROWS} rows`, read)
      // Records before the fault still count.
      if (fault instanceof Unreadable) break
      records.push(record)
    }
    return records
  }
  for await (const chunk of utf8Chunks(path)) {
    parser.write(chunk)
    const records = taken()
    await nextTurn() // the parser reports a fault later
    if (records.length > 0) yield records
    if (fault !== undefined) throw faultOf(fault, read)
  }
  parser.end()
  await nextTurn()
  const records = taken()
  if (records.length > 0) yield records
  if (fault !== undefined) throw faultOf(fault, read)
}

const FAULTS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'opens a quote that is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'has text after a closing quote; write a quote within quotes as ""',
  INVALID_OPENING_QUOTE: 'has a quote inside of a cell that is not quoted; write a quote within quotes as ""',
  CSV_MAX_RECORD_SIZE: `is larger than ${CSV_RECORD_BYTES} bytes`,
}

function faultOf(error: Error, read: number): Error {
  if (!(error instanceof CsvError)) return error
  return new Unreadable(`row ${read + 1} ${FAULTS[error.code] ?? 'is damaged'}`, read + 1)
}

/** Yields the bytes of a file. Errors: Unreadable if they are not UTF-8. */
async function* utf8Chunks(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  let isFirst = true
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    if (isFirst && chunk.subarray(0, 4).includes(0)) throw new Unreadable(`it is UTF-16 or binary; ${SAVE_AS_UTF8}`)
    isFirst = false
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = endOfWholeCharacters(bytes)
    rest = bytes.subarray(end)
    yield* pieces(utf8(bytes.subarray(0, end)))
  }
  if (rest.length > 0) yield utf8(rest)
}

/** The size of a piece, small enough that its records are used before a garbage collection would copy them. */
const PIECE_BYTES = 8 * 1024

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES)
}

function utf8(bytes: Buffer): Buffer {
  if (!isUtf8(bytes)) throw new Unreadable(`it is not UTF-8; ${SAVE_AS_UTF8}`)
  return bytes
}

function endOfWholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) return bytes.length - back
  }
  return bytes.length
}
