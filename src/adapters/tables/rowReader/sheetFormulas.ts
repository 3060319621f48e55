import { colToLetter, parseCellRef } from 'hucre/xlsx'
import { ROWS } from './limits.ts'
import { RowMarks } from './rowMarks.ts'

/** What a workbook says about the calculation of its formulas. */
export interface Calculation {
  /** The workbook asks to be calculated when it is opened: its stored values are not those of its formulas. */
  readonly isAsked: boolean
  /** A program that calculates has saved the workbook. */
  readonly isDone: boolean
}

/**
 * The formulas of a sheet, from the parts of its XML. Programs that write workbooks without calculating leave the values of formulas out, or
 * write 0 for each.
 */
export class SheetFormulas {
  /** For each row, the column of its first such cell. */
  readonly #empty = new RowMarks()
  readonly #zero = new RowMarks()
  readonly #stored = new RowMarks()
  /** Whether a formula has another value than 0: the sheet was calculated. */
  #hasOthers = false
  #rest = ''

  /** Takes a part of the XML as latin1, since tags, cell names and attributes are ASCII. */
  take(part: string): void {
    const text = this.#rest + part
    if (HAS_FORMULA.test(text)) for (const cell of text.split(CELL).slice(1)) this.#takeCell(cell)
    const cell = Math.max(text.lastIndexOf('<c '), text.lastIndexOf('<', text.lastIndexOf(':c ')))
    this.#rest = cell === -1 ? text.slice(-TAG_CHARACTERS) : text.slice(Math.max(cell, text.length - CELL_CHARACTERS))
  }

  /** Returns the name of the row's first cell whose formula is not calculated. */
  uncalculatedIn(row: number, { isAsked, isDone }: Calculation): string | undefined {
    const marks = [this.#empty, ...(isAsked ? [this.#stored] : []), ...(isAsked || !(isDone || this.#hasOthers) ? [this.#zero] : [])]
    const columns = marks.map((mark) => mark.of(row)).filter((column) => column > 0)
    return columns.length === 0 ? undefined : `${colToLetter(Math.min(...columns) - 1)}${row}`
  }

  #takeCell(cell: string): void {
    const end = cell.search(CELL_END) // without one, the rest is in the next part
    const name = end === -1 ? undefined : CELL_NAME.exec(cell)?.[1]
    if (name === undefined) return
    const value = formulaValue(cell.slice(0, end))
    if (value === undefined) return
    const { row, col } = parseCellRef(name)
    if (row > ROWS) return
    const marks = value === '' ? this.#empty : value === '0' ? this.#zero : this.#stored
    this.#hasOthers ||= marks === this.#stored
    if (marks.of(row + 1) === 0) marks.set(row + 1, col + 1)
  }
}

/** The most characters of a cell that spans two parts. */
const CELL_CHARACTERS = 16_384
/** The most characters of the beginning of a cell's tag. */
const TAG_CHARACTERS = 32
const HAS_FORMULA = /[<:]f[ />]/
const CELL = /<(?:[A-Za-z]\w{0,20}:)?c /
const CELL_END = /<\/(?:[A-Za-z]\w{0,20}:)?c>/
const CELL_NAME = /\br="([A-Z]{1,3}\d{1,7})"/
const IS_TEXT = /\st=["']str["']/

/** Returns the stored value of a cell with a formula, given from its attributes to its end; undefined for a cell without a formula. */
function formulaValue(cell: string): string | undefined {
  const open = cell.indexOf('>')
  const content = cell.slice(open + 1)
  if (!HAS_FORMULA.test(content)) return undefined
  const begin = Math.max(content.lastIndexOf('<v>'), content.lastIndexOf(':v>')) + '<v>'.length
  if (begin < '<v>'.length) return ''
  const value = content.slice(begin, content.indexOf('<', begin))
  // A text formula may have an empty result.
  return value === '' && IS_TEXT.test(cell.slice(0, open)) ? '""' : value
}
