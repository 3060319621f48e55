import { dayOf } from '../../calendar.ts'
import { isoOf, type WrittenDate, writtenDate } from '../values/dates.ts'

export interface HeadingDate {
  readonly date?: WrittenDate | undefined
  /** The date with the day before the month. */
  readonly turned?: WrittenDate | undefined
}

/** What may stand before the date of a week: `Wk of`, `Wk 2`, `w/c`, `Mon`. */
const PREFIX =
  /^(?:w\/?[cob]|(?:wk|week)\.?\s?\d{0,2})[:.]?\s+(?:(?:of|beginning|commencing|starting)\s+)?(?=\S)|^(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)(?:day)?[.,]?\s+(?=\S*\d)|^(?:m|tu?|w|th?|r|f|sa?|su?|u)\s+(?=\d{1,2}\/\d)/i

/** Returns the first day of a range that is a week, such as `6/3-6/9` or `Jun 3-9`; any other text as it is. */
function startOf(text: string): string {
  const [, from, to] = /^(\S{1,5}(?: \d{1,2})?)\s?[-–]\s?(\S+(?: \d{1,2})?)$/.exec(text.trim()) ?? []
  const start = from === undefined ? undefined : writtenDate(from)
  if (start === undefined || from === undefined || to === undefined) return text
  const end = writtenDate(to) ?? (/^\d{1,2}$/.test(to) ? { month: start.month, day: Number(to) } : undefined)
  if (end === undefined) return text
  const days = dayOf(isoOf(end, COMMON)) - dayOf(isoOf(start, COMMON))
  return days === 6 || days === 4 || days === 6 - YEAR || days === 4 - YEAR ? from : text
}

/** A year without February 29: a week over that day is asked. */
const COMMON = 2029
const YEAR = 365

/** Returns the readings of a date: with the month first, as the trade writes it, or with the day first. */
export function dateIn(text: string): HeadingDate | undefined {
  const plain = startOf(text.replace(PREFIX, ''))
  const date = writtenDate(plain)
  const turned = writtenDate(plain.replace(/^(\[?)(\d{1,2})([/.])(\d{1,2})(?!\d)/, '$1$4$3$2'))
  return date === undefined && turned === undefined ? undefined : { date, turned }
}
