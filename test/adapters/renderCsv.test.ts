import { describe, expect, it } from '@jest/globals'
import { parse } from 'csv-parse/sync'
import { renderCsv } from '../../src/adapters/tables/renderCsv.ts'
import { CSV_COLUMNS, csvRows } from '../../src/domain/edi/csvRows.ts'
import { aPlacedOrder } from '../support/edi/anEdiOrder.ts'

const read = (external_order_id: string): Record<string, string>[] => {
  const { order } = aPlacedOrder({ external_order_id })
  return parse(renderCsv(CSV_COLUMNS, csvRows(order, { event: 'placed' })), { columns: true })
}

describe('renderCsv', () => {
  it('has every column of an invoice row in its head, and a row for each unit_id and date', () => {
    const rows = read('ext-1')
    expect(rows).toHaveLength(3)
    expect(Object.keys(rows[0] ?? {})).toEqual([...CSV_COLUMNS])
    expect(rows[2]).toMatchObject({ external_order_id: 'ext-1', air_date: '2026-12-11', units: '2', invoice_number: '', air_time: '' })
  })

  it.each(["=cmd|' /C calc'!A0", '@SUM(1)', '+1', '-1', '\tx', '\rx'])('quotes %j, which a spreadsheet would run', (id) => {
    expect(read(id)[0]?.external_order_id).toBe(`'${id}`)
  })

  it.each(['a,b', 'say "x"', 'a\r\nb', '\u{1f600}'])('keeps %j verbatim', (id) => {
    expect(read(id)[0]?.external_order_id).toBe(id)
  })
})
