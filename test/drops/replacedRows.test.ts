import { describe, expect, it } from '@jest/globals'
import { billed, logged, posted, posts, useSellerRows } from '../support/drops/sellerRows.ts'

const { drop, due, rows } = useSellerRows()

describe('a later file', () => {
  it('replaces the day of a log whole, and no other day or log', async () => {
    await drop(posts(logged(), logged({ air_time: '21:10' }), logged({ air_date: '2026-12-08' }), logged({ log_id: 'L2' })))
    await due()
    await drop(posts(logged({ air_date: '2026-12-08', air_time: '05:30', order_id: 'ord_2' })))
    expect(await rows('select order_id, air_date, air_time, log_id from as_run_rows order by air_date, air_time, log_id')).toEqual([
      { order_id: 'ord_1', air_date: '2026-12-07', air_time: '20:10', log_id: 'L2' },
      { order_id: 'ord_2', air_date: '2026-12-08', air_time: '05:30', log_id: '' },
      { order_id: 'ord_1', air_date: '2026-12-08', air_time: '20:10', log_id: '' },
    ])
    expect(await due()).toEqual(['ord_1', 'ord_2'])
  })

  it('replaces an invoice whole, unless it comes before what it corrects', async () => {
    await drop(posts(billed({ revision: 2, rate: 90, invoice_gross: 90 }), billed({ revision: 2, rate: 95, air_time: '21:00' })))
    await drop(posts(billed({ revision: 1 }), billed({ revision: 1, order_id: 'ord_2' })))
    expect(await rows('select order_id, rate from billed_rows order by row')).toEqual([
      { order_id: 'ord_1', rate: '90' },
      { order_id: 'ord_1', rate: '95' },
    ])
    expect(await rows('select invoice_number, revision, gross from seller_invoices')).toEqual([
      { invoice_number: 'I-1', revision: '2', gross: '90' },
    ])
    await drop(posts(billed({ revision: 3, order_id: 'ord_2' })))
    expect(await rows('select order_id, rate from billed_rows')).toEqual([{ order_id: 'ord_2', rate: '100' }])
    expect(await due()).toEqual(['ord_1', 'ord_2'])
  })

  it('with the bytes of an earlier one changes nothing', async () => {
    const first = posts(billed({ rate: 80, revision: 1 }))
    await drop(first)
    await drop(posts(billed({ rate: 70, revision: 1 })))
    await due()
    expect(await drop(first)).toMatchObject({ status: 'success', replay_of: expect.any(String) })
    expect(await rows('select rate from billed_rows')).toEqual([{ rate: '70' }])
    expect(await due()).toEqual([])
  })

  it('replaces the post of a line, date, audience and stream', async () => {
    await drop(posts(posted({ final: false }), posted({ stream: 'C7' }), posted({ stream: 'C7', impressions: 7 })))
    await drop(posts(posted({ impressions: 2000 })))
    expect(await rows('select stream, impressions, final from post_rows order by stream')).toEqual([
      { stream: 'C3', impressions: '2000', final: true },
      { stream: 'C7', impressions: '7', final: true },
    ])
    expect(await due()).toEqual(['ord_1'])
  })

  it('of another seller under the same number leaves it', async () => {
    await drop(posts(billed()))
    await drop(posts(billed({ order_id: 'ord_other', rate: 5 })), 'cable')
    expect(await rows('select seller, rate from billed_rows order by seller')).toEqual([
      { seller: 'cable', rate: '5' },
      { seller: 'station', rate: '100' },
    ])
  })
})

describe('of two revisions the higher one stays', () => {
  const airedOn = (table: string) => rows(`select air_date, air_time, log_id from ${table} order by air_date, log_id, air_time`)
  const day7 = (more: object = {}) => logged({ air_date: '2026-12-07', ...more })
  const day8 = (more: object = {}) => logged({ air_date: '2026-12-08', ...more })

  it('for each log of a day by itself, whatever else its file has', async () => {
    await drop(
      posts(day7({ revision: 2, air_time: '20:01' }), day8({ air_time: '20:02' }), day8({ air_time: '20:03', log_id: 'L2', revision: 5 })),
    )
    await drop(
      posts(day7({ revision: 1, air_time: '21:01' }), day8({ revision: 1, air_time: '21:02' }), day8({ air_time: '21:03', log_id: 'L2' })),
    )
    expect(await airedOn('as_run_rows')).toEqual([
      { air_date: '2026-12-07', air_time: '20:01', log_id: '' },
      { air_date: '2026-12-08', air_time: '21:02', log_id: '' },
      { air_date: '2026-12-08', air_time: '20:03', log_id: 'L2' },
    ])
  })

  it('when the original comes after its correction, and when it is sent again after it', async () => {
    const original = posts(day7({ air_time: '20:00' }), day7({ air_time: '20:05' }), posted({ impressions: 1 }))
    const corrected = posts(day7({ air_time: '20:01', revision: 1 }), posted({ impressions: 2, revision: 1 }))
    const expected = async () => {
      expect(await airedOn('as_run_rows')).toEqual([{ air_date: '2026-12-07', air_time: '20:01', log_id: '' }])
      expect(await rows('select impressions, revision from post_rows')).toEqual([{ impressions: '2', revision: '1' }])
    }
    await drop(corrected)
    await drop(original)
    await expected()
    await drop({ ...original, text: `${original.text}\n` }) // other bytes, so not a replay
    await expected()
  })

  it('and of equal ones that of the later manifest', async () => {
    await drop(posts(day7({ air_time: '20:00', revision: 3 }), posted({ impressions: 1, revision: 3 })))
    await drop(posts(day7({ air_time: '20:01', revision: 3 }), posted({ impressions: 2, revision: 3 })))
    expect(await airedOn('as_run_rows')).toEqual([{ air_date: '2026-12-07', air_time: '20:01', log_id: '' }])
    expect(await rows('select impressions from post_rows')).toEqual([{ impressions: '2' }])
  })
})
