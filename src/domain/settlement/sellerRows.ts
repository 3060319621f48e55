import { dateOfDay, dayOf, type IsoDate } from '../calendar.ts'
import { broadcastDayOf, type LocalTime, localTime, startOfBroadcastDay } from './localTime.ts'

/** A row of a seller's log or invoice, without the file that contained it. */
export interface SellerRow {
  readonly record_type: 'as_run' | 'invoice'
  readonly network: string
  readonly air_date: IsoDate
  /** HH:MM or HH:MM:SS, up to 29:59 on the broadcast clock. Every aired spot has one. */
  readonly air_time?: string | undefined
  readonly clock: 'calendar' | 'broadcast'
  readonly spot_length: number
  readonly isci?: string | undefined
  readonly unit_id?: string | undefined
  readonly makegood_for_unit_id?: string | undefined
  readonly makegood_for_date?: IsoDate | undefined
  /** What the row says besides, which decides nothing. */
  readonly makegood_for?: string[] | undefined
  readonly is_bonus?: boolean | undefined
  readonly is_adu?: boolean | undefined
  readonly is_credit?: boolean | undefined
  readonly seller_line_id?: string | undefined
  /** Whether the log says that the spot aired, or the invoice bills it. */
  readonly ran: boolean
  readonly reason?: string | undefined
  readonly invoice_number?: string | undefined
  /** The billed gross amount. */
  readonly rate?: number | undefined
}

/** A row with its time. */
export interface Airing {
  readonly row: SellerRow
  readonly at: LocalTime
  /** The number of its broadcast day. */
  readonly day: number
}

/** Returns the rows in an order that depends only on their content. */
export function airingsOf(rows: readonly SellerRow[]): Airing[] {
  return rows.map(airingOf).sort(compareAirings)
}

function airingOf(row: SellerRow): Airing {
  const { at, day } = timeOf(row)
  return { row, at, day }
}

/** The date, time and clock of a row. */
type WrittenTime = Pick<SellerRow, 'air_date' | 'air_time' | 'clock'>

/** Returns a row's time, or else its day's start. On the broadcast clock, times before 06:00 end the broadcast day, like 24:00 to 29:59. */
function timeOf({ air_date, air_time, clock }: WrittenTime): Pick<Airing, 'at' | 'day'> {
  if (air_time === undefined) return { at: startOfBroadcastDay(dayOf(air_date)), day: dayOf(air_date) }
  const written = localTime(air_date, air_time)
  const at = clock === 'broadcast' && written < startOfBroadcastDay(dayOf(air_date)) ? localTime(air_date, nextDay(air_time)) : written
  return { at, day: clock === 'broadcast' ? dayOf(air_date) : broadcastDayOf(at) }
}

/** Returns the date of the broadcast day of a row. */
export function broadcastDateOf(row: WrittenTime): IsoDate {
  return dateOfDay(timeOf(row).day)
}

function nextDay(time: string): string {
  return `${Number(time.slice(0, 2)) + 24}${time.slice(2)}`
}

/** Compares by time, network, length, copy, line and rate; the other members only decide between rows that match alike. */
export function compareAirings(a: Airing, b: Airing): number {
  return (
    a.at - b.at ||
    compareText(a.row.network, b.row.network) ||
    a.row.spot_length - b.row.spot_length ||
    compareText(a.row.isci, b.row.isci) ||
    compareText(a.row.unit_id, b.row.unit_id) ||
    (a.row.rate ?? -1) - (b.row.rate ?? -1) ||
    compareText(a.row.makegood_for_unit_id, b.row.makegood_for_unit_id) ||
    compareText(a.row.makegood_for_date, b.row.makegood_for_date) ||
    compareText(a.row.invoice_number, b.row.invoice_number) ||
    compareText(a.row.reason, b.row.reason) ||
    compareText(a.row.clock, b.row.clock) ||
    compareText(a.row.air_date, b.row.air_date) ||
    compareText(a.row.air_time, b.row.air_time) ||
    compareText(a.row.seller_line_id, b.row.seller_line_id) ||
    compareText(a.row.makegood_for?.join('|'), b.row.makegood_for?.join('|')) ||
    Number(a.row.is_bonus ?? false) - Number(b.row.is_bonus ?? false) ||
    Number(a.row.is_adu ?? false) - Number(b.row.is_adu ?? false) ||
    Number(a.row.is_credit ?? false) - Number(b.row.is_credit ?? false)
  )
}

export function compareText(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0
}
