import type { Table } from '../../../adapters/tables/rowReader/table.ts'
import type { DropFileShape } from '../../../contract/dropColumns.ts'
import { type ReadHeader, readHeader } from './header.ts'
import type { RowError } from './messages.ts'

/** Adds to the error of a header with unknown names that a mapping can say what they are. */
export function withOffer(
  header: readonly string[],
  { columns, errors, missing }: ReadHeader,
  similar: string | undefined,
): readonly RowError[] {
  const names = header.filter((name) => name.trim() !== '')
  const [first, ...others] = errors
  if (first?.field === undefined || !missing.includes(first.field) || names.length < 2 || names.length === columns.length) return errors
  const offer =
    similar === undefined
      ? 'If the columns of the file are named by your own system, say once which is which in a mapping: PUT /v1/me/files/mappings/{name}.'
      : `The headers of your mapping ${similar} have changed: name it in the manifest, or replace it with PUT /v1/me/files/mappings/${similar}.`
  return [{ ...first, message: `${first.message} ${offer}` }, ...others]
}

/** Returns the error for rows above the header, such as a title, if the header is further below. */
export function headerBelow({ headerRow, firstRows = [] }: Table, shape: DropFileShape): RowError[] | undefined {
  const below = firstRows.find(({ row, cells }) => readHeader(cells.map(String), row, shape).errors.length === 0)
  if (below === undefined) return undefined
  const message = `The header is in row ${below.row}, and not the first row; delete what is above it.`
  return [{ row: headerRow, error_code: 'INVALID_HEADER', message }]
}
