import type { Allocation, LineResult } from '../../contract/lineItem.ts'
import { dateOf, type IsoDate } from '../calendar.ts'
import type { OrderState } from '../order/state.ts'
import { receiptOf } from '../order/supersede.ts'

/**
 * Returns whether a placed order is in force on a booked date: from the date on which its predecessor in the family ended, until the day
 * before it was canceled itself. Each air date thus belongs to one order of a family (choices, Invoices: basis, family).
 */
export function inForceOn(order: OrderState): (on: Pick<Allocation, 'date'>) => boolean {
  const [from, end] = [firstDate(order), canceledDate(order)]
  return ({ date }) => (from === undefined || date >= from) && (end === undefined || date < end)
}

/** Returns the units of a line on dates that belong to an earlier order of the family. */
export function unitsBefore({ allocation }: Pick<LineResult, 'allocation'>, order: OrderState): number {
  const from = firstDate(order)
  return from === undefined ? 0 : allocation.reduce((total, { date, units }) => (date < from ? total + units : total), 0)
}

/** Returns the UTC date of the cancel event, never issued_at; undefined if the order is not canceled. Dates before it stay booked and billed. */
export function canceledDate({ status, since }: Pick<OrderState, 'status' | 'since'>): IsoDate | undefined {
  return status === 'canceled' ? dateOf(since) : undefined
}

function firstDate(order: OrderState): IsoDate | undefined {
  return receiptOf(order)?.in_force_from ?? order.facts.in_force_from
}
