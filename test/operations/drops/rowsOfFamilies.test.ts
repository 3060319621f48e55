import { readFile } from 'node:fs/promises'
import { afterAll, describe, expect, it } from '@jest/globals'
import { billed, logged, posts, useSellerRows } from '../../support/drops/sellerRows.ts'
import { bookOrders } from '../../support/settlement/bookOrders.ts'

const { drop, market, rows } = useSellerRows()

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

  it('an order is in force until its end in the time zone of its products, where that is known', async () => {
    await family('S-79')
    // Canceled on the 9th in UTC, and on the 10th in Tokyo.
    await market.owner().query(`update booked_orders set ends_on = '2026-12-10' where order_id = 'S-79_a'`)
    const row = (air_date: string) => billed({ order_id: undefined, seller_order_id: 'S-79', air_date })
    expect(await drop(posts(row('2026-12-09'), row('2026-12-10')))).toMatchObject({ rows_written: 2 })
    expect((await rows('select order_id from billed_rows order by row')).map(({ order_id }) => order_id)).toEqual(['S-79_a', 'S-79_b'])
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

it('the examples of the documentation are taken whole', async () => {
  const unit = 'unit_06h07ca6asrx5cqx873b1enr34'
  const [seller_order_id, network] = ['WXYZ-4711', 'WXYZ']
  await bookOrders(market.deps.db, {
    order_id: 'ord_example',
    seller_order_id,
    network,
    units: [unit],
    isci: ['ADVR0001000H'],
    air_dates: ['2027-05-17'],
  })
  for (const [name, rows_written] of [
    ['as-run', 5],
    ['invoice', 4],
    ['audience-posts', 2],
  ] as const) {
    const text = await readFile(new URL(`../../../docs/examples/delivery-posts/${name}.csv`, import.meta.url), 'utf8')
    const result = await drop({ filename: `${name}.csv`, type: 'delivery_posts', text })
    expect(result).toMatchObject({ status: 'success', rows_written, rows_rejected: 0, errors: [] })
  }
  expect(await rows(`select count(*)::int as n from as_run_rows where order_id = 'ord_example'`)).toEqual([{ n: 5 }])
})
