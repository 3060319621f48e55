import type { Period } from '../../contract/scalars.ts'
import type { Grain } from '../../contract/vocabulary.ts'
import { addDays, datesOfPeriod, type IsoDate, isDate, isPeriodStart, weekdayOf, weekOf } from '../calendar.ts'

/**
 * The date from which a date without a year is resolved: the first such date on or after it. Called only for such dates, so the caller learns
 * whether the reading depends on it.
 */
export type Anchor = () => IsoDate

/**
 * The order of day and month in dates of numbers. `13/02` and `03/02` of one document are written by one hand, so the order is that of all of
 * them. `each`: month first unless that is impossible, for a date that stands alone.
 */
export type DateOrder = 'month first' | 'day first' | 'each'

/** Settings for dates without a year or of numbers alone. */
export interface DateContext {
  readonly anchor: Anchor
  readonly order?: DateOrder | undefined
}

/** Further settings for single dates. */
export interface PeriodContext extends DateContext {
  /** The grain that a single date means; if omitted, day. */
  readonly grain?: Grain | undefined
}

/**
 * Parses a period as buysheets write it: an ISO day, week or month, an American date (month first unless that is impossible), the name of a
 * month, a week number, or a range of two dates that is a whole week or month. Undefined for anything else.
 */
export function readPeriod(text: string, { grain, ...dates }: PeriodContext): Period | undefined {
  const { anchor } = dates
  if (text.length > PERIOD_CHARACTERS) return undefined
  const whole = readWeek(text.trim(), anchor) ?? readMonth(text.trim(), anchor)
  if (whole !== undefined) return whole
  const words = datesIn(text)
  const weekly = WEEK_OF.test(text.trim())
  const range = sidesOf(words)
  if (range !== undefined) return readRange(...range, dates)
  const date = readDate(words, dates)
  return date === undefined ? undefined : periodOfDate(date, grain ?? (weekly ? 'week' : 'day'))
}

const PERIOD_CHARACTERS = 80

function datesIn(text: string): string {
  return text
    .trim()
    .replace(WEEK_OF, '')
    .replace(/(\d)(st|nd|rd|th)\b/gi, '$1')
}

/** Tells the order of the dates of numbers in a period: `13/02` has the day first, `02/13` the month, and `03/02` may have `either`. */
export function ordersIn(text: string): ('month first' | 'day first' | 'either')[] {
  if (text.length > PERIOD_CHARACTERS) return []
  const words = datesIn(text)
  return (sidesOf(words) ?? [words]).flatMap((side) => {
    const numbers = NUMBERS.exec(withoutWeekday(side))
    const [first, second] = [Number(numbers?.[1]), Number(numbers?.[2])]
    if (numbers === null || Math.min(first, second) > 12 || first === second) return []
    if (first > 12) return ['day first']
    return second > 12 ? ['month first'] : ['either']
  })
}

const WEEK_OF = /^(?:w\/?[co]|(?:week|wk)\.?(?:\s+(?:of|beginning|commencing|starting))?)[:.]?\s+(?=\S*\d|[a-z]{3})/i

/** Splits a range at its first separator that has text on both sides. */
function sidesOf(words: string): [from: string, to: string] | undefined {
  for (const { 0: separator, index } of words.matchAll(/\s[-–—]\s|[–—]|\b(?:to|thru|through)\b|(?<=\/\d{1,4})-(?=\d{1,4}\/)/gi)) {
    const [from, to] = [words.slice(0, index).trim(), words.slice(index + separator.length).trim()]
    if (from !== '' && to !== '') return [from, to]
  }
  return undefined
}

/** Returns the day, week or month of a date. */
export function periodOfDate(date: IsoDate, grain: Grain): Period {
  if (grain === 'day') return { grain, start: date }
  return grain === 'week' ? { grain, start: weekOf(date) } : { grain, start: date.slice(0, 7) }
}

/** Returns the period that two dates bound: a day, a week (Monday to Sunday or to Friday) or a calendar month. */
export function periodOfRange(start: IsoDate, end: IsoDate): Period | undefined {
  if (start === end) return { grain: 'day', start }
  if (weekdayOf(start) === 'Mon' && (end === addDays(start, 6) || end === addDays(start, 4))) return { grain: 'week', start: weekOf(start) }
  const { first, last } = datesOfPeriod('month', start.slice(0, 7))
  return start === first && end === last ? { grain: 'month', start: start.slice(0, 7) } : undefined
}

