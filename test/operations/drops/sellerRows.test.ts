import { describe, expect, it } from '@jest/globals'
import { closeOrder } from '../../../src/operations/orders/closeOrder.ts'
import { billed, logged, posts, useSellerRows } from '../../support/drops/sellerRows.ts'
import { bookOrders } from '../../support/settlement/bookOrders.ts'

const { drop, due, market, rows } = useSellerRows()

describe('a row', () => {
  it.each([
    ['order_id', 'ord_2'],
    ['seller_order_id', 'S-2'],
    ['external_order_id', 'ext-1'],
  ])('goes to the order that it names by %s', async (field, value) => {
    const named = { order_id: undefined, [field]: value }
    expect(await drop(posts(logged(named), billed(named)))).toMatchObject({ status: 'success', rows_written: 2 })
    const order_id = value === 'ext-1' ? 'ord_1' : 'ord_2'
    expect(await rows('select order_id from as_run_rows union all select order_id from billed_rows')).toEqual([{ order_id }, { order_id }])
    expect(await due()).toContain(order_id)
  })

  it.each([
    ['order_id', { order_id: 'ord_none' }, /order of this seller/],
    ['order_id', { order_id: 'ord_other' }, /order of this seller/],
    ['seller_order_id', { order_id: undefined, seller_order_id: 'S-9' }, /order of this seller/],
    ['external_order_id', { order_id: undefined, external_order_id: 'ext-9' }, /order of this seller/],
    ['external_order_id', { order_id: undefined, external_order_id: 'twice' }, /several/],
    ['unit_id', { unit_id: 'u2' }, /line of the order/],
    ['unit_id', { unit_id: 'u9' }, /line of the order/],
    ['makegood_for_unit_id', { makegood_for_unit_id: 'none' }, /line of the order/],
    ['currency', { currency: 'EUR' }, /currency of the order/],
  ])('is refused for %s: %j', async (field, more, message) => {
    const value = (more as Record<string, unknown>)[field]
    const { status, errors, rows_written, rows_rejected } = await drop(posts(billed(more), billed({ air_time: '21:00' })))
    expect({ status, rows_written, rows_rejected }).toEqual({ status: 'partial', rows_written: 1, rows_rejected: 1 })
    expect(errors).toMatchObject([{ row: 1, error_code: 'INVALID_ENTRY', field, value, message: expect.stringMatching(message) }])
    expect(await rows('select order_id, row from billed_rows')).toEqual([{ order_id: 'ord_1', row: '2' }])
  })

  it('of a log without a name goes to the one order of its copy within a day, else is counted', async () => {
    const anonymous = (isci: string | undefined, more: object = {}) => logged({ order_id: undefined, isci, ...more })
    const result = await drop(
      posts(
        anonymous('ONE'),
        anonymous('TWO', { air_date: '2026-12-08' }),
        anonymous('THREE', { air_date: '2026-12-09', air_time: '05:00' }),
        ...[anonymous('ONE', { air_date: '2026-12-09' }), anonymous('BOTH'), anonymous('NINE'), anonymous(undefined)],
        anonymous('ONE', { network: 'OTHER' }),
      ),
    )
    expect(result).toMatchObject({
      status: 'success',
      counts: { delivery_posts: { rows_written: 3, rows_rejected: 0, rows_unattached: 5 } },
    })
    expect(await rows('select order_id, broadcast_date from as_run_rows order by row')).toEqual([
      { order_id: 'ord_1', broadcast_date: '2026-12-07' },
      { order_id: 'ord_2', broadcast_date: '2026-12-08' },
      { order_id: 'ord_3', broadcast_date: '2026-12-08' },
    ])
  })
})

describe('a log whose status says nothing', () => {
  it('is warned about by word with its count, and changes nothing', async () => {
    const statuses = ['Scheduled', 'Zorp', 'Aired', 'Zorp', 'Scheduled', 'Zorp', 'zorp']
    const result = await drop(posts(...statuses.map((status, index) => logged({ status, air_time: `20:1${index}` }))))
    expect(result).toMatchObject({ status: 'success', rows_written: 1 })
    expect(result.counts).toEqual({ delivery_posts: { rows_written: 1, rows_rejected: 0, rows_unattached: 0, rows_undecided: 6 } })
    expect(result.warnings.map(({ row, code, message }) => [row, code, message])).toEqual([
      [1, 'UNDECIDED_STATUS', expect.stringContaining('2 rows, from row 1 on, have the status "Scheduled"')],
      [2, 'UNKNOWN_STATUS', expect.stringContaining('3 rows, from row 2 on, have the status "Zorp"')],
      [7, 'UNKNOWN_STATUS', expect.stringContaining('Row 7 has the status "zorp"')],
    ])
    expect(await rows('select status from as_run_rows')).toEqual([{ status: 'Aired' }])
  })

  it('is no log of its day', async () => {
    await drop(posts(logged({ status: 'Scheduled', air_time: undefined })))
    expect([await rows('select from as_run_days'), await rows('select from as_run_rows')]).toEqual([[], []])
  })

  it('is warned about once, however many slices its rows fill', async () => {
    const { warnings } = await drop(posts(...Array.from({ length: 10_001 }, () => logged({ status: 'Zorp' }))))
    expect(warnings).toMatchObject([{ code: 'UNKNOWN_STATUS', message: expect.stringContaining('10001 rows') }])
  })
})

