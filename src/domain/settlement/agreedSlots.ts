import type { MakegoodBilling } from '../../contract/vocabulary/makegoods.ts'
import { addUp } from '../addUp.ts'
import { broadcastMonthOf, dateOfDay, type IsoDate } from '../calendar.ts'
import { type Decimal, type DecimalLike, decimal, money, sum } from '../decimal.ts'
import type { BookedSpots, SpotWindow } from './bookedSpots.ts'
import type { Claim } from './claims.ts'
import { keyOf } from './keyOf.ts'
import type { ReconciliationLine } from './reconciliationLines.ts'
import { compareText } from './sellerRows.ts'
import { addWindows, NONE_REPLACED, priceOf, type SpotGroup } from './spotGroups.ts'

/** The spots of an agreed makegood, and what they replace. */
export interface AgreedSlots {
  readonly makegood_id: string
  readonly product_id: string
  readonly network: string
  readonly air_date: IsoDate
  readonly units: number
  readonly spot_length: number
  readonly windows: readonly SpotWindow[]
  /** The month in which the seller bills them. */
  readonly billing: MakegoodBilling
  /** Why what they replace did not air. */
  readonly reason: string
  readonly replaces: readonly ReplacedSpots[]
}

export interface ReplacedSpots {
  readonly unit_id: string
  readonly network: string
  readonly air_date: IsoDate
  readonly units: number
  /** What they cost, at which the makegood is billed. */
  readonly gross: DecimalLike
}

/** The slots of an agreed makegood among the groups that claims may take. */
export interface AgreedGroup {
  readonly slots: AgreedSlots
  /** What is still booked of what they replace, in the order in which it is made good. */
  readonly replaced: readonly Replaced[]
  readonly value: Decimal
}

interface Replaced extends ReplacedSpots {
  readonly group: SpotGroup
}

/**
 * Withdraws from the booked groups what agreed makegoods replace, and returns groups of their slots, which cost what they replace. What is no longer booked, as
 * after a cancellation, has no slots.
 */
export function agreedGroups(agreed: readonly AgreedSlots[], groups: readonly SpotGroup[], currency: string): SpotGroup[] {
  if (agreed.length === 0) return []
  const keyAt = ({ unit_id, network, air_date }: Pick<BookedSpots, 'unit_id' | 'network' | 'air_date'>) => keyOf(unit_id, network, air_date)
  const booked = new Map(groups.flatMap((group) => (group.booked.kind === 'spot' ? [[keyAt(group.booked), group] as const] : [])))
  const sorted = [...agreed].sort((a, b) => compareText(a.air_date, b.air_date) || compareText(a.makegood_id, b.makegood_id))
  return sorted.flatMap((slots) => {
    const inOrder = [...slots.replaces].sort((a, b) => compareText(a.air_date, b.air_date) || compareText(a.unit_id, b.unit_id))
    const replaced = inOrder.flatMap((spots): Replaced[] => {
      const group = booked.get(keyAt(spots))
      if (group === undefined || group.free < spots.units) return []
      group.free -= spots.units
      group.replaced = [...group.replaced, { units: spots.units, makegood_id: slots.makegood_id, reason: slots.reason }]
      return [{ ...spots, group }]
    })
    const [first] = replaced
    return first === undefined ? [] : [groupOf(slots, replaced, first, currency)]
  })
}

function groupOf(slots: AgreedSlots, replaced: readonly Replaced[], first: Replaced, currency: string): SpotGroup {
  const { product_id, network, air_date, units, spot_length, windows } = slots
  const value = sum(replaced.map(({ gross }) => gross))
  const copies = replaced.map(({ group }) => group.booked.isci)
  const spots: BookedSpots = {
    ...{ unit_id: first.unit_id, network, air_date, kind: 'spot', product_id, units, spot_length, windows },
    isci: copies.some((codes) => codes.length === 0) ? [] : [...new Set(copies.flat())].sort(),
    price: value.div(decimal(units)).toFixed(),
    gross: value.toFixed(),
  }
  const agreed: AgreedGroup = { slots, replaced, value }
  const group: SpotGroup = {
    booked: spots,
    currency,
    price: priceOf(spots.price),
    windows: [],
    claims: [],
    free: units,
    replaced: NONE_REPLACED,
    agreed,
  }
  addWindows(group)
  return group
}

/** Returns how many of each group's replaced units aired as makegoods: of several airings for one unit all must have aired. */
export function madeGood(groups: readonly SpotGroup[]): ReadonlyMap<SpotGroup, number> {
  const good = new Map<SpotGroup, number>()
  for (const { agreed, claims } of groups) {
    if (agreed === undefined) continue
    const aired = claims.filter((claim) => claim.aired !== undefined).length
    const all = agreed.replaced.reduce((total, { units }) => total + units, 0)
    let left = Math.floor((all * aired) / agreed.slots.units)
    for (const { group, units } of agreed.replaced) {
      const count = Math.min(units, left)
      addUp(good, group, count)
      left -= count
    }
  }
  return good
}

/** Splits an amount over the lines of what a makegood replaces, by their cost, so that the parts add up to it. */
export function partsOf(
  { replaced, value }: AgreedGroup,
  amount: DecimalLike,
  currency: string,
  lineOf: (group: SpotGroup) => ReconciliationLine,
): { line: ReconciliationLine; part: Decimal }[] {
  const whole = decimal(amount)
  let [upTo, given] = [decimal(0), decimal(0)]
  return replaced.map(({ group, gross }, index) => {
    upTo = upTo.plus(decimal(gross))
    const isLast = index === replaced.length - 1
    const share = value.eq(decimal(0)) ? decimal(0) : money(whole.times(upTo).div(value), currency)
    const part = (isLast ? whole : share).minus(given)
    given = isLast ? whole : share
    return { line: lineOf(group), part }
  })
}

/** Returns the month in which a makegood is billed: of the first spot that it replaces, or of its airing. */
export function billedMonthOf({ agreed }: Pick<SpotGroup, 'agreed'>, { day }: Pick<Claim, 'day'>): string {
  const [first] = agreed?.replaced ?? []
  return broadcastMonthOf(first !== undefined && agreed?.slots.billing === 'booked' ? first.air_date : dateOfDay(day))
}
