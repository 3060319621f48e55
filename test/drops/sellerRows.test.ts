import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { DropResult } from '../../src/contract/drop.ts'
import { openSpool } from '../../src/drops/spool.ts'
import type { StageDeps } from '../../src/drops/stage.ts'
import { closeOrder } from '../../src/orders/closeOrder.ts'
import { readDrop } from '../../src/store/drops/drops.ts'
import { type FileToDrop, ingest, landDrop } from '../support/drops/drops.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/files/temporaryFolder.ts'
import { bookOrders } from '../support/settlement/bookOrders.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
let folder: TemporaryFolder
let deps: StageDeps
let made = 0
beforeAll(async () => {
  folder = await temporaryFolder()
  deps = { db: market.deps.db, drops: market.deps.drops, spool: openSpool(folder.path), productsPerSeller: 100 }
  await bookOrders(
    market.deps.db,
    { order_id: 'ord_1', seller_order_id: 'S-1', external_order_id: 'ext-1', units: ['u1'], isci: ['ONE'] },
    { order_id: 'ord_2', seller_order_id: 'S-2', external_order_id: 'twice', units: ['u2'], isci: ['TWO', 'BOTH'] },
    { order_id: 'ord_3', seller_order_id: 'S-3', external_order_id: 'twice', units: ['u3'], isci: ['THREE', 'BOTH'] },
    { order_id: 'ord_other', seller: 'cable', seller_order_id: 'S-9', external_order_id: 'ext-9', units: ['u9'], isci: ['NINE'] },
  )
})
afterAll(() => folder.remove())

const rows = async (sql: string, ...values: unknown[]) => (await market.deps.db.pool.query(sql, values)).rows
const posts = (...entries: object[]): FileToDrop => ({
  filename: 'posts.jsonl',
  type: 'delivery_posts',
  text: entries.map((entry) => JSON.stringify(entry)).join('\n'),
})
async function drop(file: FileToDrop, seller = 'station'): Promise<DropResult> {
  made += 1
  const name = { seller, drop_id: `rows-${made}` }
  await landDrop(deps, name, [file])
  await ingest(deps, name)
  return JSON.parse((await readDrop(deps.db, seller, name.drop_id))?.result ?? 'null')
}
const logged = (more: object = {}) => ({
  ...{
    record_type: 'as_run',
    order_id: 'ord_1',
    network: 'CBL',
    air_date: '2026-12-07',
    air_time: '20:10',
    spot_length: 30,
    status: 'Aired',
  },
  ...more,
})
const billed = (more: object = {}) => ({
  ...{ record_type: 'invoice', order_id: 'ord_1', network: 'CBL', air_date: '2026-12-07', air_time: '20:10', spot_length: 30, rate: 100 },
  ...{ invoice_number: 'I-1', invoice_date: '2026-12-28', broadcast_month: '2026-12', currency: 'USD', run_code: 'Y' },
  ...more,
})
const posted = (more: object = {}) => ({
  ...{ record_type: 'post', order_id: 'ord_1', unit_id: 'u1', network: 'CBL', air_date: '2026-12-07' },
  ...{ audience_code: 'A25-54', stream: 'C3', impressions: 1000.5, final: true },
  ...more,
})
const due = async () =>
  (await rows(`delete from reconcile_due where seller = 'station' returning order_id`)).map(({ order_id }) => order_id).sort()
beforeEach(async () => {
  for (const table of ['as_run_days', 'as_run_rows', 'seller_invoices', 'billed_rows', 'post_rows', 'reconcile_due'])
    await rows(`delete from ${table}`)
})

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

describe('of an order and its revision', () => {
  afterAll(async () => {
    for (const table of ['booked_orders', 'orders']) await market.owner().query(`delete from ${table} where order_id like 'S-7%'`)
  })

  /** Revised on its third of five days, under the same number of the seller. */
  const family = async (name: string) => {
    await rows(
      `insert into orders (order_id, seller, buyer_entity, external_order_id, workflow, status, last_seq, created_at, updated_at, snapshot_head, snapshot_lines, placed_at, root)
        select id, 'station', 'acme', id, 'catalog', status, 3, now(), '2026-12-09T15:00:00Z', '{', '', placed_at::timestamptz, $1 || '_a'
        from (values ($1 || '_a', 'canceled', '2026-12-01'), ($1 || '_b', 'placed', '2026-12-09T15:00:00Z')) as member (id, status, placed_at)`,
      name,
    )
    const isci = [`${name}-copy`]
    const dated = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => `2026-12-${String(from + index).padStart(2, '0')}`)
    for (const [member, from, to] of [
      ['a', 7, 8],
      ['b', 9, 11],
    ] as const)
      await bookOrders(market.deps.db, {
        order_id: `${name}_${member}`,
        seller_order_id: name,
        units: [`${name}_u${member}`],
        isci,
        air_dates: dated(from, to),
      })
  }

  it('a row goes to the one in force on its date, by a name that both have and by their copy', async () => {
    await family('S-77')
    const dates = ['2026-12-07', '2026-12-08', '2026-12-09', '2026-12-10']
    const owners = ['S-77_a', 'S-77_a', 'S-77_b', 'S-77_b']
    const named = dates.map((air_date) => billed({ order_id: undefined, seller_order_id: 'S-77', air_date }))
    const copied = dates.map((air_date) => logged({ order_id: undefined, isci: 'S-77-copy', air_date }))
    expect(await drop(posts(...named, ...copied))).toMatchObject({ status: 'success', rows_written: 8 })
    for (const table of ['billed_rows', 'as_run_rows'])
      expect((await rows(`select order_id from ${table} order by air_date`)).map(({ order_id }) => order_id)).toEqual(owners)
  })

  it('a row that names a line goes to the one that has the line', async () => {
    await family('S-78')
    const row = (unit_id: string) => billed({ order_id: undefined, seller_order_id: 'S-78', unit_id, air_date: '2026-12-08' })
    expect(await drop(posts(row('S-78_ua'), row('S-78_ub'), row('u1')))).toMatchObject({
      rows_written: 2,
      errors: [{ row: 3, field: 'unit_id' }],
    })
    expect((await rows('select order_id from billed_rows order by row')).map(({ order_id }) => order_id)).toEqual(['S-78_a', 'S-78_b'])
  })
})

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
