import { addTo } from '../addTo.ts'
import { dayOf } from '../calendar.ts'
import { keyOf } from './keyOf.ts'
import { OpenEntries } from './openEntries.ts'
import type { Airing, SellerRow } from './sellerRows.ts'
import { daysOf } from './spotGroups.ts'
import type { SpotGroup } from './spotsAndClaims.ts'

/** A spot that did not air, with the rows that report it: one of the log, one of the invoice, or both. */
export type MissedSpot = readonly SellerRow[]

interface Room {
  readonly group: SpotGroup
  /** The number of spots that did not air and that no row explains yet. */
  unexplained: number
  /** The explained spots that no row of an invoice reports. */
  readonly unbilled: SellerRow[][]
}

/** Matches rows of unaired spots with these spots. A row of the log and one of an invoice may concern the same spot. */
export function missedSpots(notAired: readonly Airing[], groups: readonly SpotGroup[]): Map<SpotGroup, MissedSpot[]> {
  const missed = new Map<SpotGroup, SellerRow[][]>()
  if (notAired.length === 0) return missed
  const rooms = roomsOf(groups)
  const explain = (room: Room, row: SellerRow) => {
    const rows = [row]
    room.unexplained -= 1
    addTo(missed, room.group, rows)
    if (row.record_type === 'as_run') room.unbilled.push(rows)
  }
  const isUnexplained = (room: Room) => room.unexplained > 0
  const isUnbilled = (room: Room) => room.unbilled.length > 0
  const logged = notAired.filter(({ row }) => row.record_type === 'as_run')
  const billed = notAired.filter(({ row }) => row.record_type === 'invoice')
  give(logged, rooms, isUnexplained, explain)
  const others = give(billed, rooms, isUnbilled, (room, row) => room.unbilled.shift()?.push(row))
  give(others, rooms, isUnexplained, explain)
  return missed
}

function roomsOf(groups: readonly SpotGroup[]): Room[] {
  return groups.map((group) => {
    const aired = group.claims.filter((claim) => claim.aired !== undefined).length
    return { group, unexplained: group.booked.units - aired, unbilled: [] }
  })
}

/** Gives each row the first open room of its line and day, or else of its length and day. Returns the rows that found none. */
function give(
  rows: readonly Airing[],
  rooms: readonly Room[],
  isOpen: (room: Room) => boolean,
  place: (room: Room, row: SellerRow) => void,
): readonly Airing[] {
  const byLine = poolsOf(rooms, isOpen, ({ unit_id }) => unit_id)
  const byLength = poolsOf(rooms, isOpen, ({ spot_length }) => spot_length)
  const pass = (left: readonly Airing[], pools: Pools, partOf: (row: SellerRow) => string | number | undefined) =>
    left.filter((airing) => {
      const part = partOf(airing.row)
      const room = part === undefined ? undefined : pools.get(keyOf(airing.row.network, part, dayKeyOf(airing)))?.firstFrom(0)
      if (room !== undefined) place(room, airing.row)
      return room === undefined
    })
  const unnamed = pass(rows, byLine, ({ unit_id }) => unit_id)
  return pass(unnamed, byLength, ({ spot_length }) => spot_length)
}

type Pools = ReadonlyMap<string, OpenEntries<Room>>

function poolsOf(rooms: readonly Room[], isOpen: (room: Room) => boolean, partOf: (booked: SpotGroup['booked']) => string | number): Pools {
  const lists = new Map<string, Room[]>()
  for (const room of rooms) {
    const { booked } = room.group
    for (const day of daysOf(room.group)) addTo(lists, keyOf(booked.network, partOf(booked), `broadcast ${day}`), room)
    addTo(lists, keyOf(booked.network, partOf(booked), `date ${dayOf(booked.air_date)}`), room)
  }
  return new Map([...lists].map(([key, list]) => [key, new OpenEntries(list, isOpen, () => 0)]))
}

/** Returns the key of a row's day. A row without a time names the date of the spot, unless it uses the broadcast clock. */
function dayKeyOf({ row, day }: Airing): string {
  return row.air_time === undefined && row.clock === 'calendar' ? `date ${day}` : `broadcast ${day}`
}
