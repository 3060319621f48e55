import type { Sheet } from '../../domain/document/cells.ts'
import type { Table } from '../../domain/document/table.ts'
import { CELLS } from './tableReader/limits.ts'
import { Unreadable } from './unreadable.ts'

/** Reads the sheets of a file in the calling process. Read an untrusted file in a separate process (`src/operations/documents/documentReader.ts`). */
export async function readSheets(bytes: Buffer, format: string | undefined): Promise<Sheet[]> {
  const { gridSheet, pdfSheets } = await import('./tableReader/sheets.ts')
  if (format === 'pdf') return pdfSheets(bytes)
  const load = READERS[format ?? '']
  if (load === undefined) throw new Unreadable(`${format} is not a supported document format`)
  const tables = await (await load())(bytes)
  const cells = tables.reduce((sum, { rows }) => sum + rows.reduce((inRows, row) => inRows + row.length, 0), 0)
  if (cells > CELLS) throw new Unreadable(`it holds more than ${CELLS} cells`)
  return tables.map((table) => gridSheet(table, /^(.*)!/.exec(table.rows.flat()[0]?.at ?? '')?.[1]))
}

type Reader = (bytes: Buffer) => Promise<Table[]>
/** Loads only the library that the format needs: loading one takes longer than reading most files. */
const READERS: Record<string, () => Promise<Reader>> = {
  csv: async () => (await import('./tableReader/csv.ts')).readCsv,
  xlsx: async () => (await import('./tableReader/xlsx.ts')).readXlsx,
}
