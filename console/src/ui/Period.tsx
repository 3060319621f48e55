import type { components } from '../api/schema.d.ts'
import classes from './figures.module.css'

type PeriodValue = components['schemas']['PeriodOutput']

/** Shows a period with its ISO form first: `2027-W06 Feb 8-14`, `2027-02-08 Mon`, `2027-02 February`. */
export function Period({ period }: { period: PeriodValue }) {
  return (
    <span className={classes.figure}>
      {period.start} <span className={classes.dimmed}>{periodGloss(period)}</span>
    </span>
  )
}

/** A calendar date with its weekday: `2027-02-08 Mon`. */
export function AirDate({ date }: { date: string }) {
  return <span className={classes.figure}>{`${date} ${WEEKDAY.format(noon(date))}`}</span>
}

export function periodGloss({ grain, start }: PeriodValue): string {
  if (grain === 'day') return WEEKDAY.format(noon(start))
  if (grain === 'month') return MONTH.format(noon(`${start}-01`))
  const monday = mondayOf(start)
  return monday === undefined ? '' : weekText(monday)
}

/** Returns the Monday of an ISO week such as `2027-W06`; undefined if the text is not a week. */
export function mondayOf(week: string): Date | undefined {
  const [, year, number] = /^(\d{4})-W(\d{2})$/.exec(week) ?? []
  if (year === undefined || number === undefined) return undefined
  const fourth = noon(`${year}-01-04`)
  const weekday = fourth.getUTCDay() || 7
  return addDays(fourth, 1 - weekday + (Number(number) - 1) * 7)
}

function weekText(monday: Date): string {
  const sunday = addDays(monday, 6)
  const isOneMonth = monday.getUTCMonth() === sunday.getUTCMonth()
  return `${DAY.format(monday)}-${isOneMonth ? sunday.getUTCDate() : DAY.format(sunday)}`
}

function addDays(date: Date, days: number): Date {
  return new Date(date.getTime() + days * 86_400_000)
}

function noon(date: string): Date {
  return new Date(`${date}T12:00:00Z`)
}

const WEEKDAY = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' })
const DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' })
