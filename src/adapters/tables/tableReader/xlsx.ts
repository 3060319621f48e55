import { readXlsx as readWorkbook } from 'hucre/xlsx'
import type { Table } from '../../../domain/document/table.ts'
import { checkZip } from '../../files/zipLimits.ts'
import { timeOfCell } from '../timeCell.ts'
import { Unreadable } from '../unreadable.ts'
import { gridTable } from './grid.ts'
import { COLUMNS, INFLATED_BYTES, INFLATION, ROWS, SHEET_NAME_CHARACTERS, ZIP_ENTRIES } from './limits.ts'

/** Returns one table per visible sheet, without hidden rows and columns. Reads the stored results of formulas; computes nothing and runs no macros. */
export async function readXlsx(bytes: Buffer): Promise<Table[]> {
  await lookInside(bytes)
  const { sheets } = await readWorkbook(bytes, { sheets: ({ hidden, veryHidden }) => !hidden && !veryHidden, maxRows: ROWS + 1 })
  return sheets.map(({ name: whole, rows, merges, rowDefs, columns }) => {
    const name = whole.slice(0, SHEET_NAME_CHARACTERS)
    if (rows.length > ROWS) throw new Unreadable(`the sheet ${name} has more than ${ROWS} rows`)
    if (rows.some((row) => row.length > COLUMNS)) throw new Unreadable(`the sheet ${name} has more than ${COLUMNS} columns`)
    return gridTable(
      rows.map((row, at) => row.map((value, column) => (rowDefs?.get(at)?.hidden || columns?.[column]?.hidden ? '' : textOf(value)))),
      sheets.length === 1 ? '' : name,
      merges ?? [],
    )
  })
}

async function lookInside(bytes: Buffer): Promise<void> {
  let isWorkbook = false
  await checkZip(bytes, { parts: ZIP_ENTRIES, inflatedBytes: INFLATED_BYTES, ratio: INFLATION }, (name) => {
    isWorkbook ||= name === '[Content_Types].xml'
    return undefined
  })
  if (!isWorkbook) throw new Unreadable('it is not a workbook')
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? '' : (timeOfCell(value)?.replace(/:00$/, '') ?? value.toISOString().slice(0, 10))
  // A spreadsheet shows fifteen significant digits; the stored double may have more.
  if (typeof value === 'number') return String(Number(value.toPrecision(15)))
  return String(value)
}
