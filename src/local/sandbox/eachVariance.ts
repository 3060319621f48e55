import { addDays, broadcastMonthOf, datesOfPeriod, type IsoDate } from '../../domain/calendar.ts'

/** The units of a line in one week of which each variance is sent: four each on Monday, Wednesday and Friday. */
export const UNITS_OF_EACH_VARIANCE = 12

/** A line of an order, as its seller's log and invoice tell of it. */
export interface PostedLine {
  readonly order_id: string
  readonly unit_id: string
  readonly network: string
  readonly monday: IsoDate
  readonly spot_length: number
  /** Of the creative that it was ordered with, and of another one. */
  readonly isci: { readonly ordered: string | undefined; readonly other: string }
  /** In major units: of a spot, and what one of them is billed over it. */
  readonly price: number
  readonly over: number
  readonly currency: string
  readonly invoice_number: string
}

/** A spot of the log and the invoice; by default it aired as ordered, and was billed at its price. */
interface PostedSpot {
  /** Days after the Monday of the line's week. */
  readonly day: number
  readonly air_time: string
  readonly spot_length?: number
  readonly isOtherCopy?: true
  readonly isDearer?: true
  /** The reason why it did not air. */
  readonly preempted?: string
  readonly isLogged?: false
  readonly isBilled?: false
  /** The day of the spot that it makes good. */
  readonly makesGood?: number
}

const SPOTS: readonly PostedSpot[] = [
  { day: 0, air_time: '19:12:30', isDearer: true },
  { day: 0, air_time: '20:10:00' },
  { day: 0, air_time: '21:41:15', isBilled: false },
  { day: 0, air_time: '22:41:00' },
  { day: 2, air_time: '19:20:00' },
  { day: 2, air_time: '20:33:45', spot_length: 15 },
  { day: 2, air_time: '21:15:00', isOtherCopy: true },
  { day: 2, air_time: '21:50:00', preempted: 'Breaking news', isBilled: false },
  { day: 4, air_time: '19:30:00' },
  { day: 4, air_time: '21:30:00', isLogged: false },
  { day: 5, air_time: '20:40:00', makesGood: 4 },
  { day: 6, air_time: '20:05:00' },
  { day: 7, air_time: '20:05:00' },
  { day: 7, air_time: '20:05:30' },
]

/** Returns the rows of a log and an invoice in which a line of twelve units has one variance of each code at least (docs/sell/reconciliation.md). */
export function eachVariance(line: PostedLine) {
  return {
    log: SPOTS.filter(({ isLogged }) => isLogged !== false).map((spot) => logged(line, spot)),
    invoice: SPOTS.filter(({ isBilled }) => isBilled !== false).map((spot) => billed(line, spot)),
  }
}

function rowOf({ order_id, unit_id, network, monday, ...line }: PostedLine, spot: PostedSpot) {
  const isci = spot.isOtherCopy ? line.isci.other : line.isci.ordered
  return {
    ...{ order_id, unit_id, network, air_date: addDays(monday, spot.day), air_time: spot.air_time },
    spot_length: spot.spot_length ?? line.spot_length,
    ...(isci === undefined ? {} : { isci }),
    ...(spot.makesGood === undefined ? {} : { makegood_for_unit_id: unit_id, makegood_for_date: addDays(monday, spot.makesGood) }),
  }
}

function logged(line: PostedLine, spot: PostedSpot) {
  const status = spot.preempted === undefined ? { status: 'Aired' } : { status: 'Preempted', reason: spot.preempted }
  return { record_type: 'as_run', ...rowOf(line, spot), ...status, log_id: line.order_id }
}

function billed(line: PostedLine, spot: PostedSpot) {
  const { invoice_number, currency, price, over } = line
  const broadcast_month = broadcastMonthOf(line.monday)
  const invoice_date = addDays(datesOfPeriod('month', broadcast_month).last, 1)
  const head = { invoice_number, invoice_date, broadcast_month, currency, run_code: 'Y' }
  return { record_type: 'invoice', ...rowOf(line, spot), ...head, rate: price + (spot.isDearer ? over : 0) }
}
