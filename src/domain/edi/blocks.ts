import type { Allocation, LineResult } from '../../contract/lineItem.ts'
import type { EdiBuyType } from '../../contract/vocabulary/edi.ts'
import { addTo } from '../addTo.ts'
import { addUp } from '../addUp.ts'
import { broadcastMonthOf, type IsoDate, mondayOfDate } from '../calendar.ts'
import { type Decimal, decimal, sum } from '../decimal.ts'
import { amountOf } from '../lines/lineResult.ts'
import type { OrderState } from '../order/state.ts'
import { type AirTime, airTimeOf, windowsOn } from './airTime.ts'
import type { AirWindow, OrderDescriptors } from './describeOrder.ts'

/** The bookings of an order on one network in one broadcast month. */
export interface Block {
  network: string
  month: string
  pieces: Piece[]
}

/** The part of a line that airs in one block at one time of day. */
export interface Piece {
  line: LineResult
  airTime: AirTime
  /** The booked dates. */
  dates: IsoDate[]
  /** The units by the start of their week, which is the date itself unless the document counts by weeks. */
  units: Map<IsoDate, number>
  cost: Decimal
}

/**
 * Splits the accepted lines of an order into blocks by network and month. A piece costs its line's cost up to its last unit minus the cost
 * before its first, so the pieces add up to the line to the cent.
 */
export function blocksOf(order: Pick<OrderState, 'lines' | 'bookings'>, { products }: OrderDescriptors, buyType: EdiBuyType): Block[] {
  const impressions = impressionsByUnit(order)
  const blocks = new Map<string, Block>()
  for (const line of acceptedLines(order)) {
    let before = 0
    for (const piece of piecesOf(line, products[line.product_id]?.windows ?? [], buyType)) {
      const month = broadcastMonthOf(piece.dates[0] ?? '')
      const key = JSON.stringify([line.network, month])
      const block = blocks.get(key) ?? { network: line.network, month, pieces: [] }
      const upTo = before + unitsOf(piece)
      const costOf = (units: number) => amountOf(line.rate, units, impressions.get(line.unit_id))
      block.pieces.push({ ...piece, line, cost: costOf(upTo).minus(costOf(before)) })
      blocks.set(key, block)
      before = upTo
    }
  }
  return [...blocks.values()].sort((a, b) => compare(a.network, b.network) || compare(a.month, b.month))
}

/** Returns the accepted lines, sorted by unit_id. */
export function acceptedLines({ lines }: Pick<OrderState, 'lines'>): LineResult[] {
  return lines.filter(({ status }) => status === 'accepted').sort((a, b) => compare(a.unit_id, b.unit_id))
}

/** Returns the impressions of one unit, for each line that has them. */
export function impressionsByUnit({ bookings }: Pick<OrderState, 'bookings'>): ReadonlyMap<string, number> {
  return new Map(
    bookings.flatMap(({ unit_id, impressions_per_unit }) => (impressions_per_unit === undefined ? [] : [[unit_id, impressions_per_unit]])),
  )
}

/** Returns the cost of one unit, unrounded. */
export function unitCost({ rate }: LineResult, impressions: number | undefined): Decimal {
  if (rate.unit_cost !== undefined) return decimal(rate.unit_cost)
  return decimal(rate.cpm ?? 0)
    .times(decimal(impressions ?? 0))
    .times(decimal('0.001'))
}

export function unitsOf({ units }: Pick<Piece, 'units'>): number {
  return [...units.values()].reduce((total, count) => total + count, 0)
}

export function costOf(pieces: readonly Pick<Piece, 'cost'>[]): Decimal {
  return sum(pieces.map(({ cost }) => cost))
}

/** Splits a line by month, and by days also by time of day. By weeks a spot is only known by its week, so the piece has a single time. */
function piecesOf({ allocation }: LineResult, windows: readonly AirWindow[], buyType: EdiBuyType): Omit<Piece, 'line' | 'cost'>[] {
  return grouped(allocation, ({ date }) => broadcastMonthOf(date)).flatMap((inMonth) => {
    if (buyType === 'weekly') return [pieceOf(inMonth, windows, mondayOfDate)]
    const byTime = grouped(inMonth, ({ date }) => JSON.stringify(airTimeOf(windowsOn(windows, [date]))))
    return byTime.map((alike) => pieceOf(alike, windows, (date) => date))
  })
}

function pieceOf(
  allocation: readonly Allocation[],
  windows: readonly AirWindow[],
  startOf: (date: IsoDate) => IsoDate,
): Omit<Piece, 'line' | 'cost'> {
  const dates = allocation.map(({ date }) => date)
  const units = new Map<IsoDate, number>()
  for (const entry of allocation) {
    const start = startOf(entry.date)
    addUp(units, start, entry.units)
  }
  return { airTime: airTimeOf(windowsOn(windows, dates)), dates, units }
}

/** Groups entries, in the order of each group's first entry. */
function grouped<T>(entries: readonly T[], keyOf: (entry: T) => string): T[][] {
  const groups = new Map<string, T[]>()
  for (const entry of entries) addTo(groups, keyOf(entry), entry)
  return [...groups.values()]
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
