import { type Decimal, decimal, minorUnit } from '../decimal.ts'
import { memoized } from '../memoized.ts'
import type { BookedSpots } from './bookedSpots.ts'
import { broadcastDayOf, DAY_SECONDS, localTime } from './localTime.ts'
import { minorUnitsOf } from './moneySum.ts'
import { compareText } from './sellerRows.ts'
import type { Claim, ReplacedUnits, SpotGroup } from './spotsAndClaims.ts'

/** Shared by the groups without a makegood, of which there may be a million. */
export const NONE_REPLACED: readonly ReplacedUnits[] = []

/** Returns the groups by date, unit_id and network, the order in which equally good ones are taken. */
export function spotGroups(booked: readonly BookedSpots[], currency: string): SpotGroup[] {
  const present = booked.filter(({ units }) => units > 0)
  return present.sort(compareBooked).map((spots) => {
    const group: SpotGroup = {
      booked: spots,
      currency,
      price: priceOf(spots.price),
      windows: [],
      claims: [],
      free: spots.units,
      replaced: NONE_REPLACED,
    }
    addWindows(group)
    return group
  })
}

/** Adds the windows in which the spots of a group may air. */
export function addWindows(group: SpotGroup): void {
  const { air_date, windows } = group.booked
  for (const { start, end } of windows) {
    const from = localTime(air_date, start)
    const until = localTime(air_date, end)
    group.windows.push({ group, from, to: until > from ? until : until + DAY_SECONDS, day: broadcastDayOf(from) })
  }
}

/** Returns the lines whose spots a group has: those that a makegood replaces, or its own. */
export function unitsOf({ booked, agreed }: SpotGroup): string[] {
  return agreed === undefined ? [booked.unit_id] : [...new Set(agreed.replaced.map(({ unit_id }) => unit_id))]
}

/** Parses a price. Memoized, since most spots have one of a few prices. */
export const priceOf = memoized((text: string): Decimal => decimal(text))

export function take(group: SpotGroup, claim: Claim): void {
  group.free -= 1
  group.claims.push(claim)
  claim.group = group
}

export function isFree({ free }: SpotGroup): boolean {
  return free > 0
}

/** Returns true if a copy is one of the group's, or if either side names no copy. */
export function isCopyOf({ booked: { isci } }: SpotGroup, copy: string | undefined): boolean {
  return copy === undefined || isci.length === 0 || isci.includes(copy)
}

/** Returns true if a rate is less than a minor unit of the currency away from the price of a group. */
export function isNear({ booked, currency, price }: Pick<SpotGroup, 'booked' | 'currency' | 'price'>, rate: number): boolean {
  const priced = minorUnitsOf(booked.price, currency)
  const rated = minorUnitsOf(rate, currency)
  if (priced !== undefined && rated !== undefined) return priced === rated
  return price.minus(decimal(rate)).abs().lt(minorUnit(currency))
}

function compareBooked(a: BookedSpots, b: BookedSpots): number {
  return (
    compareText(a.air_date, b.air_date) ||
    compareText(a.unit_id, b.unit_id) ||
    compareText(a.network, b.network) ||
    compareText(b.kind, a.kind)
  )
}

/** Returns the dates of the broadcast days in which a group may air. */
export function daysOf({ windows }: Pick<SpotGroup, 'windows'>): Set<number> {
  return new Set(windows.map(({ day }) => day))
}
