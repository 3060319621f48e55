import type { Cell } from '../../adapters/rowReader/table.ts'
import type { CellKind, Column } from '../../contract/dropColumns/columnsOf.ts'

/**
 * Returns what a cell says as JSON has it; undefined for an empty one. What cannot be read as the column's kind is kept as it is, so that the
 * schema refuses it as it refuses the same value in a PUT.
 */
export function cellValue({ kind, isList }: Pick<Column, 'kind' | 'isList'>, cell: Cell): unknown {
  if (typeof cell === 'string') {
    const text = cell.trim()
    if (text === '') return undefined
    return isList ? text.split('|').map((item) => fromText(kind, item.trim())) : fromText(kind, text)
  }
  if (cell === null || cell === undefined) return undefined
  if (Array.isArray(cell)) return cell.map((item) => cellValue({ kind, isList: false }, item) ?? null)
  const value = fromTyped(kind, cell)
  return isList ? [value] : value
}

function fromText(kind: CellKind, text: string): unknown {
  if (kind === 'number') return numberOf(text) ?? text
  return text
}

const NUMBER = /^-?\d+(\.\d+)?$/
/** Returns a number that a double holds exactly as written: at most 15 significant digits. */
function numberOf(text: string): number | undefined {
  if (!NUMBER.test(text)) return undefined
  return text.length <= 15 || text.replace('.', '').replace(/^-?0*/, '').length <= 15 ? Number(text) : undefined
}

function fromTyped(kind: CellKind, cell: Exclude<Cell, string | null | undefined>): unknown {
  if (cell instanceof Date) return fromDate(kind, cell)
  if (typeof cell === 'object') return cell
  if (typeof cell === 'boolean') return kind === 'boolean' ? cell : String(cell)
  if (kind === 'number') return numberOf(String(cell)) ?? String(cell)
  return String(cell)
}

function fromDate(kind: CellKind, date: Date): string {
  if (Number.isNaN(date.getTime())) return 'an invalid date'
  const stamp = date.toISOString()
  if (kind === 'date') return stamp.slice(0, 10)
  return kind === 'time' ? stamp.slice(11, 16) : stamp
}
