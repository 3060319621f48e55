import { type Grain, WEEKDAYS, type Weekday } from '../contract/vocabulary.ts'
import { memoized } from './memoized.ts'

/** A calendar date. Days, ISO weeks and months are text in the forms of the contract (`2026-12-07`, `2026-W50`, `2026-12`). */
export type IsoDate = string
/** An instant as an ISO datetime in UTC with milliseconds. Text of this form sorts by time. */
export type Instant = string

const DAY = /^\d{4}-\d{2}-\d{2}$/
const WEEK = /^(\d{4})-W(\d{2})$/
const MONTH = /^\d{4}-\d{2}$/
const DAY_MS = 86_400_000

export function isDate(text: string): boolean {
  if (!DAY.test(text)) return false
  const day = dayOf(text)
  // A day that does not exist is read as one of the next month.
  return !Number.isNaN(day) && dateOfDay(day) === text
}

/** Returns true if a period's start has its grain's format and exists (contract, Line item: period). Neighboring weeks need four-digit years. */
export function isPeriodStart(grain: Grain, start: string): boolean {
  if (start < '0001' || start >= '9999') return false
  if (grain === 'day') return isDate(start)
  if (grain === 'month') return MONTH.test(start) && isDate(`${start}-01`)
  const monday = WEEK.test(start) ? mondayOf(start) : undefined
  return monday !== undefined && weekOf(monday) === start
}

/** Returns the Monday of an ISO week. Errors: RangeError. */
export function mondayOf(week: string): IsoDate {
  const [, year, number] = WEEK.exec(week) ?? []
  if (year === undefined) throw new RangeError(`${week} is not an ISO week`)
  return dateOfDay(mondayBefore(dayOf(`${year}-01-04`)) + (Number(number) - 1) * 7) // January 4 is always in week 1
}

/** Returns the ISO week of a date as `YYYY-Www`. The year is the one that contains the week's Thursday. */
export const weekOf = memoized((date: IsoDate): string => {
  const thursday = mondayBefore(dayOf(date)) + 3
  const text = dateOfDay(thursday)
  const year = text.slice(0, text.indexOf('-', 1))
  const number = Math.floor((thursday - dayOf(`${year}-01-01`)) / 7) + 1
  return `${year}-W${String(number).padStart(2, '0')}`
})

export function weekdayOf(date: IsoDate): Weekday {
  const day = dayOf(date)
  return WEEKDAYS[day - mondayBefore(day)] as Weekday
}

export function addDays(date: IsoDate, days: number): IsoDate {
  return dateOfDay(dayOf(date) + days)
}

/** Returns the days from one date to another; negative if `to` is before `from`. */
export function daysBetween(from: IsoDate, to: IsoDate): number {
  return dayOf(to) - dayOf(from)
}

/** Returns the seven dates of an ISO week, Monday first. */
export function datesOfWeek(week: string): IsoDate[] {
  const monday = dayOf(mondayOf(week))
  return WEEKDAYS.map((_, index) => dateOfDay(monday + index))
}

/** Returns the month so many months after a month, as `YYYY-MM`. */
export function addMonths(month: string, months: number): string {
  const first = new Date(`${month}-01`)
  first.setUTCMonth(first.getUTCMonth() + months)
  return dateText(first).slice(0, -3)
}

/** Returns every ISO week with a day in the month (choices, Month line). */
export function weeksOfMonth(month: string): string[] {
  return weeksBetween(`${month}-01`, lastOfMonth(month))
}

function lastOfMonth(month: string): IsoDate {
  const last = new Date(`${month}-01`)
  last.setUTCMonth(last.getUTCMonth() + 1, 0)
  return dateOf(last.toISOString())
}

/** Returns the ISO weeks that a period touches. */
export function weeksOfPeriod(grain: Grain, start: string): string[] {
  if (grain === 'day') return [weekOf(start)]
  return grain === 'week' ? [start] : weeksOfMonth(start)
}

/** Returns the first and the last date of a period. For a month these are its calendar dates. */
export function datesOfPeriod(grain: Grain, start: string): { first: IsoDate; last: IsoDate } {
  if (grain === 'day') return { first: start, last: start }
  if (grain === 'month') return { first: `${start}-01`, last: lastOfMonth(start) }
  const first = mondayOf(start)
  return { first, last: addDays(first, 6) }
}

/** Returns every ISO week with a day from `start` to `end`, both included. */
export function weeksBetween(start: IsoDate, end: IsoDate): string[] {
  const weeks: string[] = []
  for (let monday = mondayBefore(dayOf(start)); monday <= dayOf(end); monday += 7) weeks.push(weekOf(dateOfDay(monday)))
  return weeks
}

/** Returns the Monday of the week of a date. */
export function mondayOfDate(date: IsoDate): IsoDate {
  return dateOfDay(mondayBefore(dayOf(date)))
}

/** Returns the broadcast month of a date as `YYYY-MM`: the calendar month of its week's Sunday (choices, Broadcast month). */
export function broadcastMonthOf(date: IsoDate): string {
  return dateOfDay(mondayBefore(dayOf(date)) + 6).slice(0, -3)
}

/** Returns the UTC date of an instant, which may have an offset. */
export function dateOf(instant: string): IsoDate {
  return dateText(new Date(instant))
}

/** Returns the date of an instant in a time zone of the IANA database; in UTC if there is none. */
export function localDate(instant: string, timezone: string | undefined): IsoDate {
  return timezone === undefined ? dateOf(instant) : dateIn(timezone).format(new Date(instant))
}

/** Returns a format of dates in a zone as `YYYY-MM-DD`, the form of Canadian English. */
const dateIn = memoized(
  (timezone: string) => new Intl.DateTimeFormat('en-CA', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' }),
)

export function addMinutes(instant: Instant, minutes: number): Instant {
  return new Date(Date.parse(instant) + minutes * 60_000).toISOString()
}

/** Returns the later of now and the last stamp plus 1 ms. Stamps of one order strictly increase (contract, Time and text; architecture, Rising stamps). */
export function stampAfter(last: Instant | null, now: Instant): Instant {
  if (last === null || now > last) return now
  return new Date(Date.parse(last) + 1).toISOString()
}

/**
 * Returns the days since 1970-01-01, a Thursday; NaN for no date. Week arithmetic on day numbers is a hundred times faster than in the calendar
 * library; and the few dates that orders are about recur, so most are read and written from memory.
 */
export const dayOf = memoized((date: IsoDate): number => Date.parse(date) / DAY_MS)

/** Returns the date of a number of days since 1970-01-01. Errors: RangeError. */
export const dateOfDay = memoized((day: number): IsoDate => dateText(new Date(day * DAY_MS)))

function dateText(instant: Date): IsoDate {
  const text = instant.toISOString()
  return text.slice(0, text.indexOf('T'))
}

function mondayBefore(day: number): number {
  return Math.floor((day + 3) / 7) * 7 - 3
}
