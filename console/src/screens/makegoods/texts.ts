import type { Makegood, MakegoodStatus } from '../../api/queries/makegoods.ts'
import type { Order, OrderLine, Side } from '../../api/queries/orders.ts'
import { countText, priceText } from '../../ui/Money.tsx'

/** What each status means to its reader. */
export const STATUSES: Readonly<Record<MakegoodStatus, string>> = {
  noticed: 'does not air, nothing is offered yet',
  offered: 'waits for the buyer',
  accepted: 'agreed',
  declined: 'declined: the units may be noticed again',
  expired: 'expired without an answer: the units may be noticed again',
  recalled: 'taken back',
  credited: 'credited: nothing replaces the units',
}

export const REASONS = ['preempted', 'technical', 'program_change', 'audience_underdelivery', 'sold_over', 'other'] as const

/** Whether the makegood waits for a party. */
export function isOpen({ status }: Pick<Makegood, 'status'>): boolean {
  return status === 'noticed' || status === 'offered'
}

/** Returns the makegoods that wait, then the others, each as they came. */
export function openFirst(makegoods: readonly Makegood[]): Makegood[] {
  return [...makegoods.filter(isOpen), ...makegoods.filter((one) => !isOpen(one))]
}

/** Names a line by what it sells. */
export function titleOf(order: Order, unitId: string): string {
  const line = lineOf(order, unitId)
  return line?.product_title || line?.product_id || unitId
}

export function lineOf({ line_items }: Order, unitId: string): OrderLine | undefined {
  return line_items.find(({ unit_id }) => unit_id === unitId)
}

export interface Spot {
  readonly unit_id: string
  readonly date: string
  readonly units: number
}

/** `1 unit of Monday Night Football on 2027-02-01, at USD 4,200.00 each`. */
export function spotText(order: Order, { unit_id, date, units }: Spot): string {
  const line = lineOf(order, unit_id)
  const price = line === undefined ? '' : `, at ${priceText(line.rate, true)}${units === 1 ? '' : ' each'}`
  return `${countText(units, 'unit')} of ${titleOf(order, unit_id)} on ${date}${price}`
}

/** Returns the booked units of an order by line and date, the next date first. */
export function bookedSpots({ line_items }: Order): Spot[] {
  return line_items
    .filter(({ status }) => status === 'accepted')
    .flatMap(({ unit_id, allocation }) => allocation.map(({ date, units }) => ({ unit_id, date, units })))
    .filter(({ units }) => units > 0)
    .sort((one, other) => one.date.localeCompare(other.date))
}

/** Returns what this side may do with a makegood now. */
export function actsOf(side: Side, { status }: Makegood): readonly ('accept' | 'decline' | 'credit' | 'offer' | 'recall')[] {
  if (side === 'seller') return status === 'noticed' || status === 'offered' ? ['offer', 'recall'] : []
  if (status === 'offered') return ['accept', 'decline', 'credit']
  return status === 'noticed' ? ['credit'] : []
}
