import { Moment } from '../../../adapters/tables/rowReader/moment.ts'
import type { Cell } from '../../../adapters/tables/rowReader/table.ts'
import type { Column } from '../../../contract/dropColumns/columnsOf.ts'
import type { CellKind } from '../../../contract/dropColumns/exampleOf.ts'
import { daysIn } from '../../../domain/drops/written/writtenDays.ts'
import { secondsOf, secondsOfTime } from '../../../domain/drops/written/writtenLength.ts'
import { fractionOf } from '../../../domain/drops/written/writtenNumber.ts'
import { timeOfHalves } from '../../../domain/drops/written/writtenTime.ts'
import { isExactNumber, strictJson } from '../../../domain/strictJson.ts'
import type { CellForms } from './columnForms.ts'
import { fromMoment } from './momentValue.ts'
import { UnfitCell } from './unfitCell.ts'

/**
 * Returns the JSON value of a cell; undefined for an empty cell. A cell that does not fit the column's kind is kept as text, so that the
 * schema refuses it with the message of a PUT. `forms` tells what the dates and numbers of the column mean that are not written as ours. Errors:
 * UnfitCell for a cell whose meaning is not known, such as a date in a column of texts, or 6/3/2030.
 */
export function cellValue(column: ReadColumn, cell: Cell, forms?: CellForms): unknown {
  const { kind, isList, form } = column
  if (typeof cell === 'string') {
    const text = cell.trim()
    if (text === '') return undefined
    if (!isList) return fromText(column, text, forms)
    const items = text.split(form === 'references' ? OF_REFERENCES : '|').map((item) => item.trim())
    return form === 'days' ? items.flatMap((item) => daysIn(item) ?? [item]) : items.map((item) => fromText(column, item, forms))
  }
  if (cell === null || cell === undefined) return undefined
  if (Array.isArray(cell)) return cell.map((item) => cellValue({ kind, form, isList: false }, item) ?? null)
  const value = fromTyped(column, cell)
  return isList ? [value] : value
}

/** What reading a cell needs of its column. */
export type ReadColumn = Pick<Column, 'kind' | 'isList'> & Partial<Pick<Column, 'form'>>

function fromText({ kind, form }: ReadColumn, text: string, forms: CellForms | undefined): unknown {
  switch (kind) {
    case 'number':
      return numberOf(form, text, forms)
    case 'time':
      return withHours(text.replace(SHOWN_TIME, '$1'))
    case 'clock':
      return withHours(text)
    case 'date':
      return forms?.dateIn(text) ?? withoutMidnight(text)
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

function withHours(text: string): string {
  return timeOfHalves(text) ?? text.replace(ONE_DIGIT_HOUR, '0$&')
}

function numberOf(form: Column['form'], text: string, forms: CellForms | undefined): number | string {
  const other = form === 'seconds' ? secondsOf(text) : form === 'fraction' ? fractionOf(text) : undefined
  return other ?? numberIn(forms?.numberIn(text, form === 'money') ?? text, text)
}

const OF_REFERENCES = /[|,;&]/
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

/** Returns the number of plain digits, else the cell as it was sent. */
function numberIn(text: string, sent: string): number | string {
  if (!NUMBER.test(text)) return sent
  const number = Number(text)
  if (isExactNumber(text)) return number
  // Programs write a computed double with all of its digits.
  return String(number) === text && Math.abs(number) < MAX_EXACT ? Number(number.toPrecision(DIGITS)) : sent
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

function fromTyped(column: ReadColumn, cell: Exclude<Cell, string | null | undefined>): unknown {
  const { kind, form } = column
  if (cell instanceof Moment) return form === 'seconds' && cell.date === undefined ? lengthOf(cell) : fromMoment(kind, cell)
  if (typeof cell === 'object') return jsonOf(cell)
  if (typeof cell === 'boolean' && kind === 'boolean') return cell
  if (kind === 'text' && typeof cell === 'boolean')
    throw new UnfitCell(`has the cell ${String(cell).toUpperCase()}; format the column as text and type it again`, cell)
  return typeof cell === 'number' ? fromDouble(kind, cell) : fromText(column, String(cell), undefined)
}

function lengthOf({ time = '', shown }: Moment): number {
  const seconds = secondsOfTime(time)
  if (seconds === undefined)
    throw new UnfitCell(
      `has the time ${shown}, which may be minutes and seconds or hours and minutes; write the seconds as a number`,
      shown,
    )
  return seconds
}

/** The number from which on a double, or a spreadsheet, no longer has every digit that was typed. */
const MAX_EXACT = 1e15
const DIGITS = 15

/** Returns a double with the digits that a spreadsheet shows: those beyond the fifteenth come of computing it (451.00000000000006). */
function fromDouble(kind: CellKind, cell: number): unknown {
  if (!Number.isFinite(cell)) return String(cell)
  if (Math.abs(cell) >= MAX_EXACT) {
    const remedy = kind === 'number' ? `a number has at most ${DIGITS}` : 'format the column as text and type it again'
    throw new UnfitCell(`has a number of more than ${DIGITS} digits, which is not exact; ${remedy}`, String(cell))
  }
  const number = Number(cell.toPrecision(DIGITS))
  return kind === 'number' ? number : fromText({ kind, isList: false }, String(number), undefined)
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
