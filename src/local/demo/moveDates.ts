import { addDays, daysBetween, type IsoDate, isDate, isPeriodStart, mondayOf, weekOf } from '../../domain/calendar.ts'

/** The year whose first broadcast quarter the bodies in docs/examples use. */
export const EXAMPLE_YEAR = 2027

/** How long before a quarter's first day the demo still orders in it. */
const LEAD_DAYS = 14

/** Returns the year in whose first quarter the demo orders: the first one that starts late enough, but never before the examples' year. */
export function flightYear(today: IsoDate): number {
  let year = EXAMPLE_YEAR
  while (daysBetween(today, quarterStart(year)) < LEAD_DAYS) year += 1
  return year
}

/**
 * Moves the dates in a text from one year's first quarter to another year's: dates keep their weekday and their week of the quarter, months
 * their name, and names ending in the year get the new year. Reads `2027-02-08`, `2027-W06`, `W06`, `2027-02`, `2/8` and `winter-2027`.
 */
export function moveDates(text: string, to: number, from = EXAMPLE_YEAR): string {
  if (to === from) return text
  const start = quarterStart(from)
  const days = daysBetween(start, quarterStart(to))
  const date = (day: IsoDate) => (day < start ? day : addDays(day, days))
  const week = (name: string) => weekOf(date(mondayOf(name)))
  return text
    .replaceAll(/\b\d{4}-\d{2}-\d{2}/g, (day) => (isDate(day) ? date(day) : day))
    .replaceAll(/\b\d{4}-W\d{2}\b/g, (name) => (isPeriodStart('week', name) ? week(name) : name))
    .replaceAll(/(?<![\w-])W\d{2}\b/g, (name) => week(`${from}-${name}`).slice('2027-'.length))
    .replaceAll(/\b(\d{4})-(?=\d{2}\b(?!-))/g, (month, year: string) => (Number(year) === from ? `${to}-` : month))
    .replaceAll(/(?<=\w-)\d{4}\b/g, (year) => (Number(year) === from ? String(to) : year))
    .replaceAll(/(?<![\w/])(\d{1,2})\/(\d{1,2})(?![\w/])/g, (read, month: string, day: string) => {
      const whole = `${from}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
      if (!isDate(whole)) return read
      const [, movedMonth, movedDay] = date(whole).split('-')
      return `${Number(movedMonth)}/${Number(movedDay)}`
    })
}

/** Returns the first day of a year's first broadcast quarter: the Monday on or before January 1. */
function quarterStart(year: number): IsoDate {
  return mondayOf(weekOf(`${year}-01-01`))
}
