import { addTo } from '../addTo.ts'
import { dayOf } from '../calendar.ts'
import { keyOf } from './keyOf.ts'
import { weekOfDay } from './localTime.ts'
import { NearestPool, type Stretch } from './nearestPool.ts'
import { OpenEntries } from './openEntries.ts'
import { daysOf, isFree, isNear, take, unitsOf } from './spotGroups.ts'
import type { Claim, SpotGroup } from './spotsAndClaims.ts'
import { type RankedWindow, WindowPool } from './windowPool.ts'

/**
 * Gives each claim, in order, the best free spot of its network, in the passes of docs/sell/reconciliation.md: each pass ends before the next
 * one begins. A claim that finds no spot has no group.
 */
export function assignSpots(claims: readonly Claim[], groups: readonly SpotGroup[], toleranceSeconds: number): void {
  const named = claims.filter(({ makegood }) => makegood !== undefined)
  const makegoods = takeAgreed(named, groups, toleranceSeconds)
  let left = claims.filter(({ makegood }) => makegood === undefined)
  const windows = rankedWindows(groups)
  const near = nearPrices(groups)

  const byWindow = (keysOfGroup: (group: SpotGroup) => string[], keysOfClaim: (claim: Claim) => string[]) => {
    if (left.length > 0) left = takeByWindow(left, windows, toleranceSeconds, keysOfGroup, keysOfClaim)
  }
  const byDistance = (
    stretchesOf: (group: SpotGroup) => [key: string, from: number, to: number][],
    placeOf: (claim: Claim) => [key: string, at: number],
    outOfTime: Claim['outOfTime'],
  ) => {
    if (left.length > 0) left = takeNearest(left, groups, stretchesOf, placeOf, outOfTime)
  }

  // Pass 1 takes the line that the claim names.
  byWindow(
    (group) => unitsOf(group).map((unit_id) => keyOf(group.booked.network, group.booked.spot_length, unit_id)),
    ({ network, spot_length, unit_id }) => (unit_id === undefined ? [] : [keyOf(network, spot_length, unit_id)]),
  )
  // Pass 2 is for claims without a line: it compares the rate and, if both name one, the copy.
  byWindow(
    (group) => copiesOf(group).map((copy) => keyOf(group.booked.network, group.booked.spot_length, group.booked.price, copy)),
    (claim) => {
      if (claim.unit_id !== undefined || claim.billed?.rate === undefined) return []
      const { network, spot_length } = claim
      return near(claim.billed.rate).flatMap((price) => copiesFor(claim).map((copy) => keyOf(network, spot_length, price, copy)))
    },
  )
  // Pass 3 is for claims without a line: it compares the copy.
  byWindow(
    (group) => copiesOf(group).map((copy) => keyOf(group.booked.network, group.booked.spot_length, copy)),
    (claim) => {
      if (claim.unit_id !== undefined || claim.isci === undefined) return []
      return copiesFor(claim).map((copy) => keyOf(claim.network, claim.spot_length, copy))
    },
  )
  // Pass 4 takes any spot of the claim's length.
  byWindow(ofLength, ofLength)
  // Pass 5 gives makegoods the spot that they name, and no other.
  takeMadeGood(makegoods, groups)
  // Pass 6 takes spots of the same broadcast day.
  byDistance(
    (group) => group.windows.map(({ day, from, to }) => [keyOf(group.booked.network, group.booked.spot_length, day), from, to]),
    ({ network, spot_length, day, at }) => [keyOf(network, spot_length, day), at],
    'OUT_OF_DAYPART',
  )
  // Passes 7 and 8 repeat 4 and 6 for spots of another length.
  byWindow(
    ({ booked }) => [booked.network],
    ({ network }) => [network],
  )
  byDistance(
    ({ booked, windows: own }) => own.map(({ day, from, to }) => [keyOf(booked.network, day), from, to]),
    ({ network, day, at }) => [keyOf(network, day), at],
    'OUT_OF_DAYPART',
  )
  // Pass 9 takes spots of the same broadcast week, of the claim's line if it names one.
  byDistance(
    (group) =>
      group.windows.flatMap(({ day }) =>
        [...unitsOf(group), undefined].map((unit): [string, number, number] => {
          return [keyOf(group.booked.network, group.booked.spot_length, weekOfDay(day), unit), day, day]
        }),
      ),
    ({ network, spot_length, day, unit_id }) => [keyOf(network, spot_length, weekOfDay(day), unit_id), day],
    'WRONG_DATE',
  )
}

