import type { Allocation } from '../../contract/lineItem.ts'
import type { Product } from '../../contract/product.ts'
import type { Period } from '../../contract/scalars.ts'
import { WEEKDAYS, type Weekday } from '../../contract/vocabulary.ts'
import { datesOfWeek, type IsoDate, weekdayOf, weeksOfPeriod } from '../calendar.ts'

/** The default days of a week or month line (contract, Allocation). */
export const BOOKING_DAYS: readonly Weekday[] = ['Mon', 'Wed', 'Fri']

/**
 * Spreads units over dates as evenly as integers allow, with the remainder on the earliest dates (choices, Spread). Omits dates with zero
 * units. The sum is always `units`.
 */
export function allocate(units: number, dates: readonly IsoDate[]): Allocation[] {
  if (dates.length === 0) throw new RangeError('a line books at least one date')
  const each = Math.floor(units / dates.length)
  const remainder = units % dates.length
  return dates.map((date, index) => ({ date, units: each + (index < remainder ? 1 : 0) })).filter((entry) => entry.units > 0)
}

/** Returns the dates that a period of a product books, in order: a day its date, a week or month the product's pattern in each of its weeks. */
export function bookedDates(product: Pick<Product, 'type' | 'definition'>, period: Period): IsoDate[] {
  if (period.grain === 'day') return [period.start]
  const dates = weeksOfPeriod(period.grain, period.start).flatMap(datesOfWeek)
  const airs = bookingPattern(product as Product)
  return dates.filter(airs)
}

/** Returns true if a product airs on a date. */
export function airsOn(product: Product, date: IsoDate): boolean {
  return product.type === 'program' ? datesOf(product).includes(date) : daysOf(product).includes(weekdayOf(date))
}

/** Returns the weekdays of a product, or the dates of a program, in words. */
export function airingOf(product: Product): string {
  if (product.type !== 'program') return daysOf(product).join(', ')
  const dates = datesOf(product)
  return dates.length > DATES_TOLD
    ? `${dates.slice(0, DATES_TOLD).join(', ')} and ${dates.length - DATES_TOLD} more dates`
    : dates.join(', ')
}

const DATES_TOLD = 20

function datesOf(product: Extract<Product, { type: 'program' }>): IsoDate[] {
  return [...new Set(product.definition.occurrences.map(({ date }) => date))].sort()
}

function daysOf(product: Exclude<Product, { type: 'program' }>): Weekday[] {
  const named = product.type === 'daypart' ? product.definition.days : product.definition.windows.flatMap(({ days }) => days)
  return WEEKDAYS.filter((day) => named.includes(day))
}

/**
 * Books the Mondays, Wednesdays and Fridays on which the product runs, or else its own days; a program's dates (choices, Booking
 * pattern).
 */
function bookingPattern(product: Product): (date: IsoDate) => boolean {
  if (product.type === 'program') {
    const dates = new Set(datesOf(product))
    return (date) => dates.has(date)
  }
  return onDays(daysOf(product))
}

function onDays(runsOn: readonly Weekday[]): (date: IsoDate) => boolean {
  const booked = BOOKING_DAYS.filter((day) => runsOn.includes(day))
  const days = booked.length > 0 ? booked : runsOn
  return (date) => days.includes(weekdayOf(date))
}
