import { readCsvTable } from '../../../adapters/tables/rowReader/csv.ts'
import { checkSignature } from '../../../adapters/tables/rowReader/signature.ts'
import type { FindHeader, Table } from '../../../adapters/tables/rowReader/table.ts'
import type { DropFileShape } from '../../../contract/dropColumns.ts'
import type { Mapping } from '../../../contract/mapping.ts'
import { chooseMapping } from './chooseMapping.ts'
import { readJson } from './jsonEntries.ts'
import { mapTable } from './mapTable.ts'
import type { FileToRead } from './messages.ts'
import type { SentEntries, Warn } from './sentEntry.ts'
import { isStationFile, readStationFile } from './stationFile.ts'
import { tableEntries } from './tableEntries.ts'

/** By what the columns of files are read, besides our own names. */
export interface MappedReading {
  readonly mappings?: readonly Mapping[] | undefined
  /** Called with the mapping by which the file is read, before its first entry. */
  readonly onMapped?: (mapping: Mapping) => void
  /** Called while rows are looked at that give no entries yet. */
  readonly alive?: () => void
}

/** Reads the entries of a file in batches. Errors: HeaderFault; Unreadable, after the entries before the one that broke. */
export async function* sentEntries(
  file: FileToRead,
  type: string,
  shape: DropFileShape,
  warn: Warn,
  more: MappedReading = {},
): SentEntries {
  await checkSignature(file.path, file.format)
  if (file.format === 'json') yield* readJson(file.path, shape, warn)
  else if (isMaybeStation(file, type) && (await isStationFile(file.path))) yield* readStationFile(file.path)
  else yield* readTable(file, shape, warn, more)
}

function isMaybeStation({ format, mapping }: FileToRead, type: string): boolean {
  return type === 'delivery_posts' && format === 'csv' && mapping === undefined
}

async function* readTable(file: FileToRead, shape: DropFileShape, warn: Warn, more: MappedReading): SentEntries {
  const { mappings = [], alive = () => undefined } = more
  const choice = chooseMapping(file, mappings)
  // Each sheet of a workbook in which the header is looked for is read anew.
  const find: FindHeader = (rows) => {
    alive()
    return choice.find(rows)
  }
  const open = () => openTable(file, mappings.length === 0 ? undefined : find)
  const table = await open()
  const mapping = choice.mappingOf(table)
  if (mapping !== undefined) more.onMapped?.(mapping)
  const mapped = (opened: Table) => (mapping === undefined ? opened : mapTable(opened, mapping))
  yield* tableEntries(mapped(table), shape, warn, {
    stated: mapping,
    similar: choice.similarTo(table.header),
    reopen: async () => mapped(await open()),
    alive,
  })
}

/** Loads only the library that the format needs. */
async function openTable({ path, format }: FileToRead, find: FindHeader | undefined): Promise<Table> {
  if (format === 'xlsx') return (await import('../../../adapters/tables/rowReader/xlsx.ts')).readXlsxTable(path, find)
  if (format === 'parquet') return (await import('../../../adapters/tables/rowReader/parquet.ts')).readParquetTable(path)
  return readCsvTable(path, find)
}
