import type { OrderEvent } from '../../../src/contract/event.ts'
import { canonicalJson } from '../../../src/domain/canonicalJson.ts'
import { fold, type OrderState } from '../../../src/domain/order/state.ts'
import { bookedSpots } from '../../../src/domain/settlement/bookedSpots.ts'
import type { Violation } from './invariants.ts'
import type { StoredOrder } from './invariantsFold.ts'

/** The bookings of an order, as the tables store them. */
export interface StoredBooking {
  booked_seq: number
  /** unit_id, air_date, kind, network, units, price, gross */
  spots: [string, string, string, string, number, string, string][]
}

/** Checks that the data with which sellers' files are matched equals the log at its writing. Windows and copies are not in the log. */
export function brokenBooking({ order_id, booked, events }: StoredOrder, { request, facts }: OrderState): Violation[] {
  if (booked === null) return []
  const order = fold(
    request,
    facts,
    events.slice(0, booked.booked_seq).map((body): OrderEvent => JSON.parse(body)),
  )
  const expected = bookedSpots(order, { products: [], isci: new Map() }).map((spot) => {
    const { unit_id, air_date, kind, network, units, price, gross } = spot
    return JSON.stringify([unit_id, air_date, kind, network, units, price, gross])
  })
  if (canonicalJson(booked.spots.map((spot) => JSON.stringify(spot)).sort()) === canonicalJson(expected.sort())) return []
  return [{ invariant: 'I17', order_id, problem: `its booked spots are not those of event ${booked.booked_seq}` }]
}
