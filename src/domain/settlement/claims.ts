import { addTo } from '../addTo.ts'
import { keyOf } from './keyOf.ts'
import type { LocalTime } from './localTime.ts'
import { OpenEntries } from './openEntries.ts'
import { type Airing, compareAirings, compareText, type SellerRow } from './sellerRows.ts'
import type { Claim } from './spotsAndClaims.ts'

/** Returns the claims of airings and bills in the order in which they choose. Bills take airings near their time, most similar first. */
export function claimsOf(airings: readonly Airing[], bills: readonly Airing[], matchSeconds: number): Claim[] {
  const open = new Set(airings)
  const paired: [Airing, Airing][] = []
  const pair = (airing: Airing, bill: Airing) => {
    open.delete(airing)
    paired.push([airing, bill])
  }
  const pairBy = (unpaired: readonly Airing[], keysOfAiring: (row: SellerRow) => string[], keysOfBill: (row: SellerRow) => string[]) => {
    if (unpaired.length === 0 || open.size === 0) return unpaired
    const keys = unpaired.map(({ row }) => keysOfBill(row))
    const pools = poolsOf(airings, open, keysOfAiring, new Set(keys.flat()))
    return unpaired.filter((bill, index) => {
      const airing = earliest(keys[index] ?? [], pools, bill.at - matchSeconds)
      if (airing === undefined || airing.at > bill.at + matchSeconds) return true
      pair(airing, bill)
      return false
    })
  }
  // Pairs by time up to the first bill with many airings at its time, and from there on, in the same order, by keys.
  const crowded = pairNearby(bills, airings, open, matchSeconds, pair)
  let alone: readonly Airing[] = [...crowded.alone, ...pairBy(crowded.left, exactKeys, compatibleKeys)]
  alone = pairBy(alone, lengthKeys, lengthKeys)
  alone = pairBy(alone, networkKeys, networkKeys)
  return [
    ...paired.map(([airing, bill]) => claimOf(airing, bill)),
    ...airings.filter((airing) => open.has(airing)).map((airing) => claimOf(airing)),
    ...alone.map((bill) => claimOf(undefined, bill)),
  ].sort(compareClaims)
}

/** The most airings at the time of a bill to examine one by one. */
const MAX_NEARBY = 32

/**
 * Pairs bills with the earliest open airing of their length that does not contradict them, among the few at their time, which is much
 * cheaper than by keys. Returns the bills without an airing, and as `left` those from the first one with too many airings at its time.
 */
function pairNearby(
  bills: readonly Airing[],
  airings: readonly Airing[],
  open: ReadonlySet<Airing>,
  matchSeconds: number,
  pair: (airing: Airing, bill: Airing) => void,
): { alone: Airing[]; left: readonly Airing[] } {
  const alone: Airing[] = []
  if (bills.length === 0 || airings.length === 0) return { alone, left: bills }
  const lists = new Map<string, { airings: Airing[]; from: number }>()
  for (const airing of airings) {
    const key = keyOf(airing.row.network, airing.row.spot_length)
    const list = lists.get(key)
    if (list === undefined) lists.set(key, { airings: [airing], from: 0 })
    else list.airings.push(airing)
  }
  for (const [index, bill] of bills.entries()) {
    const list = lists.get(keyOf(bill.row.network, bill.row.spot_length))
    const found = list && nearby(bill, list, open, matchSeconds)
    if (found === 'too many') return { alone, left: bills.slice(index) }
    if (found === undefined) alone.push(bill)
    else pair(found, bill)
  }
  return { alone, left: [] }
}

function nearby(
  bill: Airing,
  list: { readonly airings: readonly Airing[]; from: number },
  open: ReadonlySet<Airing>,
  matchSeconds: number,
): Airing | 'too many' | undefined {
  const { airings } = list
  // Bills are sorted by time, so an airing that is too early for one bill is too early for all later ones.
  for (; list.from < airings.length; list.from += 1) {
    const first = airings[list.from] as Airing
    if (first.at >= bill.at - matchSeconds && open.has(first)) break
  }
  for (let index = list.from; index < airings.length; index += 1) {
    const airing = airings[index] as Airing
    if (airing.at > bill.at + matchSeconds) return undefined
    if (index - list.from >= MAX_NEARBY) return 'too many'
    if (open.has(airing) && saysTheSame(airing.row.isci, bill.row.isci) && saysTheSame(airing.row.unit_id, bill.row.unit_id)) return airing
  }
  return undefined
}

