import { type FindHeader, shownText, type Table } from '../../../adapters/tables/rowReader/table.ts'
import type { Mapping } from '../../../contract/mapping.ts'
import { FIRST_ROWS, headerFingerprint, headingKey } from '../../../contract/vocabulary/mappings.ts'
import { addUp } from '../../../domain/addUp.ts'
import { HeaderFault } from './headerFault.ts'
import type { FileToRead, RowError } from './messages.ts'

/** Finds the mapping by which a file is read: the one that its manifest entry names, else the one whose headers the file has. */
export interface MappingChoice {
  /** Finds a header that a mapping fits. */
  readonly find: FindHeader
  /** Returns the mapping for an opened table. Errors: HeaderFault if several fit, or the named one does not. */
  readonly mappingOf: (table: Table) => Mapping | undefined
  /** Returns the name of a mapping that reads columns which a header has, although other headings of it have changed. */
  readonly similarTo: (header: readonly string[]) => string | undefined
}

export function chooseMapping({ mapping: named }: Pick<FileToRead, 'mapping'>, mappings: readonly Mapping[]): MappingChoice {
  const kept = mappings.find(({ name }) => name === named)
  const fingerprints = mappings.map(({ headers }) => headerFingerprint(headers))
  const fitting = (header: readonly string[]): readonly Mapping[] => {
    if (named !== undefined) return kept !== undefined && missingIn(header, kept).length === 0 ? [kept] : []
    const fingerprint = headerFingerprint(header)
    return mappings.filter((_, index) => fingerprints[index] === fingerprint)
  }
  const find: FindHeader = (rows) => {
    const place = rows.findIndex((cells) => fitting(cells.map(shownText)).length > 0)
    return place === -1 ? undefined : place
  }
  return {
    find,
    mappingOf(table) {
      const [mapping, ...others] = fitting(table.header)
      if (others.length > 0) throw new HeaderFault([severalFit([mapping as Mapping, ...others])])
      if (mapping === undefined && named !== undefined)
        throw new HeaderFault([kept === undefined ? isGone(named) : doesNotFit(kept, table)])
      return mapping
    },
    similarTo: (header) => mappings.find((mapping) => missingIn(header, mapping).length === 0)?.name,
  }
}

/** Returns the headings that a mapping reads and a header does not have exactly once. */
function missingIn(header: readonly string[], { columns, skip = [] }: Mapping): string[] {
  const counts = new Map<string, number>()
  for (const heading of header) addUp(counts, headingKey(heading))
  const read = new Set([...Object.values(columns), ...skip.map(({ column }) => column)])
  return [...read].filter((heading) => counts.get(headingKey(heading)) !== 1)
}

function headerError(row: number, message: string): RowError {
  return { row, error_code: 'INVALID_HEADER', field: 'mapping', message }
}

function severalFit(mappings: readonly Mapping[]): RowError {
  const names = mappings.map(({ name }) => name).join(', ')
  return headerError(
    1,
    `Several mappings have the headers of the file: ${names}. Name the one that is meant in the manifest, as mapping of the file.`,
  )
}

function isGone(name: string): RowError {
  return headerError(1, `The mapping ${name} was deleted before the drop was registered.`)
}

function doesNotFit(mapping: Mapping, { header, headerRow, firstRows = [] }: Table): RowError {
  const rows = [header, ...firstRows.slice(0, FIRST_ROWS).map(({ cells }) => cells.map(shownText))]
  const [missing = []] = rows.map((row) => missingIn(row, mapping)).sort((one, other) => one.length - other.length)
  const message = `The mapping ${mapping.name} reads columns that no header in the first ${FIRST_ROWS + 1} rows has once: ${missing.join(', ')}.`
  return headerError(headerRow, message)
}
