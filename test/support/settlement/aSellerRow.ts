import type { BookedSpots } from '../../../src/domain/settlement/bookedSpots.ts'
import type { SellerRow } from '../../../src/domain/settlement/sellerRows.ts'

/** Returns two spots of a line at 100.00 each, from 20:00 to 23:00 on Monday, 2026-12-07. */
export function someSpots({ units = 2, price = '100', ...more }: Partial<BookedSpots> = {}): BookedSpots {
  const gross = String(Number(price) * units)
  return {
    unit_id: 'unit_a',
    network: 'CBL',
    air_date: '2026-12-07',
    kind: 'spot',
    product_id: 'prime',
    spot_length: 30,
    windows: [{ start: '20:00', end: '23:00' }],
    isci: ['COPY1'],
    ...more,
    units,
    price,
    gross: more.gross ?? gross,
  }
}

/** Returns a row of a log: a spot of that line, at 20:30. */
export function anAiring(more: Partial<SellerRow> = {}): SellerRow {
  return {
    record_type: 'as_run',
    network: 'CBL',
    air_date: '2026-12-07',
    air_time: '20:30:10',
    clock: 'calendar',
    spot_length: 30,
    isci: 'COPY1',
    ran: true,
    ...more,
  }
}

/** Returns the same on an invoice. */
export function aBill(more: Partial<SellerRow> = {}): SellerRow {
  return { ...anAiring(), record_type: 'invoice', invoice_number: 'INV-1', rate: 100, ...more }
}
