import type { Fault } from '../../contract/errorEnvelope.ts'
import type { Period } from '../../contract/scalars.ts'
import { datesOfWeek, type IsoDate, weekdayOf, weeksOfPeriod } from '../calendar.ts'
import { BOOKING_DAYS } from './allocation.ts'

/**
 * Every date that a line can land on must lie inside a stated flight (spec, Create rule 5): a day line's own date; else Monday, Wednesday
 * and Friday of every week touched, and the dates that the line books where they differ. One fault per line, for its first date outside.
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
      message: `Line ${line} can land on ${outside}, which lies outside the flight ${flight.start} to ${flight.end}.`,
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