function saysTheSame(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other
}

const lengthKeys = ({ network, spot_length }: SellerRow) => [keyOf(network, spot_length)]
const networkKeys = ({ network }: SellerRow) => [network]

/** Returns a key for a copy or a line that a row may omit. `any` serves bills that omit theirs. */
const said = (value: string | undefined) => (value === undefined ? 'unsaid' : `=${value}`)
const ANY = 'any'

function exactKeys({ network, spot_length, isci, unit_id }: SellerRow): string[] {
  return [said(isci), ANY].flatMap((copy) => [said(unit_id), ANY].map((unit) => keyOf(network, spot_length, copy, unit)))
}

/** Returns the keys of the airings that do not contradict a bill. */
function compatibleKeys({ network, spot_length, isci, unit_id }: SellerRow): string[] {
  const copies = isci === undefined ? [ANY] : [said(isci), said(undefined)]
  const units = unit_id === undefined ? [ANY] : [said(unit_id), said(undefined)]
  return copies.flatMap((copy) => units.map((unit) => keyOf(network, spot_length, copy, unit)))
}

type Pools = ReadonlyMap<string, OpenEntries<Airing>>

/** Returns the open airings under the requested keys. */
function poolsOf(
  airings: readonly Airing[],
  open: ReadonlySet<Airing>,
  keysOfAiring: (row: SellerRow) => string[],
  asked: ReadonlySet<string>,
): Pools {
  const lists = new Map<string, Airing[]>()
  for (const airing of airings) {
    if (open.has(airing)) for (const key of keysOfAiring(airing.row)) if (asked.has(key)) addTo(lists, key, airing)
  }
  const isOpen = (airing: Airing) => open.has(airing)
  return new Map([...lists].map(([key, list]) => [key, new OpenEntries(list, isOpen, timeOf)]))
}

const timeOf = ({ at }: Airing) => at

function earliest(keys: readonly string[], pools: Pools, from: LocalTime): Airing | undefined {
  let first: Airing | undefined
  for (const key of keys) {
    const airing = pools.get(key)?.firstFrom(from)
    if (airing !== undefined && (first === undefined || compareAirings(airing, first) < 0)) first = airing
  }
  return first
}

/** Makes a claim. The values of an airing take precedence over those of its bill. */
function claimOf(airing: Airing | undefined, bill?: Airing): Claim {
  const { at, day, row } = (airing ?? bill) as Airing
  const billed = bill?.row
  const unit_id = row.unit_id ?? billed?.unit_id
  const missedUnit = row.makegood_for_unit_id ?? billed?.makegood_for_unit_id
  const date = row.makegood_for_date ?? billed?.makegood_for_date
  return {
    aired: airing?.row,
    billed,
    at,
    day,
    network: row.network,
    spot_length: row.spot_length,
    isci: row.isci ?? billed?.isci,
    unit_id,
    makegood: missedUnit === undefined && date === undefined ? undefined : { unit_id: missedUnit ?? unit_id, date },
    group: undefined,
    isAgreed: true,
    outOfTime: undefined,
  }
}

function compareClaims(a: Claim, b: Claim): number {
  return (
    a.at - b.at ||
    compareText(a.network, b.network) ||
    a.spot_length - b.spot_length ||
    compareText(a.isci, b.isci) ||
    compareText(a.unit_id, b.unit_id) ||
    (a.billed?.rate ?? -1) - (b.billed?.rate ?? -1) ||
    compareRows(a.aired, b.aired) ||
    compareRows(a.billed, b.billed)
  )
}

/** Compares claims that match alike, so that the result does not depend on the order of the input. A claim without the row is last. */
function compareRows(a: SellerRow | undefined, b: SellerRow | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return compareAirings({ row: a, at: 0, day: 0 }, { row: b, at: 0, day: 0 })
}
