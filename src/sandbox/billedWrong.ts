import type { LineResult } from '../contract/lineItem.ts'
import type { OrderSnapshot } from '../contract/order.ts'
import { addDays, broadcastMonthOf, datesOfPeriod, type IsoDate, mondayOfDate } from '../domain/calendar.ts'
import { habitOf } from './habits.ts'

/** The units of a line in one week of which every variance is sent: four each on Monday, Wednesday and Friday. */
export const UNITS_OF_EACH_VARIANCE = 12

/** A spot of the log and the invoice; by default it aired and was billed at its price. */
interface Spot {
  /** Days after the Monday of the line's week. */
  readonly day: number
  readonly air_time: string
  readonly spot_length?: number
  readonly isci?: string
  /** What is billed over the price. */
  readonly over?: number
  /** The reason why it did not air. */
  readonly preempted?: string
  readonly isLogged?: false
  readonly isBilled?: false
  /** The day of the spot that it makes good. */
  readonly makesGood?: number
}

/** What is sent of each line: with 12 units, one variance of each code at least. */
const SENT: readonly Spot[] = [
  { day: 0, air_time: '19:12:30', over: 250 },
  { day: 0, air_time: '20:10:00' },
  { day: 0, air_time: '21:41:15', isBilled: false },
  { day: 0, air_time: '22:41:00' },
  { day: 2, air_time: '19:20:00' },
  { day: 2, air_time: '20:33:45', spot_length: 15 },
  { day: 2, air_time: '21:15:00', isci: 'WRONG0001000H' },
  { day: 2, air_time: '21:50:00', preempted: 'Breaking news', isBilled: false },
  { day: 4, air_time: '19:30:00' },
  { day: 4, air_time: '21:30:00', isLogged: false },
  { day: 5, air_time: '20:40:00', makesGood: 4 },
  { day: 6, air_time: '20:05:00' },
  { day: 7, air_time: '20:05:00' },
  { day: 7, air_time: '20:05:30' },
]

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
  const sent = lines.flatMap((line) => SENT.map((spot) => ({ spot, row: rowOf(order, line, spot), line })))
  return {
    drop_id: `sbx-${order.order_id}`,
    rows: {
      log: sent.flatMap(({ spot, row }) => (spot.isLogged === false ? [] : [logged(order, spot, row)])),
      invoice: sent.flatMap(({ spot, row, line }) => (spot.isBilled === false ? [] : [billed(order, line, spot, row)])),
    },
  }
}

type Row = ReturnType<typeof rowOf>

function rowOf({ order_id }: OrderSnapshot, line: LineResult, { day, air_time, makesGood, ...spot }: Spot) {
  const monday = mondayOf(line)
  const isci = spot.isci ?? line.creative_snapshot?.creative_code
  return {
    ...{ order_id, unit_id: line.unit_id, network: line.network, air_date: addDays(monday, day), air_time },
    spot_length: spot.spot_length ?? line.spot_length,
    ...(isci === undefined ? {} : { isci }),
    ...(makesGood === undefined ? {} : { makegood_for_unit_id: line.unit_id, makegood_for_date: addDays(monday, makesGood) }),
  }
}

function logged({ order_id }: OrderSnapshot, { preempted }: Spot, row: Row) {
  const status = preempted === undefined ? { status: 'Aired' } : { status: 'Preempted', reason: preempted }
  return { record_type: 'as_run', ...row, ...status, log_id: order_id }
}

function billed({ order_id }: OrderSnapshot, line: LineResult, { over = 0 }: Spot, row: Row) {
  const broadcast_month = broadcastMonthOf(mondayOf(line))
  const invoice_date = addDays(datesOfPeriod('month', broadcast_month).last, 1)
  const head = { invoice_number: `SBX-${order_id.slice(-8)}`, invoice_date, broadcast_month, currency: line.rate.currency, run_code: 'Y' }
  return { record_type: 'invoice', ...row, ...head, rate: (line.rate.unit_cost ?? 0) + over }
}

function mondayOf({ allocation }: LineResult): IsoDate {
  return mondayOfDate(allocation.map(({ date }) => date).sort()[0] ?? '')
}
