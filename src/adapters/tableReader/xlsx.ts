import { readXlsx as readWorkbook } from 'hucre/xlsx'
import { fromBufferPromise } from 'yauzl'
import type { Table } from '../../domain/document/table.ts'
import { gridTable } from './grid.ts'
import { COLUMNS, INFLATED_BYTES, INFLATION, ROWS, SHEET_NAME_CHARACTERS, Unreadable, ZIP_ENTRIES } from './limits.ts'

/** A table for every sheet that is not hidden. Of a formula its stored result is read; nothing is computed, and no macro run. */
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

/** Counts what the container inflates to before anything holds it, as it says and as it is. */
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
  if (!hasWorkbook) throw new Unreadable('it is no workbook')
}

/** Below this a ratio says nothing. */
const SMALL = 10_000

function tooLarge(): Unreadable {
  return new Unreadable('it inflates to too much')
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString().slice(0, 10)
  // As a sheet shows it: a number of the format has fifteen digits, and its double may have a tail.
  if (typeof value === 'number') return String(Number(value.toPrecision(15)))
  return String(value)
}
