import type { Allocation, LineResult } from '../../contract/lineItem.ts'
import { type IsoDate, localDate } from '../calendar.ts'
import { earliestDate } from '../order/localDates.ts'
import type { OrderState } from '../order/state.ts'
import { receiptOf } from '../order/supersede.ts'

/** The dates on which a line of a placed order is in force: from the first, until the day before the end. Undefined is no bound. */
interface DatesInForce {
  readonly from: IsoDate | undefined
  readonly end: IsoDate | undefined
}

/**
 * Returns whether a line of a placed order is in force on a booked date: from the date on which the order's predecessor in the family ended,
 * until the day before the order was canceled itself, both in the time zone of the line's product. Each air date thus belongs to one order
 * of a family (choices, Invoices: basis, family).
 */
export function inForceOn(order: OrderState): (unitId: string | null, on: Pick<Allocation, 'date'>) => boolean {
  const datesOf = datesInForce(order)
  return (unitId, { date }) => {
    const { from, end } = datesOf(unitId)
    return (from === undefined || date >= from) && (end === undefined || date < end)
  }
}

/** Returns the units of a line on dates that belong to an earlier order of the family. */
export function unitsBefore({ unit_id, allocation }: Pick<LineResult, 'unit_id' | 'allocation'>, order: OrderState): number {
  const { from } = datesInForce(order)(unit_id)
  return from === undefined ? 0 : allocation.reduce((total, { date, units }) => (date < from ? total + units : total), 0)
}

/**
 * Returns the date of the cancel event, never issued_at, in the time zone of the products, the earliest if they have several. Undefined if
 * the order is not canceled. Dates before it stay booked and billed.
 */
export function canceledDate({ status, since, bookings }: Pick<OrderState, 'status' | 'since' | 'bookings'>): IsoDate | undefined {
  return status === 'canceled' ? earliestDate(since, bookings) : undefined
}

function datesInForce(order: OrderState): (unitId: string | null) => DatesInForce {
  const { in_force_at } = receiptOf(order) ?? {}
  const zones = new Map(order.bookings.map(({ unit_id, timezone }) => [unit_id, timezone]))
  const known = new Map<string | undefined, DatesInForce>()
  return (unitId) => {
    const zone = unitId === null ? undefined : zones.get(unitId)
    const dates = known.get(zone) ?? {
      from: in_force_at === undefined ? undefined : localDate(in_force_at, zone),
      end: order.status === 'canceled' ? localDate(order.since, zone) : undefined,
    }
    known.set(zone, dates)
    return dates
  }
}
