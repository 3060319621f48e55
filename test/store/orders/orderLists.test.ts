import { describe, expect, it } from '@jest/globals'
import { listOrders } from '../../../src/store/orders/orderLists.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const BUYER = { entity: 'acme', side: 'buyer' } as const
const NOW = '2026-12-01T00:00:00.000Z'

describe('a list by filters over a long book', () => {
  const BOOK = 25_000
  it('looks at 10,000 orders for a page at most, and its cursors lead to every match', async () => {
    const orderId = await market.created()
    await market.owner().query(
      `insert into orders (order_id, seller, buyer_entity, external_order_id, workflow, status, last_seq, created_at, updated_at, closed,
         snapshot_head, snapshot_lines, advertiser_id, first_air_date)
       select 'ord_0' || lpad(n::text, 25, '0'), seller, buyer_entity, 'seed-' || n, 'catalog', 'rejected', 3, created_at, updated_at, true,
         snapshot_head, snapshot_lines, 'adv-seed', date '2031-01-01' + n % 10000
       from orders, generate_series(1, $2::int) n where order_id = $1`,
      [orderId, BOOK],
    )
    const pages = []
    let after: readonly string[] | undefined
    do {
      const page = await listOrders(market.deps.db, BUYER, { air_from: '2058-05-17', limit: 50, ...(after && { after }) }, NOW)
      pages.push(page.orders.length)
      after = page.last
    } while (after !== undefined)
    expect([pages.length, pages.reduce((sum, orders) => sum + orders, 0)]).toEqual([3, 4])

    const find = async (q: string) => (await listOrders(market.deps.db, BUYER, { q, limit: 50 }, NOW)).orders.length
    expect([await find('seed-24999'), await find('seed-2499'), await find('seed-')]).toEqual([1, 11, 50])
    await market.owner().query(`delete from orders where advertiser_id = 'adv-seed'`)
  })
})

describe('an approval queue whose orders are due at one instant', () => {
  it.each([
    ['whole', {}],
    ['of one seller', { seller: 'cable' }],
    ['by filters', { workflow: ['catalog'] as const }],
  ])('is paged %s: each order comes once', async (_, filter) => {
    const ids = [await market.parked(), await market.parked(), await market.parked(), await market.parked(), await market.parked()]
    const due = await market.owner().query('select order_id, decide_by::text from orders where order_id = any($1)', [ids])
    await market.owner().query(`update orders set decide_by = '2031-01-01T00:00:00Z' where order_id = any($1)`, [ids])
    const found: string[] = []
    let after: readonly string[] | undefined
    do {
      const reader = { entity: 'cable', side: 'seller' } as const
      const page = await listOrders(
        market.deps.db,
        reader,
        { ...filter, status: ['seller_review'], limit: 2, ...(after && { after }) },
        NOW,
      )
      found.push(...page.orders.map((text) => JSON.parse(text).order_id))
      after = page.last
    } while (after !== undefined)
    for (const { order_id, decide_by } of due.rows)
      await market.owner().query('update orders set decide_by = $2 where order_id = $1', [order_id, decide_by])
    expect(found.filter((id) => ids.includes(id))).toEqual(ids)
    expect(new Set(found).size).toBe(found.length)
  })
})
