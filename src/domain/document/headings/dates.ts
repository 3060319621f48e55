import type { Grain } from '../../../contract/vocabulary.ts'
import { dayOf, type IsoDate, isDate, mondayOf } from '../../calendar.ts'
import { readPeriod } from '../readPeriod.ts'
import { isoOf, mondayBefore, monthOf, type Span, type WrittenDate, weekdayIndex } from '../values/dates.ts'
import type { Heading } from './compose.ts'
import { datedHeadings, dayAlone, type Parts, partsOf } from './parts.ts'
import { isList } from './vocabulary.ts'
import { weeksNumbered } from './weekNumbers.ts'

/** What a document states of its time. */
export interface Calendar {
  /** The spans that it states, the one of the whole order first. */
  readonly spans: readonly Span[]
  /** Returns the date near which a document without any year is read; called only if the reading depends on it. */
  readonly anchor: () => IsoDate
}

export interface DatedColumn {
  readonly grain: Extract<Grain, 'week' | 'day' | 'month'>
  /** The Monday of a week, a day, or a month as `2030-06`. */
  readonly start: IsoDate
}

/** The dates of a table's columns, or why the columns that name dates cannot be read. `year` asks for a year that is printed nowhere. */
export type DatedColumns =
  | { readonly columns: ReadonlyMap<number, DatedColumn>; readonly counted?: boolean }
  | { readonly fault: 'year' | 'dates'; readonly message: string; readonly at: readonly number[] }

/**
 * Reads the headings that name dates as one sequence: all are days, or all Mondays of weeks. The year is the one of the stated flight, in which
 * the weekdays have to be those that the sequence needs. The sequence is read whole or not at all, so that one heading that is wrong stops it.
 */
export function datesOf(headings: readonly Heading[], calendar: Calendar): DatedColumns {
  const at = datedHeadings(headings)
  const parts = at.map((column): Parts => partsOf(headings[column] as Heading) ?? { day: dayAlone(headings[column] as Heading) })
  const whole = wholePeriods(parts, calendar)
  if (whole !== undefined)
    return { columns: new Map(at.map((column, index) => [column, whole.columns[index] as DatedColumn])), counted: whole.counted }
  if (parts.length > 0 && parts.every(({ number }) => number !== undefined)) return numberedColumns(at, parts, calendar)
  const first = readSequence(parts, headings, calendar)
  if ('columns' in first) return placedAt(at, first)
  // Day and month stand in one order in all headings; the one in which they are a sequence is it.
  const turned = parts.map((part): Parts => ({ ...part, date: part.turned }))
  const other = parts.every(({ turned: own }) => own !== undefined) ? readSequence(turned, headings, calendar) : first
  return 'columns' in other ? placedAt(at, other) : { ...first, at }
}

/** Reads headings of which each names a week by its number alone: they ascend, and the flight says which weeks they are. */
function numberedColumns(at: readonly number[], parts: readonly Parts[], { spans: [flight] }: Calendar): DatedColumns {
  const numbers = parts.flatMap(({ number }) => number ?? [])
  const starts = flight === undefined ? undefined : weeksNumbered(numbers, flight)
  const isAscending = starts?.every((start, index) => index === 0 || start > (starts[index - 1] as IsoDate)) === true
  if (starts === undefined || !isAscending)
    return { fault: 'dates', message: 'The headings number weeks, and no flight says which they are.', at }
  return { columns: new Map(at.map((column, index) => [column, { grain: 'week', start: starts[index] as IsoDate }])) }
}

function placedAt(at: readonly number[], { columns, counted }: { columns: readonly DatedColumn[]; counted: boolean }): DatedColumns {
  return { columns: new Map(at.map((column, index) => [column, columns[index] as DatedColumn])), counted }
}

type Sequence =
  | { readonly columns: readonly DatedColumn[]; readonly counted: boolean }
  | { readonly fault: 'year' | 'dates'; readonly message: string }

function readSequence(parts: readonly Parts[], headings: readonly Heading[], calendar: Calendar): Sequence {
  const written = withMonths(parts, headings, calendar)
  if (written === undefined) return { fault: 'dates', message: 'The headings of days do not say which month they are of.' }
  const dated = yearsOf(written, calendar) ?? (isList({ headings }) ? fromAnchor(written, calendar) : undefined)
  if (dated === undefined && calendar.spans.length > 0)
    return { fault: 'dates', message: 'The dates of the headings are not within the flight that the document states.' }
  if (dated === undefined) return { fault: 'year', message: 'The document prints no year for its dates.' }
  const { dates, counted } = dated
  const columns = graded(dates, parts, calendar)
  if (columns === undefined)
    return { fault: 'dates', message: 'The headings of dates are not one sequence of weeks or days within the flight.' }
  return { columns, counted }
}

