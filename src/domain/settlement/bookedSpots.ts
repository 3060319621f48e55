import type { Product } from '../../contract/product.ts'
import type { IsoDate } from '../calendar.ts'
import { windowsOn } from '../edi/airTime.ts'
import { acceptedLines, impressionsByUnit, unitCost } from '../edi/blocks.ts'
import { type AirWindow, windowsOf } from '../edi/describeOrder.ts'
import { amountOf } from '../lines/lineResult.ts'
import type { OrderState } from '../order/state.ts'
import { placedAt } from '../order/supersede.ts'
import { inForceOn } from './datesInForce.ts'

/** The identical spots that a line books on one date and network. */
export interface BookedSpots {
  readonly unit_id: string
  readonly network: string
  readonly air_date: IsoDate
  /** The kind of spot. A mirror airs alongside the spots of its line and has no price. */
  readonly kind: 'spot' | 'mirror'
  readonly product_id: string
  readonly units: number
  readonly spot_length: number
  /** The windows of the date, in local time. An end that is not after its start is on the next date. */
  readonly windows: readonly SpotWindow[]
  /** The codes of the copy that may air; empty if the line names none. */
  readonly isci: readonly string[]
  /** The price of one unit, unrounded. */
  readonly price: string
  /** The cost of all units, so that the dates of a line add up to the line. */
  readonly gross: string
}

export interface SpotWindow {
  readonly start: string
  readonly end: string
}

/** The facts about an order's bookings that are not part of the order. */
export interface BookedTerms {
  readonly products: readonly Product[]
  /** The codes of the buyer's creatives, by creative_id. */
  readonly isci: ReadonlyMap<string, string>
}

/** The window of a product that has none on a date: any time of the broadcast day. */
const WHOLE_DAY: SpotWindow = { start: '06:00', end: '06:00' }

/** Returns the bookings of an order, none before it is placed. Dates on which it is not in force have no units. */
export function bookedSpots(order: OrderState, terms: BookedTerms): BookedSpots[] {
  if (placedAt(order) === undefined) return []
  const impressions = impressionsByUnit(order)
  const products = new Map(terms.products.map((product) => [product.product_id, product]))
  const isInForce = inForceOn(order)
  return acceptedLines(order).flatMap((line) => {
    const { unit_id, spot_length, rate } = line
    const costOf = (units: number) => amountOf(rate, units, impressions.get(unit_id))
    const price = unitCost(line, impressions.get(unit_id)).toFixed()
    const dates = line.allocation.map(({ date }) => date)
    const windows = windowsByDate(products.get(line.product_id), dates)
    const mirrorWindows = windowsByDate(products.get(line.mirror?.product_id ?? ''), dates)
    const isci = codesOf(line, terms.isci)
    let before = 0
    return line.allocation.flatMap(({ date, units }): BookedSpots[] => {
      const gross = costOf(before + units)
        .minus(costOf(before))
        .toFixed()
      before += units
      const isBooked = isInForce(unit_id, { date })
      const { product_id, network, mirror } = line
      const alike = { unit_id, air_date: date, units: isBooked ? units : 0, spot_length, isci }
      const spot: BookedSpots = {
        ...alike,
        kind: 'spot',
        product_id,
        network,
        windows: windows(date),
        price,
        gross: isBooked ? gross : '0',
      }
      if (mirror === undefined) return [spot]
      const free = { kind: 'mirror', price: '0', gross: '0' } as const
      return [spot, { ...alike, ...free, product_id: mirror.product_id, network: mirror.network, windows: mirrorWindows(date) }]
    })
  })
}

/** Returns the windows in which a product airs on each of some dates: the whole broadcast day where it has none. */
export function windowsByDate(product: Product | undefined, dates: readonly IsoDate[]): (date: IsoDate) => SpotWindow[] {
  const windows: AirWindow[] = product === undefined ? [] : windowsOf(product, new Set(dates))
  return (date) => {
    const covering = windowsOn(windows, [date]).filter((window) => window.date === undefined || window.date === date)
    return covering.length === 0 ? [WHOLE_DAY] : covering.map(({ start, end }) => ({ start, end }))
  }
}

function codesOf(line: OrderState['lines'][number], registry: BookedTerms['isci']): string[] {
  const own = line.creative_snapshot === undefined ? [] : [line.creative_snapshot.creative_code]
  const splits = line.traffic_instructions?.creative_splits.flatMap(({ creative_id }) => registry.get(creative_id) ?? []) ?? []
  return [...new Set([...own, ...splits])].sort()
}
