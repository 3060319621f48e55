import type { LineDoubt, UnresolvedValue } from '../../contract/documentParse.ts'
import type { LineBooking } from '../../contract/event.ts'
import type { LineItem, LineResult } from '../../contract/lineItem.ts'
import { isUnavailable } from '../lines/availability.ts'
import { checkLine, type LineTerms } from '../lines/checkLine.ts'
import { bookingOf, pendingLine } from '../lines/lineResult.ts'
import { unresolvedOf } from './draftLines.ts'
import type { ReadLine } from './reading.ts'

/** A line of a document with its published price, or with its unresolved values. */
export interface PricedLine {
  readonly line: number
  readonly read: ReadLine
  readonly doubts: readonly LineDoubt[]
  readonly item: LineItem | undefined
  readonly num_requested?: number | undefined
  readonly unresolved: readonly UnresolvedValue[]
}

/** A priced line after all checks of a create. `booked` is the line that a confirm adds to the order. */
export interface ResolvedLine extends Omit<PricedLine, 'item'> {
  readonly booked: { readonly result: LineResult; readonly booking: LineBooking } | undefined
}

/** Applies every rule of a create line to a document's lines (contract, Line item), and reports unavailable inventory immediately. */
export function checkLines(lines: readonly PricedLine[], terms: LineTerms, unitIds: readonly string[]): ResolvedLine[] {
  return lines.map(({ item, ...priced }, index) => {
    const { line, read, num_requested } = priced
    if (item === undefined) return { ...priced, booked: undefined }
    const checked = checkLine(item, line, terms, unitIds[index] as string)
    if ('faults' in checked) {
      const unresolved = checked.faults.map(({ field, message }) => {
        const member = memberOf(field)
        return unresolvedOf(line, member, read[member as keyof ReadLine], message)
      })
      return { ...priced, booked: undefined, unresolved }
    }
    if (isUnavailable(item, terms.avails)) {
      return {
        ...priced,
        booked: undefined,
        unresolved: [unresolvedOf(line, 'period', read.period, 'The seller has no inventory for this period.')],
      }
    }
    const result = { ...pendingLine(item, checked.facts), ...(num_requested === undefined ? {} : { num_requested }) }
    return { ...priced, booked: { result, booking: bookingOf(checked.facts) } }
  })
}

/** Returns `period` for `line_items.3.period.grain` and `unit_cost` for `line_items.3.rate.unit_cost`. A flight fault concerns the period. */
function memberOf(field: string | undefined): string {
  const [, , member = 'period', inner] = field?.split('.') ?? []
  return member === 'rate' ? (inner ?? member) : member
}
