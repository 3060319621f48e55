import type { LineResult } from '../../contract/lineItem.ts'
import type { OrderSnapshot } from '../../contract/order.ts'
import { type IsoDate, mondayOfDate } from '../../domain/calendar.ts'
import { eachVariance, type PostedLine } from './eachVariance.ts'
import { habitOf } from './habits.ts'

/** The rows of delivery posts by the name of their file, and the drop that they come in: one for each order. */
export interface Posts {
  readonly drop_id: string
  readonly rows: Readonly<Record<'log' | 'invoice', readonly object[]>>
}

/** Returns what is sent about an order's lines that are billed wrong, once their dates are over; undefined if none is. */
export function wrongPosts(order: OrderSnapshot, today: IsoDate): Posts | undefined {
  const lines = order.line_items.filter(({ product_id, allocation }) => {
    return habitOf(order.seller, product_id)?.bills === 'wrong' && allocation.length > 0 && allocation.every(({ date }) => date < today)
  })
  if (lines.length === 0) return undefined
  const posted = lines.map((line) => eachVariance(postedLine(order, line)))
  return {
    drop_id: `sbx-${order.order_id}`,
    rows: { log: posted.flatMap(({ log }) => log), invoice: posted.flatMap(({ invoice }) => invoice) },
  }
}

function postedLine({ order_id }: OrderSnapshot, line: LineResult): PostedLine {
  const { unit_id, network, spot_length, rate } = line
  return {
    ...{ order_id, unit_id, network, spot_length, monday: mondayOf(line) },
    isci: { ordered: line.creative_snapshot?.creative_code, other: 'WRONG0001000H' },
    ...{ price: rate.unit_cost ?? 0, over: 250, currency: rate.currency, invoice_number: `SBX-${order_id.slice(-8)}` },
  }
}

function mondayOf({ allocation }: LineResult): IsoDate {
  return mondayOfDate(allocation.map(({ date }) => date).sort()[0] ?? '')
}
