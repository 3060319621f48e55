import { Temporal } from '@js-temporal/polyfill'
import { type Grain, WEEKDAYS, type Weekday } from '../contract/vocabulary.ts'

/** Dates without clocks: days, ISO weeks and months as the spec writes them (`2026-12-07`, `2026-W50`, `2026-12`). */
export type IsoDate = string
/** An instant as an ISO datetime in UTC with milliseconds. Text of this form sorts by time. */
export type Instant = string

const DAY = /^\d{4}-\d{2}-\d{2}$/
const WEEK = /^(\d{4})-W(\d{2})$/
const MONTH = /^\d{4}-\d{2}$/

export function isDate(text: string): boolean {
  return DAY.test(text) && plainDate(text) !== undefined
}

/** Whether a period's start is written in its grain's format and exists (spec, Line item: period). The weeks around it must have years of four digits. */
export function isPeriodStart(grain: Grain, start: string): boolean {
  if (start < '0001' || start >= '9999') return false
  if (grain === 'day') return isDate(start)
  if (grain === 'month') return MONTH.test(start) && isDate(`${start}-01`)
  const monday = WEEK.test(start) ? mondayOf(start) : undefined
  return monday !== undefined && weekOf(monday) === start
}

/** The Monday on which an ISO week starts. */
export function mondayOf(week: string): IsoDate {
  const [, year, number] = WEEK.exec(week) ?? []
  if (year === undefined) throw new RangeError(`${week} is not an ISO week`)
  const fourth = Temporal.PlainDate.from(`${year}-01-04`) // always in week 1
  return fourth
    .subtract({ days: fourth.dayOfWeek - 1 })
    .add({ days: (Number(number) - 1) * 7 })
    .toString()
}

/** The ISO week that a date lies in, as `YYYY-Www`. */
export function weekOf(date: IsoDate): string {
  const day = Temporal.PlainDate.from(date)
  return `${String(day.yearOfWeek).padStart(4, '0')}-W${String(day.weekOfYear).padStart(2, '0')}`
}

export function weekdayOf(date: IsoDate): Weekday {
  return WEEKDAYS[Temporal.PlainDate.from(date).dayOfWeek - 1] as Weekday
}

export function addDays(date: IsoDate, days: number): IsoDate {
  return Temporal.PlainDate.from(date).add({ days }).toString()
}

/** Whole days from one date to another; negative when `to` lies before `from`. */
export function daysBetween(from: IsoDate, to: IsoDate): number {
  return Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'days' }).days
}

/** The seven dates of an ISO week, Monday first. */
export function datesOfWeek(week: string): IsoDate[] {
  const monday = Temporal.PlainDate.from(mondayOf(week))
  return WEEKDAYS.map((_, index) => monday.add({ days: index }).toString())
}

/** Every ISO week with a day in the month (choices, Month line). */
export function weeksOfMonth(month: string): string[] {
  const first = Temporal.PlainDate.from(`${month}-01`)
  return weeksBetween(first.toString(), first.add({ months: 1 }).subtract({ days: 1 }).toString())
}

/** The ISO weeks that a period touches: a day its own, a week itself, a month all of its weeks. */
export function weeksOfPeriod(grain: Grain, start: string): string[] {
  if (grain === 'day') return [weekOf(start)]
  return grain === 'week' ? [start] : weeksOfMonth(start)
}

/** Every ISO week with a day from `start` to `end`, both included. */
export function weeksBetween(start: IsoDate, end: IsoDate): string[] {
  const first = Temporal.PlainDate.from(start)
  const monday = first.subtract({ days: first.dayOfWeek - 1 })
  // Counted, since texts of dates compare as dates up to the year 9999 only.
  const count = Math.floor(daysBetween(monday.toString(), end) / 7) + 1
  return Array.from({ length: Math.max(count, 0) }, (_, index) => weekOf(monday.add({ days: index * 7 }).toString()))
}

/** The calendar date (UTC) of an instant, an offset included. */
export function dateOf(instant: string): IsoDate {
  return new Date(instant).toISOString().split('T')[0] as IsoDate
}

export function addMinutes(instant: Instant, minutes: number): Instant {
  return new Date(Date.parse(instant) + minutes * 60_000).toISOString()
}

/** The later of now and the last stamp plus 1 ms: stamps on one order are strictly increasing (spec, head; laws of the log). */
export function stampAfter(last: Instant | null, now: Instant): Instant {
  if (last === null || now > last) return now
  return new Date(Date.parse(last) + 1).toISOString()
}

function plainDate(text: string): Temporal.PlainDate | undefined {
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' })
  } catch {
    return undefined
  }
}
