import type { Grain } from '../../../contract/vocabulary.ts'
import { dayOf, type IsoDate, isDate } from '../../calendar.ts'
import { daysOf } from '../values/airtime.ts'
import { isoOf, mondayBefore, monthOf, type WrittenDate, weekdayIndex, writtenDate } from '../values/dates.ts'
import type { Heading } from './compose.ts'

/** What a document states of its time. */
export interface Calendar {
  /** The spans that it states, the one of the whole order first. */
  readonly spans: readonly { readonly first: IsoDate; readonly last: IsoDate }[]
  /** Returns the date near which a document without any year is read; called only if the reading depends on it. */
  readonly anchor: () => IsoDate
}

export interface DatedColumn {
  readonly grain: Extract<Grain, 'week' | 'day'>
  /** The Monday of a week, or a day. */
  readonly start: IsoDate
}

/** The dates of a table's columns, or why the columns that name dates cannot be read. `year` asks for a year that is printed nowhere. */
export type DatedColumns =
  | { readonly columns: ReadonlyMap<number, DatedColumn>; readonly counted?: boolean }
  | { readonly fault: 'year' | 'dates'; readonly message: string; readonly at: readonly number[] }

/** Returns the positions of the columns whose headings name a date. */
export function datedHeadings(headings: readonly Heading[]): number[] {
  return headings.flatMap((heading, at) => (partsOf(heading) === undefined ? [] : [at]))
}

/**
 * Reads the headings that name dates as one sequence: all are days, or all Mondays of weeks. The year is the one of the stated flight, in which
 * the weekdays have to be those that the sequence needs. The sequence is read whole or not at all, so that one heading that is wrong stops it.
 */
export function datesOf(headings: readonly Heading[], calendar: Calendar): DatedColumns {
  const at = datedHeadings(headings)
  const parts = at.map((column) => partsOf(headings[column] as Heading) as Parts)
  const written = withMonths(parts, headings, calendar)
  if (written === undefined) return { fault: 'dates', message: 'The headings of days do not say which month they are of.', at }
  const dated = yearsOf(written, calendar)
  if (dated === undefined) return { fault: 'year', message: 'The document prints no year for its dates.', at }
  const { dates, counted } = dated
  const columns = graded(dates, parts, calendar)
  if (columns === undefined)
    return { fault: 'dates', message: 'The headings of dates are not one sequence of weeks or days within the flight.', at }
  return { columns: new Map(at.map((column, index) => [column, columns[index] as DatedColumn])), counted }
}

interface Parts {
  readonly date?: WrittenDate | undefined
  /** The day of a month that stands below a month or a weekday. */
  readonly day?: number | undefined
  readonly month?: number | undefined
  /** The weekdays that a letter may mean. */
  readonly weekday?: number | undefined
}

/** Returns the parts of a date that a heading names: `6/3`, `3-Jun`, `[6/3]`, `JUN` over `03`, `W` over `5`; of a start over an end, the start. */
function partsOf({ tokens, groups, named }: Heading): Parts | undefined {
  if (named !== undefined && named.role !== 'row') return undefined
  const texts = tokens.map(({ text }) => text)
  // Words below a date are the heading; the date above them is of the head of the page.
  const bottom = texts.at(-1) ?? ''
  if (writtenDate(bottom) === undefined && !/^\d{1,2}$/.test(bottom) && !(texts.length === 2 && daysOf(bottom)?.length === 1))
    return undefined
  if (texts.some((text) => /^((start|end|from|to) )?date$|^(start|end)$/i.test(text))) return undefined
  for (const text of texts) {
    const date = writtenDate(text)
    if (date !== undefined) return { date }
  }
  const day = texts.findLast((text) => /^\d{1,2}$/.test(text))
  const months = [...texts, ...groups.map(({ text }) => text)].flatMap((text) => monthOf(text) ?? [])
  const weekday = texts.flatMap((text) => (text.length <= 3 ? (daysOf(text) ?? []) : []))
  if (day === undefined || (months.length === 0 && weekday.length !== 1)) return undefined
  const letter = texts.find((text) => daysOf(text)?.length === 1)
  return { day: Number(day), month: months[0], weekday: letter === undefined ? undefined : letterIndex(letter) }
}

/** A letter that may be two days, such as T or S, fits either. */
function letterIndex(letter: string): number | undefined {
  const index = ['m', 'tu', 'w', 'th', 'f', 'sa', 'su'].indexOf(letter.toLowerCase().slice(0, 2))
  if (index >= 0) return index
  return { r: 3, u: 6 }[letter.toLowerCase()]
}