/** Reads headings of which each names a week by its number or a month; a month without a year is of the flight. */
function wholePeriods(parts: readonly Parts[], { spans, anchor }: Calendar): { columns: DatedColumn[]; counted: boolean } | undefined {
  let counted = false
  const from = () => {
    counted = true
    return spans[0]?.first ?? anchor()
  }
  const columns = parts.map(({ whole }): DatedColumn | undefined => {
    const period = whole === undefined ? undefined : readPeriod(whole, { anchor: from })
    if (period === undefined || period.grain === 'day') return undefined
    return period.grain === 'week' ? { grain: 'week', start: mondayOf(period.start) } : { grain: 'month', start: period.start }
  })
  const starts = columns.map((column) => column?.start ?? '')
  const isSequence = starts.every((start, index) => start !== '' && (index === 0 || start > (starts[index - 1] ?? '')))
  const isOneGrain = new Set(columns.map((column) => column?.grain)).size === 1
  return isSequence && isOneGrain ? { columns: columns as DatedColumn[], counted: counted && spans.length === 0 } : undefined
}

/** Completes days with their month: the one over them, or the last one to their left; a day that is not after the one before begins the next month. */
function withMonths(parts: readonly Parts[], headings: readonly Heading[], { spans }: Calendar): WrittenDate[] | undefined {
  const dates: WrittenDate[] = []
  const isDays = parts.some(({ date }) => date === undefined)
  if (isDays && parts.some(({ date, turned }) => date !== undefined || turned !== undefined)) return undefined
  // A month that stands once over the middle of its days holds for those to its left as well.
  const first = parts.findIndex(({ month }) => month !== undefined)
  let month = parts.every((part) => part.month !== undefined) ? undefined : first < 0 ? firstMonth(headings, spans) : parts[first]?.month
  for (const [at, part] of parts.entries()) {
    const next = parts[at + 1]
    // A broadcast month begins with the week that has its first day, and so with a day of the month before.
    const isOfMonthBefore = part.month !== undefined && next?.month === part.month && (next.day ?? 0) < (part.day ?? 0)
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
    const own = isOfMonthBefore ? ((month + 10) % 12) + 1 : month
    dates.push({ month: own, day: part.day, ...(part.year === undefined ? {} : { year: part.year }) })
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
        dayOf(first) - dayOf(from) <= HALF_YEAR &&
        dayOf(from) - dayOf(first) <= LATE &&
        dates.every((date) => weekdayIndex(date) === 0)
      )
    })
  return fitting.length === 1 && fitting[0] !== undefined && written.length > 1 ? { dates: fitting[0], counted: true } : undefined
}

/** In a list, dates without a year are the first such ones from the anchor on: the start of the order's flight, or the upload. */
function fromAnchor(written: readonly WrittenDate[], { spans, anchor }: Calendar): { dates: IsoDate[]; counted: boolean } | undefined {
  const [first] = written
  if (spans.length > 0 || first === undefined || written.length < 2) return undefined
  const from = anchor()
  const near = Number(from.slice(0, 4))
  const year = isoOf(first, near) >= from ? near : near + 1
  return { dates: ascending(written, year), counted: true }
}

/** Returns the years near the anchor in which the dates of headings are Mondays. */
export function yearsFor(headings: readonly Heading[], calendar: Calendar): number[] {
  const near = Number(calendar.anchor().slice(0, 4))
  return [near - 1, near, near + 1].filter((year) => {
    const span = { first: `${year}-01-01`, last: `${year}-12-31` }
    const dated = datesOf(headings, { ...calendar, spans: [span] })
    return 'columns' in dated && [...dated.columns.values()].every(({ grain }) => grain === 'week')
  })
}

/** The most days between an upload and the first week of an order that prints no year. */
const HALF_YEAR = 250
/** The most days by which such an order is uploaded after its first week. */
const LATE = 100

/** Returns the dates from a year on, of which the next one begins where the months begin anew. */
export function ascending(written: readonly WrittenDate[], first: number): IsoDate[] {
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
  // Days that are not named as such follow each other; the first week may begin with the flight, a few days before the next Monday.
  if (lettered || (gaps.length > 0 && gaps.every((gap) => gap === 1))) {
    const isAscending = dates.every((date, index) => index === 0 || date > (dates[index - 1] as IsoDate))
    return isAscending ? dates.map((start) => ({ grain: 'day', start })) : undefined
  }
  const weeks = dates.map((date) => mondayBefore(date))
  const isWeeks = dates.every((date) => weekdayIndex(date) === 0 || (date === sorted[0] && spans.some(({ first }) => first === date)))
  return isWeeks && new Set(weeks).size === weeks.length ? weeks.map((start) => ({ grain: 'week', start })) : undefined
}
