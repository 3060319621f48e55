import { Moment } from '../../adapters/rowReader/moment.ts'
import type { Cell } from '../../adapters/rowReader/table.ts'
import type { CellKind, Column } from '../../contract/dropColumns/columnsOf.ts'
import { isExactNumber, strictJson } from '../../domain/strictJson.ts'
import { fromMoment } from './momentValue.ts'
import { UnfitCell } from './unfitCell.ts'

/**
 * Returns the JSON value of a cell; undefined for an empty cell. A cell that does not fit the column's kind is kept as text, so that the
 * schema refuses it with the message of a PUT. Errors: UnfitCell for a typed cell whose text is not known, such as a date in a column of texts.
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
  switch (kind) {
    case 'number':
      return numberIn(text)
    case 'time':
      return text.replace(SHOWN_TIME, '$1').replace(ONE_DIGIT_HOUR, '0$&')
    case 'clock':
      return text.replace(ONE_DIGIT_HOUR, '0$&')
    case 'date':
      return withoutMidnight(text)
    case 'month':
      return withoutMidnight(text).replace(/^(\d{4}-\d\d)-01$/, '$1')
    case 'boolean':
      return BOOLEANS.get(text.toLowerCase()) ?? text
    case 'json':
      return parsed(text)
    default:
      return text
  }
}

const NUMBER = /^[+-]?(\d+(\.\d+)?|\.\d+)$/
/** Forms in which spreadsheets write times and dates into csv files. */
const SHOWN_TIME = /^(\d{1,2}:\d\d):00$/
const ONE_DIGIT_HOUR = /^\d:\d\d(:\d\d)?$/
const SHOWN_DATE = /^\d{4}-\d\d-\d\d 0?0:00:00$/
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['y', true],
  ['n', false],
])

function numberIn(text: string): number | string {
  if (!NUMBER.test(text)) return text
  const number = Number(text)
  if (isExactNumber(text)) return number
  // Programs write a computed double with all of its digits.
  return String(number) === text && Math.abs(number) < MOST_EXACT ? Number(number.toPrecision(DIGITS)) : text
}

function withoutMidnight(text: string): string {
  return SHOWN_DATE.test(text) ? text.slice(0, '2030-06-05'.length) : text
}

function parsed(text: string): unknown {
  try {
    return strictJson(Buffer.from(text))
  } catch {
    return text
  }
}

function fromTyped(kind: CellKind, cell: Exclude<Cell, string | null | undefined>): unknown {
  if (cell instanceof Moment) return fromMoment(kind, cell)
  if (typeof cell === 'object') return jsonOf(cell)
  if (typeof cell === 'boolean' && kind === 'boolean') return cell
  if (kind === 'text' && typeof cell === 'boolean')
    throw new UnfitCell(`has the cell ${String(cell).toUpperCase()}; format the column as text and type it again`, cell)
  return typeof cell === 'number' ? fromDouble(kind, cell) : fromText(kind, String(cell))
}

/** The number from which on a double, or a spreadsheet, no longer has every digit that was typed. */
const MOST_EXACT = 1e15
const DIGITS = 15

/** Returns a double with the digits that a spreadsheet shows: those beyond the fifteenth come of computing it (451.00000000000006). */
function fromDouble(kind: CellKind, cell: number): unknown {
  if (!Number.isFinite(cell)) return String(cell)
  if (Math.abs(cell) >= MOST_EXACT) {
    const remedy = kind === 'number' ? `a number has at most ${DIGITS}` : 'format the column as text and type it again'
    throw new UnfitCell(`has a number of more than ${DIGITS} digits, which is not exact; ${remedy}`, String(cell))
  }
  const number = Number(cell.toPrecision(DIGITS))
  return kind === 'number' ? number : fromText(kind, String(number))
}

/** Returns a nested cell as JSON has it: whole numbers as numbers, dates and times as texts. An absent member is left out. */
function jsonOf(cell: Cell): unknown {
  if (cell instanceof Moment) return cell.utc ?? cell.shown.replace(' ', 'T')
  if (Array.isArray(cell)) return cell.map((item: Cell) => jsonOf(item) ?? null)
  if (typeof cell === 'object' && cell !== null) {
    const members = Object.entries(cell as Record<string, Cell>).map(([name, member]) => [name, jsonOf(member)] as const)
    return Object.fromEntries(members.filter(([, value]) => value !== undefined))
  }
  if (typeof cell === 'bigint') return isExactNumber(String(cell)) ? Number(cell) : String(cell)
  if (typeof cell === 'number') return fromDouble('number', cell)
  return cell ?? undefined
}
