import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from 'hyparquet'
import { Unreadable } from '../unreadable.ts'
import { COLUMNS, PARQUET_ROWS, ROWS } from './limits.ts'
import { INVALID_MOMENT, localPartsIn, Moment, partsOf } from './moment.ts'
import { COMPRESSORS, checkColumns } from './parquetColumns.ts'
import { checkPages } from './parquetPages.ts'
import { zonesOf } from './parquetZones.ts'
import type { Cell, Table, TableRow } from './table.ts'

/** Reads a parquet file with flat or nested columns. Rows are numbered from 1. */
export async function readParquetTable(path: string): Promise<Table> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file, { geoparquet: false })
  if (metadata.num_rows > ROWS) throw new Unreadable(`it has more than ${ROWS} rows`)
  const scales = takeScales(metadata)
  const zones = zonesOf(metadata)
  const columns = parquetSchema(metadata).children.map((tree) => {
    const { name } = tree.element
    return { name, cellOf: cellReader(tree, scales, zones.get(name)) }
  })
  if (columns.length > COLUMNS) throw new Unreadable(`it has more than ${COLUMNS} columns`)
  let used = columns
  return {
    headerRow: 0,
    header: columns.map(({ name }) => name),
    isNested: true,
    use: (places) => {
      used = places.map((at) => columns[at] as Column)
    },
    rows: usedRows(),
  }

  async function* usedRows(): AsyncGenerator<readonly TableRow[]> {
    const names = used.map(({ name }) => name)
    checkColumns(metadata, names)
    await checkPages(file, metadata, names)
    const readers = columns.map((column) => (used.includes(column) ? column : undefined))
    const cellsOf = (values: Readonly<Record<string, unknown>>) => readers.map((column) => column?.cellOf(values[column.name]))
    yield* rowsOf(file, metadata, names, cellsOf)
  }
}

interface Column {
  readonly name: string
  readonly cellOf: (value: unknown) => Cell
}

async function* rowsOf(
  file: AsyncBuffer,
  metadata: FileMetaData,
  names: readonly string[],
  cellsOf: (values: Readonly<Record<string, unknown>>) => readonly Cell[],
): AsyncGenerator<readonly TableRow[]> {
  const total = Number(metadata.num_rows)
  // Reads parts of a row group, since it may hold all rows and reading it whole takes several times the memory.
  for (let from = 0; from < total; from += PARQUET_ROWS) {
    const rowEnd = Math.min(from + PARQUET_ROWS, total)
    const rows = await parquetReadObjects({
      file,
      metadata,
      columns: [...names],
      compressors: COMPRESSORS,
      parsers: PARSERS,
      utf8: false,
      geoparquet: false,
      rowStart: from,
      rowEnd,
    })
    if (rows.length !== rowEnd - from) throw new Unreadable('it has fewer rows than it states', from + rows.length)
    yield rows.map((values, index) => ({ row: from + index + 1, cells: cellsOf(values) }))
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Returns the text of bytes; the bytes if they are not UTF-8, undefined for an absent value. */
function textOf(bytes: Uint8Array | undefined): string | Uint8Array | undefined {
  if (bytes === undefined) return undefined
  try {
    return decoder.decode(bytes)
  } catch {
    return bytes
  }
}

const PARSERS = { stringFromBytes: textOf, jsonFromBytes: textOf }

type Tree = ReturnType<typeof parquetSchema>
type Element = Tree['element']

/** Removes the annotations of decimals and returns their scales, since the library would convert decimals to doubles. */
function takeScales({ schema }: FileMetaData): ReadonlyMap<Element, number> {
  const scales = new Map<Element, number>()
  for (const element of schema) {
    if (element.converted_type !== 'DECIMAL' && element.logical_type?.type !== 'DECIMAL') continue
    scales.set(element, element.scale ?? 0)
    delete element.converted_type
    delete element.logical_type
  }
  return scales
}

/** Returns a function that converts a column's value to a cell; members of structs and maps and items of lists are treated like columns. */
function cellReader(tree: Tree, scales: ReadonlyMap<Element, number>, zone?: string): (value: unknown) => Cell {
  const { element, children } = tree
  const scale = scales.get(element)
  const perMillisecond = timeUnit(element)
  const momentOf = momentReader(element, zone)
  const members = new Map(children.map((child) => [child.element.name, cellReader(child, scales)]))
  const itemTree = itemsOf(tree)
  const itemOf = itemTree === undefined ? undefined : cellReader(itemTree, scales)
  const valueTree = valuesOf(tree)
  const entryOf = valueTree === undefined ? undefined : cellReader(valueTree, scales)
  return function cellOf(value): Cell {
    if (value === null || value === undefined) return null
    if (Array.isArray(value)) return value.map((item) => (itemOf ?? cellOf)(item))
    if (scale !== undefined) return scaled(unscaledOf(value), scale)
    if (perMillisecond !== undefined) return timeOf(Number(value) / perMillisecond)
    if (value instanceof Date) return momentOf(value)
    if (typeof value === 'number' && element.type === 'FLOAT') return shortest(value)
    if (value instanceof Uint8Array) {
      const text = textOf(value)
      if (typeof text !== 'string') throw new Unreadable(`the column ${element.name} has bytes that are not UTF-8 text`)
      return text
    }
    if (typeof value !== 'object') return value as Cell
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, (entryOf ?? members.get(name))?.(member) ?? null]))
  }
}

