import { readCsvTable } from '../../adapters/rowReader/csv.ts'
import { checkSignature } from '../../adapters/rowReader/signature.ts'
import type { Table } from '../../adapters/rowReader/table.ts'
import type { DropFileShape } from '../../contract/dropColumns.ts'
import { readJson } from './jsonEntries.ts'
import type { FileToRead, RowError, RowWarning } from './messages.ts'
import { isStationFile, readStationFile } from './stationFile.ts'
import { tableEntries } from './tableEntries.ts'

/** An entry as its file has it, not yet parsed by any schema. */
export interface SentEntry {
  readonly row: number
  readonly entry: unknown
  /** The other members of the body or the row that holds the entry. */
  readonly head: Readonly<Record<string, unknown>>
  /** The reason why there is no entry. */
  readonly error?: RowError
  /** Whether the sender chose its member names; names from columns are known. */
  readonly isAsSent?: boolean
  /** Whether members with equal content share one value across such entries. Nobody may change these values. */
  readonly isShared?: boolean
  /** Whether the entry comes from a station invoice file. */
  readonly isStation?: boolean
  /** For an entry of several rows: all its rows, and the rows of its list items. */
  readonly rows?: readonly number[]
  readonly itemRows?: readonly number[]
}

export type SentEntries = AsyncGenerator<readonly SentEntry[], void, undefined>
export type Warn = (warning: RowWarning) => void

/** Reads the entries of a file in batches. Errors: HeaderFault; Unreadable, after the entries before the one that broke. */
export async function* sentEntries(file: FileToRead, type: string, shape: DropFileShape, warn: Warn): SentEntries {
  await checkSignature(file.path, file.format)
  if (file.format === 'json') yield* readJson(file.path, shape, warn)
  else if (type === 'delivery_posts' && file.format === 'csv' && (await isStationFile(file.path))) yield* readStationFile(file.path)
  else yield* tableEntries(await openTable(file), shape, warn)
}

/** Loads only the library that the format needs. */
async function openTable({ path, format }: FileToRead): Promise<Table> {
  if (format === 'xlsx') return (await import('../../adapters/rowReader/xlsx.ts')).readXlsxTable(path)
  if (format === 'parquet') return (await import('../../adapters/rowReader/parquet.ts')).readParquetTable(path)
  return readCsvTable(path)
}
