import type { MakegoodGuidelines, MakegoodOffer } from '../../contract/makegood.ts'
import { mondayOfDate } from '../calendar.ts'
import { decimal, sum } from '../decimal.ts'
import type { OrderState } from '../order/state.ts'
import type { BookedDate } from './bookedOn.ts'
import { flightOf, type Spots } from './makegoodFacts.ts'

/** Returns the first offer that the guidelines of the agreement accept in the buyer's place; undefined if a person must decide. */
export function offerWithin(
  guidelines: MakegoodGuidelines | undefined,
  offers: readonly MakegoodOffer[],
  order: OrderState,
  spots: Spots,
): MakegoodOffer | undefined {
  if (guidelines === undefined) return undefined
  return offers.find((offer) => fitsGuidelines(guidelines, offer, order, spots))
}

/** Evaluates guidelines. What cannot be evaluated does not fit. */
export function fitsGuidelines({ auto_accept }: MakegoodGuidelines, offer: MakegoodOffer, order: OrderState, spots: Spots): boolean {
  const replaced = offer.replaces.flatMap(({ unit_id, date, units }) => {
    const booked = spots.booked(unit_id, date)
    return booked === undefined ? [] : [{ booked, units }]
  })
  const { same_product, same_length, within, ratio, audience_floor_pct } = auto_accept
  const units = replaced.reduce((total, one) => total + one.units, 0)
  if (replaced.length === 0 || decimal(offer.units).lt(decimal(ratio).times(decimal(units)))) return false
  if (same_product && replaced.some(({ booked }) => booked.product_id !== offer.product_id)) return false
  if (same_length && replaced.some(({ booked }) => booked.spot_length !== offer.spot_length)) return false
  if (!isWithin(within, offer, replaced, order)) return false
  return audience_floor_pct === undefined || reaches(audience_floor_pct, offer, replaced)
}

type Replaced = readonly { readonly booked: BookedDate; readonly units: number }[]

function isWithin(within: 'week' | 'flight', { date }: MakegoodOffer, replaced: Replaced, order: OrderState): boolean {
  if (within === 'week') return replaced.every(({ booked }) => mondayOfDate(booked.date) === mondayOfDate(date))
  const flight = flightOf(order)
  return flight !== undefined && date >= flight.start && date <= flight.end
}

function reaches(floorPct: number, { impressions, units }: MakegoodOffer, replaced: Replaced): boolean {
  const lost = replaced.map(
    ({ booked, units: count }) => booked.impressions_per_unit && decimal(booked.impressions_per_unit).times(decimal(count)),
  )
  if (impressions === undefined || lost.some((each) => each === undefined)) return false
  const needed = sum(lost.map((each) => each ?? 0)).times(decimal(floorPct))
  return decimal(impressions).times(decimal(units)).times(decimal(100)).gte(needed)
}