/** Completes days with their month: the one over them, or the last one to their left; a day that is not after the one before begins the next month. */
function withMonths(parts: readonly Parts[], headings: readonly Heading[], { spans }: Calendar): WrittenDate[] | undefined {
  const dates: WrittenDate[] = []
  const isDays = parts.some(({ date }) => date === undefined)
  // A month that stands once over the middle of its days holds for those to its left as well.
  const first = parts.findIndex(({ month }) => month !== undefined)
  let month = parts.every((part) => part.month !== undefined) ? undefined : first < 0 ? firstMonth(headings, spans) : parts[first]?.month
  for (const part of parts) {
    if (part.date !== undefined) {
      if (isDays) return undefined
      dates.push(part.date)
      continue
    }
    const before = dates.at(-1)
    if (
      part.month !== undefined &&
      (parts.every((each) => each.month !== undefined) || before === undefined || (part.day ?? 0) <= before.day)
    )
      month = part.month
    else if (before !== undefined && (part.day ?? 0) <= before.day) month = ((month ?? 0) % 12) + 1
    if (month === undefined || part.day === undefined || part.day < 1 || part.day > 31) return undefined
    dates.push({ month, day: part.day })
  }
  return dates
}

/** The month of days below a title such as `Jun/Jul`, or of the flight. */
function firstMonth(headings: readonly Heading[], spans: Calendar['spans']): number | undefined {
  const title = headings
    .flatMap(({ groups, tokens }) => [...groups, ...tokens])
    .find(({ text }) => /^[A-Za-z]{3,9}\/[A-Za-z]{3,9}$/.test(text))
  const named = title === undefined ? undefined : monthOf(title.text.split('/')[0] ?? '')
  return named ?? (spans[0] === undefined ? undefined : Number(spans[0].first.slice(5, 7)))
}

/** Gives each date the year in which it stands within the flight; without a printed year, the one near the anchor in which Mondays are Mondays. */
function yearsOf(written: readonly WrittenDate[], { spans, anchor }: Calendar): { dates: IsoDate[]; counted: boolean } | undefined {
  if (written.every(({ year }) => year !== undefined))
    return { dates: written.map((date) => isoOf(date, date.year as number)), counted: false }
  for (const { first, last } of spans) {
    const from = mondayBefore(first)
    const years = [...new Set([first, last].map((date) => Number(date.slice(0, 4))))]
    const dates = written.map((date) =>
      years.map((year) => isoOf(date, date.year ?? year)).find((day) => isDate(day) && day >= from && day <= last),
    )
    if (dates.every((date) => date !== undefined)) return { dates, counted: false }
  }
  if (spans.length > 0) return undefined
  const from = anchor()
  const near = Number(from.slice(0, 4))
  const fitting = [near - 1, near, near + 1]
    .map((year) => ascending(written, year))
    .filter((dates) => {
      const [first] = dates
      return (
        first !== undefined &&
        dates.every(isDate) &&
        Math.abs(dayOf(first) - dayOf(from)) <= HALF_YEAR &&
        dates.every((date) => weekdayIndex(date) === 0)
      )
    })
  return fitting.length === 1 && fitting[0] !== undefined && written.length > 1 ? { dates: fitting[0], counted: true } : undefined
}

/** The most days between an upload and the first week of an order that prints no year. */
const HALF_YEAR = 250

function ascending(written: readonly WrittenDate[], first: number): IsoDate[] {
  let year = first
  return written.map((date, index) => {
    const before = written[index - 1]
    if (before !== undefined && date.month < before.month - 6) year += 1
    return isoOf(date, date.year ?? year)
  })
}

/** Returns the weeks or days of a sequence: Mondays are weeks, of which the first may begin with the flight; dates less than a week apart are days. */
function graded(dates: readonly IsoDate[], parts: readonly Parts[], { spans }: Calendar): DatedColumn[] | undefined {
  if (!dates.every(isDate) || new Set(dates).size !== dates.length) return undefined
  const lettered = parts.some(({ weekday }) => weekday !== undefined)
  const isRight = dates.every((date, index) => [undefined, weekdayIndex(date)].includes(parts[index]?.weekday))
  if (!isRight) return undefined
  const sorted = [...dates].sort()
  const gaps = sorted.slice(1).map((date, index) => dayOf(date) - dayOf(sorted[index] as IsoDate))
  if (lettered || (gaps.length > 0 && gaps.every((gap) => gap < 7))) {
    const isAscending = dates.every((date, index) => index === 0 || date > (dates[index - 1] as IsoDate))
    return isAscending ? dates.map((start) => ({ grain: 'day', start })) : undefined
  }
  const weeks = dates.map((date) => mondayBefore(date))
  const isWeeks = dates.every((date) => weekdayIndex(date) === 0 || (date === sorted[0] && spans.some(({ first }) => first === date)))
  return isWeeks && new Set(weeks).size === weeks.length ? weeks.map((start) => ({ grain: 'week', start })) : undefined
}
