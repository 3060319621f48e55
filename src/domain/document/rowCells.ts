import { type Column, columnOf, type Field } from './columns.ts'
import type { Table, TableCell, TableRow } from './table.ts'

/** A cell with the column that it belongs to. */
export interface Claim {
  readonly column: Column
  readonly cell: TableCell
}

/** What a row states under each heading. */
export interface RowCells {
  readonly claims: readonly Claim[]
  /** The first cell of each field. */
  readonly cells: ReadonlyMap<Field, TableCell>
  readonly weeks: readonly Claim[]
  /** Why the cells of the row cannot be told apart by their columns; undefined if they can. */
  readonly torn: string | undefined
}

/**
 * Assigns the cells of a row to the columns of its table. The assignment is certain only if every cell has one column and every column one cell
 * at most, in the order of the columns; on a page, where a number may stand nearer to the next heading than to its own, a heading may be
 * without a cell only if all cells are below or above their headings.
 */
export function cellsOf(row: TableRow, columns: readonly Column[], layout: Table['layout']): RowCells {
  const claims: Claim[] = []
  const cells = new Map<Field, TableCell>()
  let torn: string | undefined
  for (const cell of row) {
    const column = columnOf(cell, columns, layout)
    if (column === undefined) {
      torn ??= `${quoted(cell)} is under no heading`
      continue
    }
    const before = claims.find((claim) => claim.column === column)
    if (before !== undefined) torn ??= `${quoted(before.cell)} and ${quoted(cell)} are both under ${column.header.text}`
    if (layout === 'grid') torn ??= spread(cell, columns)
    if (column.isDated && /\d/.test(cell.text)) torn ??= `${quoted(cell)} is under "${column.header.text}", which is not understood`
    if (layout === 'page' && (column.field === 'week' || column.field === 'units') && SEVERAL.test(cell.text))
      torn ??= `${quoted(cell)} under ${column.header.text} may be several cells`
    claims.push({ column, cell })
    const { field } = column
    if (field !== 'week' && field !== 'other' && !cells.has(field)) cells.set(field, cell)
  }
  if (layout === 'page') torn ??= shifted(claims, columns)
  return { claims, cells, weeks: claims.filter(({ column }) => column.field === 'week'), torn }
}

/** Returns the fault of a merged cell that covers several headings. */
function spread(cell: TableCell, columns: readonly Column[]): string | undefined {
  const [first, second] = columns.filter(({ header }) => overlaps(cell, header))
  return second === undefined ? undefined : `${quoted(cell)} is under both ${first?.header.text} and ${second.header.text}`
}

/** Returns the fault of a row of a page whose cells may belong to other headings than the nearest ones. */
function shifted(claims: readonly Claim[], columns: readonly Column[]): string | undefined {
  const crossed = claims.find(({ column }, at) => at > 0 && (claims[at - 1] as Claim).column.header.left > column.header.left)
  if (crossed !== undefined) return `${quoted(crossed.cell)} is nearest to a heading on its left`
  const empty = columns.filter((column) => !claims.some((claim) => claim.column === column))
  for (const { header } of empty) {
    const joined = claims.find(({ cell }) => overlaps(cell, header))
    if (joined !== undefined) return `${quoted(joined.cell)} is under both ${joined.column.header.text} and ${header.text}`
    const beside = claims.find(({ cell, column }) => !overlaps(cell, column.header))
    if (beside !== undefined) return `nothing is under ${header.text}, and ${quoted(beside.cell)} stands beside its heading`
  }
  return undefined
}

function overlaps(cell: TableCell, header: TableCell): boolean {
  return cell.left < header.right && header.left < cell.right
}

function quoted({ text, at }: TableCell): string {
  return `"${text.length > QUOTED_CHARACTERS ? `${text.slice(0, QUOTED_CHARACTERS)}…` : text}" (${at})`
}

const QUOTED_CHARACTERS = 40
/** Counts that stand so close that they have run together. */
const SEVERAL = /^\d+(\s+\d+)+$/