/** Returns the items of a list, which are inside a repeated group or are the repeated column itself. */
function itemsOf({ children: [repeated, ...others] }: Tree): Tree | undefined {
  if (repeated === undefined || others.length > 0 || repeated.element.repetition_type !== 'REPEATED') return undefined
  return repeated.children.length === 1 ? repeated.children[0] : repeated
}

/** Returns the values of a map, which the library gives as an object by their keys. */
function valuesOf({ element, children: [entries] }: Tree): Tree | undefined {
  return element.converted_type === 'MAP' ? entries?.children.find((child) => child.element.name === 'value') : undefined
}

/** Returns a time of day, given in milliseconds since midnight. */
function timeOf(milliseconds: number): Moment | string {
  const time = partsOf(new Date(milliseconds))?.time
  return time === undefined ? INVALID_MOMENT : new Moment({ time })
}

/**
 * Returns a function for dates and timestamps. Those without a zone are local. The others are moments in UTC, as are those of the old form INT96;
 * their date is that of the zone that the file names for the column.
 */
function momentReader({ type, converted_type, logical_type }: Element, zone: string | undefined): (value: Date) => Moment | string {
  const isDate = converted_type === 'DATE' || logical_type?.type === 'DATE'
  const isUtc = logical_type?.type === 'TIMESTAMP' ? logical_type.isAdjustedToUTC : type === 'INT96' || converted_type !== undefined
  const inZone = zone === undefined ? undefined : localPartsIn(zone)
  return (value) => {
    const local = !isDate && isUtc && inZone !== undefined
    const parts = local ? inZone(value) : partsOf(value)
    if (parts === undefined) return INVALID_MOMENT
    if (isDate) return new Moment({ date: parts.date })
    const known = parts.time === '00:00:00' ? { date: parts.date } : parts
    return isUtc ? new Moment({ ...known, utc: value.toISOString(), isLocal: local }) : new Moment(known)
  }
}

/** Returns the number with the fewest digits that is this float of 32 bits: 0.1 and not 0.10000000149011612. */
function shortest(value: number): number {
  for (let digits = FLOAT_DIGITS.least; digits < FLOAT_DIGITS.max; digits += 1) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return Number(value.toPrecision(FLOAT_DIGITS.max))
}

/** The digits of a float of 32 bits that are always exact, and those that always tell it from others. */
const FLOAT_DIGITS = { least: 6, max: 9 }

/** Returns how many units of a time of day are in a millisecond. */
function timeUnit({ converted_type, logical_type }: Element): number | undefined {
  if (converted_type === 'TIME_MILLIS') return 1
  if (converted_type === 'TIME_MICROS') return 1_000
  if (logical_type?.type !== 'TIME') return undefined
  return { MILLIS: 1, MICROS: 1_000, NANOS: 1_000_000 }[logical_type.unit]
}

function unscaledOf(value: unknown): bigint {
  if (!(value instanceof Uint8Array)) return BigInt(value as number | bigint)
  let unscaled = 0n
  for (const byte of value) unscaled = unscaled * 256n + BigInt(byte)
  return BigInt.asIntN(value.length * 8, unscaled)
}

function scaled(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
  const sign = unscaled < 0n ? '-' : ''
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