const ofLength = (spot: Claim | SpotGroup) => {
  const { network, spot_length } = 'booked' in spot ? spot.booked : spot
  return [keyOf(network, spot_length)]
}

/** The keys of any copy and of no copy: a group whose line names no copy takes any, and a claim without a copy takes any group. */
const ANY = 'any'
const NONE = 'none'

function copiesOf({ booked: { isci } }: SpotGroup): string[] {
  return [ANY, ...(isci.length === 0 ? [NONE] : isci.map((code) => `=${code}`))]
}

function copiesFor({ isci }: Claim): string[] {
  return isci === undefined ? [ANY] : [`=${isci}`, NONE]
}

/** Returns a function that finds the prices less than a minor unit away from a rate. */
function nearPrices(groups: readonly SpotGroup[]): (rate: number) => readonly string[] {
  const prices = new Map(groups.map((group) => [group.booked.price, group]))
  const known = new Map<number, string[]>()
  return (rate) => {
    const found = known.get(rate) ?? [...prices].filter(([, group]) => isNear(group, rate)).map(([text]) => text)
    known.set(rate, found)
    return found
  }
}

/** Returns all windows sorted by start and ranked by end. The groups are already sorted. */
function rankedWindows(groups: readonly SpotGroup[]): RankedWindow[] {
  const windows = groups.flatMap((group) => group.windows)
  const ranked = windows
    .map((window, place) => ({ window, place }))
    .sort((a, b) => a.window.to - b.window.to || a.place - b.place)
    .map(({ window }, rank) => ({ window, rank }))
  return ranked.sort((a, b) => a.window.from - b.window.from)
}

/** Gives each claim the window that ends first among the pools that it may use. Returns the claims that found none. */
function takeByWindow(
  claims: Claim[],
  windows: readonly RankedWindow[],
  tolerance: number,
  keysOfGroup: (group: SpotGroup) => string[],
  keysOfClaim: (claim: Claim) => string[],
): Claim[] {
  const keys = claims.map(keysOfClaim)
  const asked = new Set(keys.flat())
  if (asked.size === 0) return claims
  const lists = new Map<string, RankedWindow[]>()
  for (const ranked of windows) {
    if (isFree(ranked.window.group)) for (const key of keysOfGroup(ranked.window.group)) if (asked.has(key)) addTo(lists, key, ranked)
  }
  const pools = new Map([...lists].map(([key, list]) => [key, new WindowPool(list, tolerance)]))
  return claims.filter((claim, index) => {
    let best: RankedWindow | undefined
    for (const key of keys[index] ?? []) {
      const found = pools.get(key)?.endingFirst(claim.at)
      if (found !== undefined && (best === undefined || found.rank < best.rank)) best = found
    }
    if (best !== undefined) take(best.window.group, claim)
    return best === undefined
  })
}

