import { dateOfDay, dayOf, type IsoDate, isDate } from '../../calendar.ts'

/** A date as written: a year that is not written is absent. */
export interface WrittenDate {
  readonly year?: number | undefined
  readonly month: number
  readonly day: number
}

/** A time by its first and its last day. */
export interface Span {
  readonly first: IsoDate
  readonly last: IsoDate
}

export const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

export function monthOf(text: string): number | undefined {
  const at = MONTHS.indexOf(text.slice(0, 3).toLowerCase())
  const name = text.replace(/\.$/, '').toLowerCase()
  return at >= 0 && (name.length === 3 || (name.length === 4 && name === 'sept') || MONTH_NAMES[at] === name) ? at + 1 : undefined
}

const MONTH_NAMES = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

/** Reads a date of numbers with the month first, which is how the trade writes them, a date with a month's name, or an ISO date. */
export function writtenDate(text: string): WrittenDate | undefined {
  const plain = text
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/^(?:wk|week)\s+of\s+/i, '')
    .trim()
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(plain)
  if (iso !== null) return existing(Number(iso[2]), Number(iso[3]), Number(iso[1]))
  const numbers = /^(\d{1,2})[/.](\d{1,2})(?:[/.](\d{4}|\d{2}))?$/.exec(plain)
  // With points and no year it is a number, such as a rating.
  if (numbers !== null && numbers[3] === undefined && plain.includes('.')) return undefined
  if (numbers !== null) return existing(Number(numbers[1]), Number(numbers[2]), yearOf(numbers[3]))
  const named = /^([A-Za-z]{3,9}\.?)\s?-?\s?(\d{1,2})(?:[,/\s]+'?(\d{4}|\d{2}))?$/.exec(plain)
  const turned = named === null ? /^(\d{1,2})[\s-]([A-Za-z]{3,9})\.?(?:[\s,-]+(\d{4}|\d{2}))?$/.exec(plain) : null
  const [month, day, year] = named !== null ? [named[1], named[2], named[3]] : [turned?.[2], turned?.[1], turned?.[3]]
  const known = month === undefined ? undefined : monthOf(month)
  return known === undefined ? undefined : existing(known, Number(day), yearOf(year))
}

function existing(month: number, day: number, year: number | undefined): WrittenDate | undefined {
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined
  const date = { month, day, ...(year === undefined ? {} : { year }) }
  return isDate(isoOf(date, year ?? 2024)) ? date : undefined
}

function yearOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  return text.length === 2 ? 2000 + Number(text) : Number(text)
}

export function isoOf({ month, day }: WrittenDate, year: number): IsoDate {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** The forms of a date with a year; a word in one of them is a month, or the piece is no date: `Flight 6/30` names none. */
const YEAR_DATES = [
  /\d{4}-\d{2}-\d{2}/g,
  /(?<![\d/])\d{1,2}\/\d{1,2}\/(?:\d{4}|\d{2})(?![\d/])/g,
  /(?<![A-Za-z])[A-Za-z]{3,9}\.?\s?\d{1,2}(?:[,/]\s?(?:\d{4}|\d{2})|\s\d{4})(?![\d/])/g,
  /(?<!\d)\d{1,2}-[A-Za-z]{3,9}\.?-(?:\d{4}|\d{2})(?!\d)/g,
  /(?<!\d)\d{1,2}\s[A-Za-z]{3,9}\.?,?\s\d{4}(?!\d)/g,
]

/** Returns all dates with a year that stand in a text, in its order, such as `PERIOD FROM JUN03/30 TO JUN30/30` or `6/3/2030-8/10/2030`. */
export function yearDatesIn(text: string): IsoDate[] {
  const pieces = YEAR_DATES.flatMap((form) => [...text.matchAll(form)])
  const dated = pieces.flatMap(({ 0: piece, index }) => {
    const date = writtenDate(piece)
    return date?.year === undefined ? [] : [{ index, date: isoOf(date, date.year) }]
  })
  return dated
    .sort((one, other) => one.index - other.index)
    .map(({ date }) => date)
    .filter(isDate)
}

/** What says that a date is the first one of a week. */
export const WEEK_OF = /\b(?:week|wk)\.? (?:of|beginning|commencing|starting|start)\b|\bw\/[cob]\b/i

/** Returns the flight that a text states: its first two dates that span a time, of which the first may take its year from the second. */
export function spanIn(text: string): Span | undefined {
  const dates = yearDatesIn(text)
  const [first, last] = dates
  if (first !== undefined && last !== undefined && first <= last) return { first, last }
  const loose =
    /(?<![\d/])(\d{1,2}\/\d{1,2}|(?<![A-Za-z])[A-Za-z]{3,9}\.?\s?\d{1,2})\s?(?:-|–|to|thru|through)\s?(\d{1,2}\/\d{1,2}\/(?:\d{4}|\d{2})|[A-Za-z]{3,9}\.?\s?\d{1,2},\s?\d{4})/i.exec(
      text,
    )
  const [from, to] = [writtenDate(loose?.[1] ?? ''), writtenDate(loose?.[2] ?? '')]
  if (from === undefined || to?.year === undefined) return undefined
  const end = isoOf(to, to.year)
  const start = [to.year, to.year - 1].map((year) => isoOf(from, year)).find((date) => isDate(date) && date <= end)
  return start === undefined ? undefined : { first: start, last: end }
}

export function weekdayIndex(date: IsoDate): number {
  return (((dayOf(date) + 3) % 7) + 7) % 7
}

export function mondayBefore(date: IsoDate): IsoDate {
  return dateOfDay(dayOf(date) - weekdayIndex(date))
}
