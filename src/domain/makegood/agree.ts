import type { AgreedMakegood, CreditedUnits, MakegoodOffer, MissedUnits } from '../../contract/makegood.ts'
import { broadcastMonthOf } from '../calendar.ts'
import { type Decimal, decimal, jsonNumber, sum } from '../decimal.ts'
import { costOfNext } from './bookedOn.ts'
import { billingOf, type MakegoodFacts, type Spots } from './makegoodFacts.ts'

/** Returns an offer as it is agreed, at the price of what it replaces; undefined if less than that is left to make good. */
export function agree(offer: MakegoodOffer, facts: MakegoodFacts, spots: Spots): AgreedMakegood | undefined {
  const replaces: AgreedMakegood['replaces'] = []
  for (const { unit_id, date, units } of offer.replaces) {
    const booked = spots.booked(unit_id, date)
    if (booked === undefined || units > spots.left(booked)) return undefined
    const { made_good, credited } = spots.account(unit_id, date)
    const gross = jsonNumber(costOfNext(booked, made_good + credited, units))
    replaces.push({ unit_id, date, units, network: booked.network, gross })
  }
  return { ...offer, replaces, gross: jsonNumber(sum(replaces.map(({ gross }) => gross))), billing: billingOf(facts) }
}

/**
 * Returns what of missed units can be credited: units that did not air and are neither made good nor credited, at most what variances have left
 * of the date.
 */
export function creditsOf(missed: readonly MissedUnits[], spots: Spots): CreditedUnits[] {
  return missed.flatMap(({ unit_id, date, units }): CreditedUnits[] => {
    const booked = spots.booked(unit_id, date)
    const count = booked === undefined ? 0 : Math.min(units, spots.left(booked))
    if (booked === undefined || count === 0) return []
    const { made_good, credited } = spots.account(unit_id, date)
    const taken = made_good + credited
    const left = booked.costOf(booked.units - taken).minus(decimal(spots.reconciled(unit_id, date).credited))
    const gross = atLeastZero(lesser(costOfNext(booked, taken, count), left))
    const { network } = booked
    return [{ unit_id, date, units: count, network, gross: jsonNumber(gross), broadcast_month: broadcastMonthOf(date) }]
  })
}

function lesser(one: Decimal, other: Decimal): Decimal {
  return one.lt(other) ? one : other
}

function atLeastZero(amount: Decimal): Decimal {
  return amount.lt(decimal(0)) ? decimal(0) : amount
}
