import { describe, expect, it } from '@jest/globals'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { renderCsv } from '../../../src/adapters/tables/renderCsv.ts'
import { CSV_COLUMNS, type CsvRow, csvRows } from '../../../src/domain/edi/csvRows.ts'
import type { OrderState } from '../../../src/domain/order/state.ts'
import { useSellerRows } from '../../support/drops/sellerRows.ts'
import { bookedOrder } from '../../support/settlement/sendPosts.ts'

const { drop, market, rows } = useSellerRows()

/** The csv of an order as its seller returns it: a row for each spot, with what was left empty filled in and everything else as it was. */
async function returned(orderId: string, more: CsvRow = {}): Promise<{ text: string; spots: number }> {
  const order = (await market.deps.orders.load(orderId)) as OrderState
  const sent: CsvRow[] = parse(renderCsv(CSV_COLUMNS, csvRows(order, { event: 'placed' })), { columns: true })
  const filled = sent.flatMap((row) =>
    Array.from({ length: Number(row.units) }, (_, spot) => ({
      ...row,
      ...{ air_time: `20:${10 + spot}`, run_code: 'Y', invoice_number: `I-${orderId}`, invoice_date: '2030-06-30' },
      ...more,
    })),
  )
  return { text: stringify(filled, { header: true, columns: [...CSV_COLUMNS] }), spots: filled.length }
}

const fileOf = (text: string) => ({ filename: 'invoice.csv', type: 'delivery_posts' as const, text })

describe('the csv of an order that is returned filled in', () => {
  it.each(['-77', '=1+1', "'-77", "''@x", 'plain 77'])('is taken whole, with the id %j', async (external_order_id) => {
    const buyer_metadata = { advertiser_id: 'adv-1', estimate_id: '+9' }
    const orderId = await bookedOrder(market, { external_order_id, buyer_metadata })
    const { text, spots } = await returned(orderId)
    expect(await drop(fileOf(text), 'cable')).toMatchObject({ status: 'success', rows_written: spots, rows_rejected: 0 })
    expect(spots).toBeGreaterThan(1)
    const stored = await rows('select distinct order_id, count(*)::int as spots from billed_rows where order_id = $1 group by 1', orderId)
    expect(stored).toEqual([{ order_id: orderId, spots }])
  })

  it('is refused where its references are not of one order', async () => {
    const [one, other] = [
      await bookedOrder(market, { external_order_id: 'one' }),
      await bookedOrder(market, { external_order_id: 'other' }),
    ]
    const refused = async (more: CsvRow, field: string) => {
      const { status, errors } = await drop(fileOf((await returned(one, more)).text), 'cable')
      expect({ status, error: errors[0] }).toMatchObject({ status: 'rejected', error: { row: 2, error_code: 'INVALID_ENTRY', field } })
      return errors[0]?.message
    }
    expect(await refused({ external_order_id: 'other' }, 'external_order_id')).toMatch(/of the same order as the other references/)
    expect(await refused({ order_id: other }, 'seller_order_id')).toMatch(/of the same order/)
    expect(await refused({ seller_order_id: 'S-none' }, 'seller_order_id')).toMatch(/of the same order/)
    expect(await refused({ order_id: 'ord_none' }, 'order_id')).toMatch(/must name an order of this seller/)
  })
})
