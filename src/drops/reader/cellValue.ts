import type { Cell } from '../../adapters/rowReader/table.ts'
import type { CellKind, Column } from '../../contract/dropColumns/columnsOf.ts'
import { isExactNumber, strictJson } from '../../domain/strictJson.ts'

/**
 * Returns the JSON value of a cell; undefined for an empty cell. A cell that does not fit the column's kind is kept as text, so that the
 * schema refuses it with the message of a PUT.
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
  if (kind === 'number') return NUMBER.test(text) && isExactNumber(text) ? Number(text) : text
  if (kind === 'time' && SHOWN_TIME.test(text)) return text.slice(0, -':00'.length).padStart('00:00'.length, '0')
  if (kind === 'date' && SHOWN_DATE.test(text)) return text.slice(0, '2030-06-05'.length)
  if (kind === 'boolean') return BOOLEANS.get(text.toLowerCase()) ?? text
  return kind === 'json' ? parsed(text) : text
}

const NUMBER = /^-?\d+(\.\d+)?$/
/** Forms in which spreadsheets write times and dates into csv files. */
const SHOWN_TIME = /^\d{1,2}:\d\d:00$/
const SHOWN_DATE = /^\d{4}-\d\d-\d\d 0?0:00:00$/
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['y', true],
  ['n', false],
])

function parsed(text: string): unknown {
  try {
    return strictJson(Buffer.from(text))
  } catch {
    return text
  }
}

function fromTyped(kind: CellKind, cell: Exclude<Cell, string | null | undefined>): unknown {
  if (cell instanceof Date) return fromDate(kind, cell)
  if (typeof cell === 'object' || (typeof cell === 'boolean' && kind === 'boolean')) return cell
  return fromText(kind, String(cell))
}

function fromDate(kind: CellKind, date: Date): string {
  if (Number.isNaN(date.getTime())) return 'an invalid date'
  const stamp = date.toISOString()
  if (kind === 'date') return stamp.slice(0, 10)
  // Spreadsheets store times as fractions of a day, so this rounds to seconds.
  return kind === 'time' ? new Date(Math.round(date.getTime() / 1000) * 1000).toISOString().slice(11, 16) : stamp
}
