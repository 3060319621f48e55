import { dayOf, type Instant, type IsoDate, localDate } from '../calendar.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Returns the moment at which a date ends in a time zone; in UTC without one. Zones differ by up to 14 hours, and change at whole minutes. */
export function endOfDate(date: IsoDate, timezone: string | undefined): Instant {
  const midnight = dayOf(date) * DAY + DAY
  let before = midnight - 15 * HOUR
  let after = midnight + 15 * HOUR
  while (after - before > MINUTE) {
    const middle = before + Math.floor((after - before) / 2 / MINUTE) * MINUTE
    if (localDate(new Date(middle).toISOString(), timezone) > date) after = middle
    else before = middle
  }
  return new Date(after).toISOString()
}