/** Gives each claim the nearest spot. Returns the claims that found none. */
function takeNearest(
  claims: readonly Claim[],
  groups: readonly SpotGroup[],
  stretchesOf: (group: SpotGroup) => [key: string, from: number, to: number][],
  placeOf: (claim: Claim) => [key: string, at: number],
  outOfTime: Claim['outOfTime'],
): Claim[] {
  const lists = new Map<string, Stretch[]>()
  for (const [rank, group] of groups.entries()) {
    if (isFree(group)) for (const [key, from, to] of stretchesOf(group)) addTo(lists, key, { group, rank, from, to })
  }
  const pools = new Map([...lists].map(([key, list]) => [key, new NearestPool(list)]))
  return claims.filter((claim) => {
    const [key, at] = placeOf(claim)
    const group = pools.get(key)?.nearest(at)
    if (group === undefined) return true
    take(group, claim)
    claim.outOfTime = outOfTime
    return false
  })
}

/** Gives makegoods the agreed slots of the spots that they name, on their day. Returns those that found none. */
function takeAgreed(makegoods: Claim[], groups: readonly SpotGroup[], tolerance: number): Claim[] {
  const agreed = groups.filter((group) => group.agreed !== undefined)
  if (agreed.length === 0) return makegoods
  return takeNamed(makegoods, agreed, {
    placesOf: (group) => [...daysOf(group)],
    placeOf: ({ day }) => day,
    takes: (claim, group) => {
      if (!group.windows.some(({ from, to }) => claim.at >= from - tolerance && claim.at < to + tolerance))
        claim.outOfTime = 'OUT_OF_DAYPART'
    },
  })
}

/**
 * Gives makegoods the spots that they name by line, date or both, preferring those of their length. Those left over make good what another makegood was agreed
 * for, which does not air where it was agreed.
 */
function takeMadeGood(makegoods: readonly Claim[], groups: readonly SpotGroup[]): void {
  const unagreed = (claim: Claim) => {
    claim.isAgreed = false
  }
  const anywhere = { placesOf: () => [0], placeOf: () => 0, takes: unagreed }
  const booked = groups.filter(({ agreed }) => agreed === undefined)
  const left = takeNamed(makegoods, booked, anywhere)
  if (booked.length < groups.length)
    takeNamed(
      left,
      groups.filter(({ agreed }) => agreed !== undefined),
      anywhere,
    )
}

interface NamedPlaces {
  /** The places at which a group may be found, and that at which a claim looks. */
  readonly placesOf: (group: SpotGroup) => number[]
  readonly placeOf: (claim: Claim) => number
  readonly takes: (claim: Claim, group: SpotGroup) => void
}

/** Gives makegoods the first group with a spot that they name. Returns the claims that found none. */
function takeNamed(makegoods: readonly Claim[], groups: readonly SpotGroup[], { placesOf, placeOf, takes }: NamedPlaces): Claim[] {
  if (makegoods.length === 0) return []
  const lists = new Map<string, SpotGroup[]>()
  for (const group of groups) {
    const { network, spot_length } = group.booked
    const keys = placesOf(group).flatMap((place) =>
      [spot_length, undefined].flatMap((length) => namesOf(group).map((names) => keyOf(network, length, place, ...names))),
    )
    for (const key of new Set(keys)) addTo(lists, key, group)
  }
  const pools = new Map([...lists].map(([key, list]) => [key, new OpenEntries(list, isFree, ({ booked }) => dayOf(booked.air_date))]))
  return makegoods.filter((claim) => {
    const { network, spot_length, makegood } = claim
    for (const length of [spot_length, undefined]) {
      const key = keyOf(network, length, placeOf(claim), makegood?.unit_id, makegood?.date)
      const group = pools.get(key)?.firstFrom(Number.NEGATIVE_INFINITY)
      if (group === undefined) continue
      take(group, claim)
      takes(claim, group)
      return false
    }
    return true
  })
}

/** Returns the names under which the spots that a makegood may name are found: by line, by date, by both and by neither. */
function namesOf({ booked, agreed }: SpotGroup): (string | undefined)[][] {
  const spots = agreed === undefined ? [booked] : agreed.replaced
  return spots.flatMap(({ unit_id, air_date }) => [unit_id, undefined].flatMap((unit) => [air_date, undefined].map((date) => [unit, date])))
}
