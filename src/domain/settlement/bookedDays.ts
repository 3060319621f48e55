import type { BookedSpots } from './bookedSpots.ts'
import { keyOf } from './keyOf.ts'
import { broadcastDayOf, dateOfDay, localTime } from './localTime.ts'
import type { LoggedDay } from './reconcile.ts'

/** Returns the broadcast days of networks on which spots may air. */
export function bookedDays(booked: readonly BookedSpots[]): LoggedDay[] {
  const days = new Map<string, LoggedDay>()
  for (const { network, air_date, units, windows } of booked) {
    if (units === 0) continue
    for (const { start } of windows) {
      const day = broadcastDayOf(localTime(air_date, start))
      const key = keyOf(network, day)
      if (!days.has(key)) days.set(key, { network, broadcast_date: dateOfDay(day) })
    }
  }
  return [...days.values()]
}
