import { addDays } from '../calendar.ts'

/** The members of a row of delivery posts that make its identity. */
export interface PostRow {
  readonly record_type: 'as_run' | 'invoice' | 'post'
  readonly network?: string
  readonly air_date?: string
  readonly air_time?: string
  readonly clock?: 'calendar' | 'broadcast'
  readonly log_id?: string
  readonly invoice_number?: string
  readonly unit_id?: string
  readonly audience_code?: string
  readonly stream?: string
}

/** Names what a row is part of. A file that brings rows of it replaces it whole: an invoice, a day of a network's log, a post of one date. */
export function postIdentity(row: PostRow): string {
  switch (row.record_type) {
    case 'invoice':
      return JSON.stringify([row.invoice_number])
    case 'as_run':
      return JSON.stringify([row.network, broadcastDate(row), row.log_id ?? null])
    case 'post':
      return JSON.stringify([row.unit_id, row.air_date, row.audience_code, row.stream])
  }
}

/** A broadcast day lasts from 06:00 to 05:59 of the next. */
function broadcastDate({ air_date, air_time = '', clock = 'calendar' }: PostRow): string | undefined {
  return air_date !== undefined && clock === 'calendar' && air_time < '06:00' && air_time !== '' ? addDays(air_date, -1) : air_date
}
