import { addUp } from '../addUp.ts'
import { broadcastMonthOf, dateOfDay } from '../calendar.ts'
import { type Decimal, type DecimalLike, decimal, money, sum } from '../decimal.ts'
import type { BookedSpots } from './bookedSpots.ts'
import { keyOf } from './keyOf.ts'
import type { ReconciliationLine } from './reconciliationLines.ts'
import { compareText } from './sellerRows.ts'
import { addWindows, NONE_REPLACED, priceOf } from './spotGroups.ts'
import type { AgreedGroup, AgreedSlots, Claim, Replaced, SpotGroup } from './spotsAndClaims.ts'

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
