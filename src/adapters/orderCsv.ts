import { stringify } from 'csv-stringify/sync'
import type { CsvRow } from '../domain/edi/csvRows.ts'

/** Renders an order document as csv in UTF-8. An apostrophe precedes text that a spreadsheet would run as a formula. */
export function renderOrderCsv(columns: readonly string[], rows: readonly CsvRow[]): Buffer {
  return Buffer.from(
    stringify([...rows], { columns: [...columns], header: true, escape_formulas: true, record_delimiter: 'windows' }),
    'utf8',
  )
}
