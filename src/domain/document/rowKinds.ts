import type { Cell } from './cells.ts'
import { weekdayColumns } from './headings/compose.ts'
import type { Role } from './headings/vocabulary.ts'
import type { PlacedRow } from './page/bands.ts'
import { isNumeric } from './page/numeric.ts'
import type { Region } from './regions.ts'
import { secondsOf } from './values/amounts.ts'

/**
 * What a row of a table is. A `line` orders, also for nothing (`bonus`); a `fee` is money that is no airtime; a `total` sums rows above it; a
 * `canceled` row orders nothing any more; a `text` continues a row beside it or stands between rows; of an `unknown` row nobody can tell.
 */
export interface ReadRow extends PlacedRow {
  readonly kind: 'line' | 'fee' | 'total' | 'canceled' | 'text' | 'unknown'
  /** The words of the row outside of its numbers, days and window. */
  readonly label: string
  readonly isBonus: boolean
  /** The row says when it airs, or how long its spots are. */
  readonly describes: boolean
  /** For a `line`, the texts of wrapped rows with its own, by column. */
  readonly texts: ReadonlyMap<number, string>
  readonly at: string
  /** The rows of single weeks below a line. */
  readonly weeks: NonNullable<Region['subrows']>
}

/** The columns of a region by their role. */
export interface ByRole {
  of(role: Role): readonly number[]
  /** The columns of the weekdays of one week, Monday first; empty if there are none. */
  readonly weekdays: readonly number[]
}

export function columnsByRole({ headings, dates }: Pick<Region, 'headings' | 'dates'>): ByRole {
  const weekdays = weekdayColumns(headings)
  const roles = headings.map(({ named }, at) => (dates.has(at) ? 'date' : weekdays.includes(at) ? 'weekday' : named?.role))
  return { of: (role) => roles.flatMap((own, at) => (own === role ? [at] : [])), weekdays }
}

/** The words that tell what a row is. */
export const TOTAL = /\b(sub-?totals?|totals?|tot|ttl|grand|sum)\b|\b(per|\/) ?week\b|\/week\b/i
/** A name that says nothing but that it is a total, of what, and in which unit. */
export const ONLY_TOTAL =
  /^\W*(\w+ |sub ?-?)?totals?(\W+(spots?|units?|gross|net|costs?|amounts?|dollars|impressions|budget|of|for|all|this|the|order|buy|schedule|campaign|page|week|month))*[\W\d]*$/i
export const TOTAL_ONLY = /^\W*(paid|bonus(es)?|units|spots|paid units|bonus units)\W*$/i
export const FEE = /\b(fee|fees|production|translation|talent|(?<!\bno )charges?|commission|discount|tax|agency comm|adjustment|credit)\b/i
/** The words that name a fee also in a row that says when it airs. */
export const FEE_OF_AIRTIME = /\b(fees?|(?<!no )charges?|production|translation|agency comm(ission)?)\b/i
export const BONUS = /\b(bonus|bonuses|bns|free|added value|value added|no charge|n\/c|gratis)\b/i
export const BONUS_CODE = /^(bo|av|ve|bns|va|nc|bonus)$/i
/** The foot of a page has its number. */
export const PAGE = /\bpage:?\s+\d+\b/i
/** What begins or ends a label: `Order #`, `Date:`, `Printed 6/3/2030`. */
export const LABEL = /[:#]$|:\s|^(page|printed|order|estimate|invoice|date)\b/i
export const CANCELED = /^(d|del|deleted?|cancel|cancell?ed|remove|removed|drop|dropped)$/i

/** Words that name a row: no number, and no days or window. A number of a line below `Line` is none. */
export function saysWords(cell: Cell, role: Role | undefined): boolean {
  if (role !== undefined && ['length', 'row', 'clock', 'ignored'].includes(role))
    return /[A-Za-z]{3}/.test(cell.text) && secondsOf(cell.text) === undefined
  return !isNumeric(cell) && /[A-Za-z]/.test(cell.text) && secondsOf(cell.text) === undefined
}
