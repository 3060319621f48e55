import { describe, expect, it } from '@jest/globals'
import { csvRows } from '../../../src/domain/edi/csvRows.ts'
import { aPlacedOrder, EXAMPLE_LINES } from '../../support/edi/anEdiOrder.ts'

describe('csvRows', () => {
  it('has a row for each unit_id and date, with what an invoice row needs and a seller fills in', () => {
    const buyer_metadata = { advertiser_id: 'adv-1', estimate_id: 'est-1' }
    const { order } = aPlacedOrder({ lines: EXAMPLE_LINES, buyer_metadata })
    const rows = csvRows(order, { event: 'placed' })
    expect(rows).toHaveLength(18)
    expect(rows[0]).toEqual({
      record_type: 'invoice',
      order_id: 'ord_1',
      seller_order_id: 'so_platform',
      external_order_id: 'ext-1',
      unit_id: 'unit_1',
      network: 'CBL',
      air_date: '2027-02-01',
      clock: 'calendar',
      spot_length: '30',
      broadcast_month: '2027-02',
      currency: 'USD',
      rate: '4200',
      status: 'confirmed',
      units: '3',
      estimate_id: 'est-1',
    })
    expect(rows.at(-1)).toMatchObject({
      unit_id: 'unit_2',
      air_date: '2027-04-02',
      broadcast_month: '2027-04',
      rate: '1302.925',
      units: '1',
    })
    expect(rows.reduce((total, { units }) => total + Number(units), 0)).toBe(24)
  })
})
