import { describe, expect, it } from '@jest/globals'
import { VARIANCE_CODES } from '../../../src/contract/vocabulary/reconciliation.ts'
import { broadcastMonthOf } from '../../../src/domain/calendar.ts'
import { allocate } from '../../../src/domain/lines/allocation.ts'
import { type ReconcileInput, reconcile } from '../../../src/domain/settlement/reconcile.ts'
import type { SellerRow } from '../../../src/domain/settlement/sellerRows.ts'
import { COPY, catalogOf, lastMonth, orderOfMonth, sentOf } from '../../../src/local/demo/lastMonth.ts'
import { someSpots } from '../../support/settlement/aSellerRow.ts'

const NOWS = ['2026-11-23T20:00:00.000Z', '2027-01-04T13:59:59.000Z', '2026-12-28T14:00:00.000Z', '2027-03-01T15:00:00.000Z']

describe.each(NOWS)('the month that the demo settles at %s', (now) => {
  const month = lastMonth(now)
  const order = orderOfMonth(month, { seller: 'lakeshore-28', rate_version: 'v1', agreement_id: 'agr-1', creative_id: 'crv_1' })
  const { products } = catalogOf(month).catalog
  const [line] = order.line_items ?? []
  const { log, invoice } = sentOf(month, 'ord_1', 'unit_a')

  it('lies in one broadcast month', () => {
    expect(new Set(month.dates.map(broadcastMonthOf))).toEqual(new Set([month.month]))
  })

  it('has one variance of each kind', () => {
    const network = products[0]?.network ?? ''
    const airing = [0, 2, 4].map((day) => month.dates[day] ?? '')
    const booked = allocate(line?.units ?? 0, airing).map(({ date, units }) =>
      someSpots({ network, air_date: date, units, price: '4200', windows: [{ start: '19:00', end: '22:00' }], isci: [COPY.creative_code] }),
    )
    const rows = [...log, ...invoice].map((row) => ({ ...row, clock: 'calendar', ran: row.status !== 'Preempted' }) as unknown as SellerRow)
    const loggedDays = log.map(({ air_date }) => ({ network, broadcast_date: String(air_date) }))
    const input: ReconcileInput = { currency: 'USD', booked, rows, loggedDays, invoicedMonths: [month.month] }
    const { lines, totals } = reconcile(input)
    const found = lines.flatMap(({ variances }) => variances.map(({ code, units }) => [code, units]))
    expect(found.sort()).toEqual(VARIANCE_CODES.map((code) => [code, 1]).sort())
    expect(totals).toMatchObject({
      ordered: 12,
      open: 0,
      missed: 2,
      makegood: 1,
      unordered: 1,
      duplicate: 1,
      billed: 12,
      variance_gross: 300,
    })
  })
})
