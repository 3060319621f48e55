import type { LineBooking } from '../../contract/event.ts'
import { type Instant, type IsoDate, localDate } from '../calendar.ts'

/** Returns the earliest of an instant's dates in the time zones of lines; its UTC date if there are no lines. */
export function earliestDate(instant: Instant, bookings: readonly Pick<LineBooking, 'timezone'>[]): IsoDate {
  const [first = localDate(instant, undefined)] = bookings.map(({ timezone }) => localDate(instant, timezone)).sort()
  return first
}