function readRange(from: string, to: string, { anchor, order }: DateContext): Period | undefined {
  // In `Jun 3 - 9` and `6/3 - 6/9/2030` one side supplies the month or the year for the other.
  const year = /\b(\d{4})\b/.exec(to)?.[1]
  const start = readDate(from, { anchor, order }) ?? (year === undefined ? undefined : readDate(`${from} ${year}`, { anchor, order }))
  const month = /^[A-Za-z]+/.exec(from.trim())?.[0]
  const after = { anchor: start === undefined ? anchor : () => start, order }
  const end = readDate(to, after) ?? (month === undefined ? undefined : readDate(`${month} ${to}`, after))
  if (start === undefined || end === undefined) return undefined
  return periodOfRange(year !== undefined && !/\d{4}/.test(from) ? `${year}${start.slice(4)}` : start, end)
}

function readWeek(text: string, anchor: Anchor): Period | undefined {
  const iso = /^(\d{4})[- ]?W(\d{2})$/i.exec(text)
  if (iso !== null) return existing('week', `${iso[1]}-W${iso[2]}`)
  const number = /^(?:w|wk|week)\.?\s?(\d{1,2})(?:[\s/,]+(\d{4}))?$/i.exec(text)
  if (number === null) return undefined
  const inYear = (year: string) => existing('week', `${year}-W${(number[1] ?? '').padStart(2, '0')}`)
  if (number[2] !== undefined) return inYear(number[2])
  const here = weekOf(anchor())
  const year = Number(here.slice(0, 4))
  const first = inYear(String(year))
  return first !== undefined && first.start >= here ? first : inYear(String(year + 1))
}

function readMonth(text: string, anchor: Anchor): Period | undefined {
  const iso = /^(\d{4})-(\d{2})$/.exec(text)
  if (iso !== null) return existing('month', text)
  const named = /^([A-Za-z]{3,9})\.?[\s,-]*(?:(\d{4})|'(\d{2}))?$/.exec(text)
  const month = monthOf(named?.[1] ?? '')
  if (named === null || month === undefined) return undefined
  const year = named[2] ?? (named[3] === undefined ? undefined : `20${named[3]}`)
  if (year !== undefined) return existing('month', `${year}-${month}`)
  const from = anchor()
  const here = from.slice(0, 4)
  return existing('month', `${here}-${month}` >= from.slice(0, 7) ? `${here}-${month}` : `${Number(here) + 1}-${month}`)
}

function existing(grain: Grain, start: string): Period | undefined {
  return isPeriodStart(grain, start) ? ({ grain, start } as Period) : undefined
}

/** Parses a date with or without a year and a weekday. */
export function readDate(text: string, { anchor, order = 'each' }: DateContext): IsoDate | undefined {
  const words = withoutWeekday(text)
  const iso = /^(\d{4}-\d{2}-\d{2})(?:T[\d:.]+Z?)?$/.exec(words)
  if (iso !== null) return dateIn(iso[1] ?? '')
  const numbers = NUMBERS.exec(words)
  if (numbers !== null) {
    const [, first = '', second = '', year] = numbers
    const isDayFirst = order === 'each' ? Number(first) > 12 : order === 'day first'
    return isDayFirst ? dated(second, first, year, anchor) : dated(first, second, year, anchor)
  }
  const monthFirst = /^([A-Za-z]{3,9})\.?[\s-]*(\d{1,2})(?:(?:[\s,-]+|, ?)'?(\d{4}|\d{2}))?$/.exec(words)
  if (monthFirst !== null) return dated(monthOf(monthFirst[1] ?? ''), monthFirst[2] ?? '', monthFirst[3], anchor)
  const dayFirst = /^(\d{1,2})[\s-]*([A-Za-z]{3,9})\.?(?:[\s,-]+'?(\d{4}|\d{2}))?$/.exec(words)
  return dayFirst === null ? undefined : dated(monthOf(dayFirst[2] ?? ''), dayFirst[1] ?? '', dayFirst[3], anchor)
}

const NUMBERS = /^(\d{1,2})[/.-](\d{1,2})(?:[/.-](\d{4}|\d{2}))?$/

function withoutWeekday(text: string): string {
  return text.trim().replace(/^(mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)[a-z]*[.,]?\s+/i, '')
}

function dated(month: string | undefined, day: string, year: string | undefined, anchor: Anchor): IsoDate | undefined {
  if (month === undefined) return undefined
  const rest = `${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  if (year !== undefined) return dateIn(`${year.length === 2 ? `20${year}` : year}-${rest}`)
  const from = anchor()
  const here = Number(from.slice(0, 4))
  // Looks up to eight years ahead, to find February 29.
  for (let at = here; at <= here + 8; at += 1) {
    const date = dateIn(`${at}-${rest}`)
    if (date !== undefined && date >= from) return date
  }
  return undefined
}

function dateIn(date: string): IsoDate | undefined {
  return isDate(date) && isPeriodStart('day', date) ? date : undefined
}

const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december']

function monthOf(word: string): string | undefined {
  const at = MONTHS.findIndex((month) => month.startsWith(word.toLowerCase()) || (word.toLowerCase() === 'sept' && month === 'september'))
  return word.length < 3 || at < 0 ? undefined : String(at + 1).padStart(2, '0')
}
