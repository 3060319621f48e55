import { CsvError, parse } from 'csv-parse/sync'
import type { Table } from '../../../domain/document/table.ts'
import { Unreadable } from '../unreadable.ts'
import { gridTable } from './grid.ts'
import { CELLS, COLUMNS, CSV_RECORD_BYTES, ROWS } from './limits.ts'

/** Returns one table. Drops a byte order mark. */
export async function readCsv(bytes: Buffer): Promise<Table[]> {
  const text = decoded(bytes)
  let rows = 0
  let cells = 0
  const on_record = (record: string[]) => {
    rows += 1
    for (const field of record) if (field !== '') cells += 1
    if (rows > ROWS) throw new Unreadable(`it has more than ${ROWS} rows`)
    if (record.length > COLUMNS) throw new Unreadable(`it has more than ${COLUMNS} columns`)
    if (cells > CELLS) throw new Unreadable(`it holds more than ${CELLS} cells`)
    return record
  }
  const records = recordsOf(text, on_record)
  return [gridTable(records, '', [])]
}

function recordsOf(text: string, on_record: (record: string[]) => string[]): string[][] {
  try {
    return parse(text, {
      max_record_size: CSV_RECORD_BYTES,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: false,
      on_record,
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const why = error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'opens a quote that is never closed' : 'is damaged or too long'
    throw new Unreadable(`row ${Number(error.records) + 1} ${why}`)
  }
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Unreadable('it is not UTF-8')
  }
}
