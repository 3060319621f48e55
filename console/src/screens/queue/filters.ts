import type { OrderRow } from '../../api/queries/orders.ts'
import { type ListVerdicts, toneOf } from '../../order/listVerdicts.ts'

/** Sorts by deadline; orders without a deadline come last, oldest first. */
export function byDeadline(one: OrderRow, other: OrderRow): number {
  return dueOf(one) - dueOf(other) || Date.parse(one.created_at) - Date.parse(other.created_at)
}

export function isOverdue({ waiting_on }: OrderRow): boolean {
  return waiting_on?.overdue ?? false
}

/** Whether one of an order's ids or names contains the text. */
export function matches({ order_id, external_order_id, buyer_entity, buyer_metadata }: OrderRow, text: string): boolean {
  const wanted = text.trim().toLowerCase()
  return (
    wanted === '' ||
    [order_id, external_order_id, buyer_entity, buyer_metadata.advertiser_id].some((value) => value.toLowerCase().includes(wanted))
  )
}

function dueOf({ waiting_on }: OrderRow): number {
  return waiting_on?.due_by === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(waiting_on.due_by)
}

const TONES = ['good', 'warn', 'bad', undefined] as const

/** Sorts what speaks for itself first, then what is to be looked at, each by deadline; orders without a verdict come last. */
export function byVerdict(rows: readonly OrderRow[], { of }: ListVerdicts): OrderRow[] {
  const rank = ({ order_id }: OrderRow) => TONES.indexOf(toneOf(of.get(order_id)))
  return rows.toSorted((one, other) => rank(one) - rank(other))
}
