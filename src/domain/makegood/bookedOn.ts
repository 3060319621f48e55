import type { IsoDate } from '../calendar.ts'
import type { Decimal } from '../decimal.ts'
import { acceptedLines } from '../edi/blocks.ts'
import { amountOf } from '../lines/lineResult.ts'
import { bookingOf, type OrderState } from '../order/state.ts'
import { inForceOn } from '../settlement/datesInForce.ts'
import { keyOf } from '../settlement/keyOf.ts'

/** The units that a line books on a date. */
export interface BookedDate {
  readonly unit_id: string
  readonly date: IsoDate
  readonly product_id: string
  readonly network: string
  readonly spot_length: number
  readonly timezone: string | undefined
  readonly impressions_per_unit: number | undefined
  /** 0 on a date on which the order is not in force. */
  readonly units: number
  /** The cost of the first units of the date, so that the dates of a line add up to the line. */
  costOf(units: number): Decimal
}

/** Returns what an order books, by `spotKey`. */
export function bookedOn(order: OrderState): ReadonlyMap<string, BookedDate> {
  const isInForce = inForceOn(order)
  const booked = new Map<string, BookedDate>()
  for (const line of acceptedLines(order)) {
    const { unit_id, product_id, network, spot_length, rate } = line
    const { timezone, impressions_per_unit } = bookingOf(order, line)
    let counted = 0
    for (const { date, units } of line.allocation) {
      const before = counted
      const upTo = (count: number) => amountOf(rate, before + count, impressions_per_unit)
      booked.set(spotKey(unit_id, date), {
        ...{ unit_id, date, product_id, network, spot_length, timezone, impressions_per_unit },
        units: isInForce(unit_id, { date }) ? units : 0,
        costOf: (count) => upTo(count).minus(upTo(0)),
      })
      counted += units
    }
  }
  return booked
}

export function spotKey(unitId: string, date: IsoDate): string {
  return keyOf(unitId, date)
}

/**
 * Returns what units of a date cost, of which makegoods and credits have taken some before. They are taken from the last unit down, so that what is
 * taken and what is left add up to the date, to the minor unit, whatever is taken later.
 */
export function costOfNext(booked: BookedDate, taken: number, units: number): Decimal {
  return booked.costOf(booked.units - taken).minus(booked.costOf(booked.units - taken - units))
}
