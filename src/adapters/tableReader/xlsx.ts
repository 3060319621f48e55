import { readXlsx as readWorkbook } from 'hucre/xlsx'
import { fromBufferPromise } from 'yauzl'
import type { Table } from '../../domain/document/table.ts'
import { Unreadable } from '../unreadable.ts'
import { gridTable } from './grid.ts'
import { COLUMNS, INFLATED_BYTES, INFLATION, ROWS, SHEET_NAME_CHARACTERS, ZIP_ENTRIES } from './limits.ts'

/** Returns one table per visible sheet. Reads the stored results of formulas; computes nothing and runs no macros. */
export async function readXlsx(bytes: Buffer): Promise<Table[]> {
  await lookInside(bytes)
  const { sheets } = await readWorkbook(bytes, { sheets: ({ hidden, veryHidden }) => !hidden && !veryHidden, maxRows: ROWS + 1 })
  return sheets.map(({ name: whole, rows, merges }) => {
    const name = whole.slice(0, SHEET_NAME_CHARACTERS)
    if (rows.length > ROWS) throw new Unreadable(`the sheet ${name} has more than ${ROWS} rows`)
    if (rows.some((row) => row.length > COLUMNS)) throw new Unreadable(`the sheet ${name} has more than ${COLUMNS} columns`)
    return gridTable(
      rows.map((row) => row.map(textOf)),
      sheets.length === 1 ? '' : name,
      merges ?? [],
    )
  })
}

/** Checks the declared and the actual decompressed size before anything holds the content in memory. */
async function lookInside(bytes: Buffer): Promise<void> {
  const zip = await fromBufferPromise(bytes)
  if (zip.entryCount > ZIP_ENTRIES) throw new Unreadable(`it holds more than ${ZIP_ENTRIES} parts`)
  let inflated = 0
  let hasWorkbook = false
  for await (const entry of zip.eachEntry()) {
    if (inflated + entry.uncompressedSize > INFLATED_BYTES) throw tooLarge()
    hasWorkbook ||= entry.fileName === '[Content_Types].xml'
    if (entry.fileName.endsWith('/')) continue
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      inflated += chunk.length
      if (inflated > INFLATED_BYTES || inflated > Math.max(bytes.length, SMALL) * INFLATION) throw tooLarge()
    }
  }
  if (!hasWorkbook) throw new Unreadable('it is not a workbook')
}

/** Bytes below which the compression ratio is not meaningful. */
const SMALL = 10_000

function tooLarge(): Unreadable {
  return new Unreadable('its decompressed content is too large')
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString().slice(0, 10)
  // A spreadsheet shows fifteen significant digits; the stored double may have more.
  if (typeof value === 'number') return String(Number(value.toPrecision(15)))
  return String(value)
}
