import { stringify } from 'csv-stringify/sync'

/** Renders rows as csv in UTF-8; a member that a row lacks is an empty cell. An apostrophe precedes text that a spreadsheet would run as a formula. */
export function renderCsv<Column extends string>(columns: readonly Column[], rows: readonly Partial<Record<Column, string>>[]): Buffer {
  return Buffer.from(
    stringify([...rows], { columns: [...columns], header: true, escape_formulas: true, record_delimiter: 'windows' }),
    'utf8',
  )
}
