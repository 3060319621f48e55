import type { LineResult } from '../contract/lineItem.ts'
import type { OrderSnapshot } from '../contract/order.ts'
import { addDays, broadcastMonthOf, datesOfPeriod, type IsoDate } from '../domain/calendar.ts'
import { habitOf } from './habits.ts'

/** A spot that is sent for a line, by what is wrong with it. Each takes one accepted unit, if there are so many. */
interface Wrong {
  readonly air_time?: string
  readonly spot_length?: number
  readonly over?: number
  readonly days?: number
  readonly preempted?: string
  readonly isci?: string
  readonly isLogged?: false
  readonly isBilled?: false
  readonly again?: true
}

/** What is wrong with the spots of a line, in turn; every further one is right. */
const WRONGS: readonly Wrong[] = [
  { over: 250 },
  { air_time: '23:10:00' },
  { spot_length: 15 },
  { preempted: 'Breaking news', isBilled: false },
  { isLogged: false },
  { isBilled: false },
  { days: 8 },
  { again: true },
  { isci: 'WRONG0001000H' },
]

/** The log and the invoice of a month, as rows of delivery posts. */
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
  const sent = lines.flatMap((line) => sentOf(line).map((spot) => rowsOf(order, line, spot)))
  const log = sent.flatMap((spot) => spot.log)
  const invoice = sent.flatMap((spot) => spot.invoice)
  return { drop_id: `sbx-${order.order_id}`, rows: { log, invoice } }
}

interface Spot extends Wrong {
  readonly date: IsoDate
  readonly number: number
}

function sentOf({ allocation }: LineResult): Spot[] {
  const dates = allocation.flatMap(({ date, units }) => Array.from({ length: units }, () => date))
  return dates.flatMap((date, number) => {
    const { again, ...wrong } = WRONGS[number] ?? {}
    const spot = { ...wrong, date, number }
    return again ? [spot, { ...spot, number: number + 200 }] : [spot]
  })
}

function rowsOf({ order_id }: OrderSnapshot, { unit_id, network, spot_length, rate, creative_snapshot }: LineResult, spot: Spot) {
  const { date, number, days = 0, air_time, preempted, over = 0 } = spot
  // Spots of a line are nine minutes apart from 19:00 on, so that each matches its own row.
  const minute = (number % 19) * 9
  const time = air_time ?? `${String(19 + Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`
  const isci = spot.isci ?? creative_snapshot?.creative_code
  const aired = {
    ...{ order_id, unit_id, network, air_date: addDays(date, days), air_time: time, spot_length: spot.spot_length ?? spot_length },
    ...(isci === undefined ? {} : { isci }),
  }
  const month = broadcastMonthOf(date)
  const head = {
    invoice_number: `SBX-${order_id.slice(-8)}`,
    invoice_date: addDays(datesOfPeriod('month', month).last, 1),
    broadcast_month: month,
  }
  const status = preempted === undefined ? { status: 'Aired' } : { status: 'Preempted', reason: preempted }
  return {
    log: spot.isLogged === false ? [] : [{ record_type: 'as_run', ...aired, ...status, log_id: order_id }],
    invoice:
      spot.isBilled === false
        ? []
        : [{ record_type: 'invoice', ...aired, ...head, currency: 'USD', run_code: 'Y', rate: (rate.unit_cost ?? 0) + over }],
  }
}
