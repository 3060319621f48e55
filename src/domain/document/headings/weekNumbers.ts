import { addDays, daysBetween, type IsoDate, isPeriodStart, mondayOf } from '../../calendar.ts'
import { mondayBefore, type Span } from '../values/dates.ts'

/** Returns the number of a week that a text names by its number alone: `W23`, `Wk 3`, `Week #1`. */
export function weekNumber(text: string): number | undefined {
  const [, digits] = /^(?:w|wk|week)\.?\s?#?\s?(\d{1,2})$/i.exec(text.trim()) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/**
 * Returns the Mondays of weeks that are named by their numbers, in the order of the numbers. The numbers are those of the calendar where all of
 * these weeks are within the flight. They count the weeks of the flight where they are one to the number of its weeks, and it begins on a Monday.
 * Undefined for any other numbers: a flight with a week without spots, or that begins in mid-week, may be counted in several ways.
 */
export function weeksNumbered(numbers: readonly number[], { first, last }: Span): IsoDate[] | undefined {
  const from = mondayBefore(first)
  const years = [...new Set([first, last].map((date) => date.slice(0, 4)))]
  const ofCalendar = numbers.flatMap((number) =>
    years
      .map((year) => `${year}-W${String(number).padStart(2, '0')}`)
      .flatMap((week) => (isPeriodStart('week', week) ? [mondayOf(week)] : []))
      .filter((monday) => monday >= from && monday <= last),
  )
  if (ofCalendar.length === numbers.length) return ofCalendar
  const weeks = daysBetween(from, mondayBefore(last)) / 7 + 1
  const isWhole = new Set(numbers).size === weeks && numbers.every((number) => number >= 1 && number <= weeks)
  return isWhole && from === first && ofCalendar.length === 0 ? numbers.map((number) => addDays(from, (number - 1) * 7)) : undefined
}
