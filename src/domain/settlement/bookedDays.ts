import { dateOfDay } from '../calendar.ts'
import type { BookedSpots } from './bookedSpots.ts'
import { broadcastDayOf, localTime } from './localTime.ts'
import type { LoggedDay } from './reconcile.ts'

/** Days by network and number. Orders that book the same days share the objects. */
export type DaysByNetwork = Map<string, Map<number, LoggedDay>>

/** Returns the broadcast days of networks on which spots may air, each once, and adds new days to `networks`. */
export function bookedDays(
  booked: readonly Pick<BookedSpots, 'network' | 'air_date' | 'units' | 'windows'>[],
  networks: DaysByNetwork,
): LoggedDay[] {
  const days = new Set<LoggedDay>()
  for (const { network, air_date, units, windows } of booked) {
    if (units === 0) continue
    for (const { start } of windows) days.add(dayOfNetwork(networks, network, broadcastDayOf(localTime(air_date, start))))
  }
  return [...days]
}

function dayOfNetwork(networks: DaysByNetwork, network: string, day: number): LoggedDay {
  const known = networks.get(network) ?? new Map<number, LoggedDay>()
  networks.set(network, known)
  const found = known.get(day) ?? { network, broadcast_date: dateOfDay(day) }
  known.set(day, found)
  return found
}
