import { addDays, datesOfPeriod, type Instant, mondayOfDate } from '../calendar.ts'

/**
 * Returns the time at which a broadcast month clears: Monday 14:00 UTC after its last Sunday, when its last broadcast day is over in every US time
 * zone (choices, Invoices: when).
 */
export function clearsAt(broadcastMonth: string): Instant {
  const { last } = datesOfPeriod('month', broadcastMonth)
  return `${mondayOfDate(addDays(last, 1))}T14:00:00.000Z`
}
