import type { Table } from '../domain/document/table.ts'
import { CELLS, Unreadable } from './tableReader/limits.ts'

/** Reads the tables of a file, in this very process: a file that a stranger wrote needs one of its own (`src/documents/documentReader.ts`). */
export async function readTables(bytes: Buffer, format: string | undefined): Promise<Table[]> {
  const load = READERS[format ?? '']
  if (load === undefined) throw new Unreadable(`${format} is not a format of documents`)
  const tables = await (await load())(bytes)
  const cells = tables.reduce((sum, { rows }) => sum + rows.reduce((inRows, row) => inRows + row.length, 0), 0)
  if (cells > CELLS) throw new Unreadable(`it holds more than ${CELLS} cells`)
  return tables
}

type Reader = (bytes: Buffer) => Promise<Table[]>
/** Only what is needed is loaded: a library takes longer to load than most files to read. */
const READERS: Record<string, () => Promise<Reader>> = {
  csv: async () => (await import('./tableReader/csv.ts')).readCsv,
  xlsx: async () => (await import('./tableReader/xlsx.ts')).readXlsx,
  pdf: async () => (await import('./tableReader/pdf.ts')).readPdf,
}