it('a file with rows that named no order is checked again once orders are placed, and replayed until then', async () => {
  const file = posts(logged({ order_id: undefined, external_order_id: 'later', air_date: '2030-06-03' }))
  const { drop_id } = await drop(file, 'cable')
  expect(await drop(file, 'cable')).toMatchObject({ status: 'rejected', replay_of: drop_id })
  const order_id = await market.placed({ external_order_id: 'later' })
  const again = await drop(file, 'cable')
  expect(again).toMatchObject({ status: 'success', rows_written: 1 })
  expect(await rows('select order_id from as_run_rows')).toEqual([{ order_id }])
})

describe('a day of a log', () => {
  it('is due for every order that is booked on it, once it is there', async () => {
    const file = posts(logged({ order_id: 'ord_3' }))
    await drop(file)
    expect(await due()).toEqual(['ord_1', 'ord_2', 'ord_3'])
    await drop(posts(logged({ order_id: 'ord_3', air_time: '20:11' })))
    expect(await due()).toEqual(['ord_3'])
  })
})

describe('a placed order', () => {
  const close = (orderId: string) => closeOrder(market.deps.orders, market.deps.db, orderId)
  const bookedOf = (orderId: string) =>
    rows('select air_date, units, price, gross, windows from booked_spots where order_id = $1 order by air_date', orderId)

  it('is booked by its closing step: what its lines allocate at their rates', async () => {
    const orderId = await market.placed()
    await close(orderId)
    await close(orderId)
    const { line_items } = await market.snapshot(orderId)
    const { allocation = [] } = line_items[0] ?? {}
    const booked = await bookedOf(orderId)
    expect(booked.map(({ air_date, units }) => ({ date: air_date, units }))).toEqual(allocation)
    expect(booked.reduce((sum, { gross }) => sum + Number(gross), 0)).toBe(12_505)
    expect(booked[0].windows).toEqual([{ start: '20:00', end: '23:00' }])
    expect(await rows('select order_id from reconcile_due where order_id = $1', orderId)).toHaveLength(1)
  })

  it('keeps its windows, and has no units from the day on which it is canceled', async () => {
    const orderId = await market.placed()
    await close(orderId)
    await rows(`update booked_spots set windows = '[{"start":"01:00","end":"02:00"}]' where order_id = $1`, orderId)
    expect((await market.acme.post(`/orders/${orderId}/cancel`, {})).status).toBe(202)
    await close(orderId)
    const booked = await bookedOf(orderId)
    expect(booked.map(({ units, gross, windows }) => [units, gross, windows[0].start])).toEqual(booked.map(() => [0, '0', '01:00']))
  })

  it('is booked when a row names it before that', async () => {
    const orderId = await market.placed()
    const [unit] = (await market.snapshot(orderId)).line_items
    const row = logged({ order_id: orderId, unit_id: unit?.unit_id, air_date: '2030-06-03' })
    expect(await drop(posts(row), 'cable')).toMatchObject({ status: 'success', rows_written: 1 })
    expect(await bookedOf(orderId)).not.toEqual([])
    expect(await rows('select count(*)::int as n from as_run_rows where order_id = $1', orderId)).toEqual([{ n: 1 }])
  })

  it('refuses its lines if nothing can be booked of it', async () => {
    await bookOrders(market.deps.db, { order_id: 'ord_lost', units: ['u1'] })
    await rows(`update booked_orders set booked_seq = null where order_id = 'ord_lost'`)
    await rows(`delete from booked_spots where order_id = 'ord_lost'`)
    const sent = posts(logged({ order_id: 'ord_lost' }), logged({ order_id: 'ord_lost', unit_id: 'u1', air_time: '21:00' }))
    expect(await drop(sent)).toMatchObject({ status: 'partial', rows_written: 1, errors: [{ row: 2, field: 'unit_id' }] })
  })

  it('is not booked before it is placed', async () => {
    const orderId = await market.parked()
    expect((await market.acme.post(`/orders/${orderId}/cancel`, {})).status).toBe(202)
    await close(orderId)
    expect(await rows('select from booked_orders where order_id = $1', orderId)).toEqual([])
  })
})
