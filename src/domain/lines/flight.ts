import type { Fault } from '../../contract/errorEnvelope.ts'
import type { Period } from '../../contract/scalars.ts'
import { datesOfWeek, type IsoDate, weekdayOf, weeksOfPeriod } from '../calendar.ts'
import { BOOKING_DAYS } from './allocation.ts'

/**
 * Checks that every date that a line can land on is inside the stated flight (contract, Create rules: flight): the date of a day line; otherwise Monday,
 * Wednesday and Friday of each of its weeks, and the booked dates where they differ. Reports the first date outside, once per line.
 */
export function checkFlight(
  flight: { start: IsoDate; end: IsoDate } | undefined,
  line: number,
  period: Period,
  booked: readonly IsoDate[],
): Fault[] {
  if (flight === undefined) return []
  const outside = landingDates(period, booked).find((date) => date < flight.start || date > flight.end)
  if (outside === undefined) return []
  return [
    {
      error_code: 'INVALID_INPUT',
      field: 'flight',
      message: `Line ${line} can land on ${outside}, which is outside the flight ${flight.start} to ${flight.end}.`,
      details: { line, date: outside },
    },
  ]
}

function landingDates(period: Period, booked: readonly IsoDate[]): IsoDate[] {
  if (period.grain === 'day') return [period.start]
  const byRule = weeksOfPeriod(period.grain, period.start)
    .flatMap(datesOfWeek)
    .filter((date) => BOOKING_DAYS.includes(weekdayOf(date)))
  return [...new Set([...byRule, ...booked])].sort()
}
