import type { DateOrder } from '../../../contract/vocabulary/mappings.ts'

/** A date of numbers whose year is last, such as 6/3/2030. */
export interface WrittenDate {
  readonly first: number
  readonly second: number
  /** Of two digits where it is written so. */
  readonly year: string
}

const DATE = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})$/
/** The midnight that some programs add to a date. */
const MIDNIGHT = / (?:0?0:00(?::00)?|12:00(?::00)? ?AM)$/i

/** Returns the parts of a date such as 6/3/2030; undefined for other texts. */
export function writtenDate(text: string): WrittenDate | undefined {
  const [, first, , second, year] = DATE.exec(text.replace(MIDNIGHT, '')) ?? []
  return year === undefined ? undefined : { first: Number(first), second: Number(second), year }
}

/** Returns the one order that a date allows; `either`: both, with different meanings; `same`: both mean one day; `neither`: it is no date. */
export function orderOf({ first, second }: WrittenDate): DateOrder | 'either' | 'same' | 'neither' {
  const [isMonthFirst, isDayFirst] = [first <= 12, second <= 12]
  if (!isMonthFirst && !isDayFirst) return 'neither'
  if (isMonthFirst && isDayFirst) return first === second ? 'same' : 'either'
  return isMonthFirst ? 'mdy' : 'dmy'
}

/** Returns a date as YYYY-MM-DD. A year of two digits is of this century. */
export function isoDateOf({ first, second, year }: WrittenDate, order: DateOrder): string {
  const [month, day] = order === 'mdy' ? [first, second] : [second, first]
  return `${year.length === 2 ? `20${year}` : year}-${two(month)}-${two(day)}`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
