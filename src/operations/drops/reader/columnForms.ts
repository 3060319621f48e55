import type { Cell, Table } from '../../../adapters/tables/rowReader/table.ts'
import { Unreadable } from '../../../adapters/tables/unreadable.ts'
import type { DateOrder, DecimalMark } from '../../../contract/vocabulary/mappings.ts'
import { isoDateOf, orderOf, writtenDate } from '../../../domain/drops/written/writtenDate.ts'
import { markOf, plainNumber, writtenMoney } from '../../../domain/drops/written/writtenNumber.ts'
import { UnfitCell } from './unfitCell.ts'

/** What a mapping states about the dates and numbers of a file. */
export interface StatedForms {
  readonly date_order?: DateOrder | undefined
  readonly decimal?: DecimalMark | undefined
}

/** What dates and numbers of one column mean that are not written as ours. */
export interface CellForms {
  /** Returns a date such as 6/3/2030 as YYYY-MM-DD; undefined for other texts. Errors: UnfitCell if its column allows both orders; Unscanned. */
  dateIn(text: string): string | undefined
  /** Returns a number such as 1,250.00 as plain digits; undefined where it is not one, or its column does not say. Errors: Unscanned. */
  numberIn(text: string, isMoney: boolean): string | undefined
}

/** Thrown where the other cells of the column decide, and have not been looked at yet. */
export class Unscanned extends Error {
  override name = 'Unscanned'
}

/** The forms of the columns of a table, by their places: as stated, else what all cells of a column allow. */
export class ColumnForms {
  readonly #stated: StatedForms
  readonly #seen = new Map<number, Seen>()
  #isScanned = false

  constructor(stated: StatedForms = {}) {
    this.#stated = stated
  }

  of(at: number): CellForms {
    return { dateIn: (text) => this.#dateIn(at, text), numberIn: (text, isMoney) => this.#numberIn(at, text, isMoney) }
  }

  /** Looks at all cells of these columns. `alive` is called for each batch of rows. The rows behind a fault of the file say nothing. */
  async scan({ rows, use }: Table, places: readonly number[], alive: () => void): Promise<void> {
    use?.(places)
    try {
      for await (const batch of rows) {
        alive()
        for (const { cells, fault } of batch) if (fault === undefined) for (const at of places) this.#see(at, cells[at])
      }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
    }
    this.#isScanned = true
  }

  #see(at: number, cell: Cell): void {
    if (typeof cell !== 'string') return
    const text = cell.trim()
    const date = writtenDate(text)
    const found = date === undefined ? markOf(writtenMoney(text).digits) : orderOf(date)
    if (found === undefined || found === 'either' || found === 'same' || found === 'neither') return
    const seen: Seen = this.#seen.get(at) ?? new Set()
    this.#seen.set(at, seen.add(found))
  }

  #seenIn(at: number): Seen {
    if (!this.#isScanned) throw new Unscanned('the other cells of the column decide')
    return this.#seen.get(at) ?? NOTHING
  }

  #dateIn(at: number, text: string): string | undefined {
    const date = writtenDate(text)
    if (date === undefined) return undefined
    const allowed = orderOf(date)
    if (allowed === 'neither') return undefined
    const { date_order: stated } = this.#stated
    if (stated !== undefined) return allowed === stated || allowed === 'either' || allowed === 'same' ? isoDateOf(date, stated) : undefined
    if (date.year.length === 2) throw unfit(text, 'has a year of two digits')
    if (allowed === 'same') return isoDateOf(date, 'mdy')
    const seen = this.#seenIn(at)
    if (seen.has('mdy') && seen.has('dmy')) throw unfit(text, 'is in a column with dates of both orders, month first and day first')
    if (allowed !== 'either') return isoDateOf(date, allowed)
    const only = seen.has('mdy') ? 'mdy' : seen.has('dmy') ? 'dmy' : undefined
    if (only === undefined) throw unfit(text, 'may have the month or the day first, as every date of the column may')
    return isoDateOf(date, only)
  }

  #numberIn(at: number, text: string, isMoney: boolean): string | undefined {
    const digits = isMoney ? writtenMoney(text).digits : text
    const { decimal } = this.#stated
    if (decimal === 'comma') {
      if (/[.,]/.test(digits) && plainNumber(digits, 'comma') === undefined)
        throw new UnfitCell(`has ${text}; decimal of the mapping is comma`, text)
      return plainNumber(digits, 'comma') ?? digits
    }
    if (!digits.includes(',')) return digits
    const plain = plainNumber(digits, 'point')
    if (plain === undefined || decimal === 'point' || markOf(digits) === 'point') return plain
    const seen = this.#seenIn(at)
    return seen.has('point') && !seen.has('comma') ? plain : undefined
  }
}

type Seen = Set<DateOrder | DecimalMark>
const NOTHING: Seen = new Set()

function unfit(text: string, why: string): UnfitCell {
  return new UnfitCell(
    `has ${text}, which ${why}; write ${WRITTEN}, or say it in date_order of a mapping: PUT /v1/me/files/mappings/{name}`,
    text,
  )
}

const WRITTEN = 'dates such as 2030-06-05'
