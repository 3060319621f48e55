import { stringify } from 'csv-stringify/sync'
import { escapeFormula } from './formulaText.ts'

/** Renders rows as csv in UTF-8; a member that a row lacks is an empty cell. An apostrophe precedes text that a spreadsheet would run as a formula. */
export function renderCsv<Column extends string>(columns: readonly Column[], rows: readonly Partial<Record<Column, string>>[]): Buffer {
  const safe = rows.map((row) => columns.map((column) => escapeFormula(row[column] ?? '')))
  return Buffer.from(stringify(safe, { columns: [...columns], header: true, record_delimiter: 'windows' }), 'utf8')
}
