import { beforeAll, describe, expect, it } from '@jest/globals'
import { feedSettled } from '../../support/engines/feedSettled.ts'
import { decideOrder } from '../../support/orders/decisions.ts'
import { useMarket } from '../../support/useMarket.ts'

const MIB = 1024 * 1024
const ORDERS = 10

/** Orders whose events and heads are large: a page of them by count alone would be many MiB. */
const market = useMarket()
const orderIds: string[] = []
beforeAll(async () => {
  const buyer_contact = { name: 'Bea', note: 'x'.repeat(220_000) }
  const line_items = Array.from({ length: 250 }, () => market.line())
  for (let made = 0; made < ORDERS; made += 1) {
    const orderId = await market.created({ line_items, buyer_metadata: { advertiser_id: 'adv-1', buyer_contact } })
    await market.validate(orderId)
    orderIds.push(orderId)
  }
  // Each event of a negotiation carries all lines and counters of its order.
  const counter = { week: '2030-W24', unit_cost: 999 }
  for (const orderId of orderIds.slice(0, 2)) {
    const { line_items } = await market.snapshot(orderId)
    for (let round = 0; round < 3; round += 1) {
      const units = line_items.map(({ unit_id }) => ({ unit_id, action: 'counter', counter: { ...counter, unit_cost: 999 - round } }))
      const reply = await decideOrder(market, orderId, { decision: 'counter', units })
      expect([reply.status, reply.body.error_message]).toEqual([202, undefined])
    }
  }
})

interface Walk {
  sizes: number[]
  items: { order_id?: string; seq: number }[]
}

/** Follows next_cursor until a page is empty or there is no next one. */
async function walk(path: (cursor: string) => string, member: 'events' | 'orders'): Promise<Walk> {
  const found: Walk = { sizes: [], items: [] }
  for (let cursor = ''; ; ) {
    const { status, text, body } = await market.acme.get(path(cursor))
    expect(status).toBe(200)
    found.items.push(...body[member])
    if (body[member].length === 0) return found
    found.sizes.push(text.length)
    if (body.next_cursor === null) return found
    cursor = body.next_cursor
  }
}
const onFrom = (name: string) => (cursor: string) => (cursor === '' ? '' : `&${name}=${cursor}`)
const keys = (items: Walk['items']) => items.map(({ order_id, seq }) => `${order_id}:${seq}`)

describe('pages of large events and orders', () => {
  it.each([
    ['all', ''],
    ['filtered', '&events=order.status_changed'],
  ])('of the feed end at 1 MiB, and the next continues where they end: %s', async (_, filter) => {
    await feedSettled(market.deps.db)
    const found = await walk((cursor) => `/events/feed?limit=500${filter}${onFrom('after')(cursor)}`, 'events')
    expect(found.sizes.length).toBeGreaterThan(2)
    expect(Math.max(...found.sizes)).toBeLessThan(MIB + 1_000)
    const ofOrders = found.items.filter(({ order_id }) => order_id !== undefined)
    expect(new Set(keys(ofOrders)).size).toBe(ofOrders.length)
    for (const orderId of orderIds) {
      const seqs = found.items.filter(({ order_id }) => order_id === orderId).map(({ seq }) => seq)
      expect(seqs.length).toBeGreaterThanOrEqual(2)
      expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] as number) + index))
    }
  })

  it.each([
    ['the order book', '/orders?limit=200'],
    ['some statuses', '/orders?limit=200&status=seller_review,negotiating'],
  ])('of %s end at 1 MiB, and the next continues where they end', async (_, path) => {
    const found = await walk((cursor) => `${path}${onFrom('cursor')(cursor)}`, 'orders')
    expect(found.sizes.length).toBeGreaterThan(1)
    expect(Math.max(...found.sizes)).toBeLessThan(MIB + 10_000)
    expect(found.items.map(({ order_id }) => order_id)).toEqual([...orderIds].reverse())
  })

  it("of the seller's queue end at 1 MiB, and the next continues where they end", async () => {
    const first = await market.cable.get('/me/orders?limit=200&status=seller_review')
    expect(first.text.length).toBeLessThan(MIB + 10_000)
    const rest = await market.cable.get(`/me/orders?limit=200&status=seller_review&cursor=${first.body.next_cursor}`)
    const all = [...first.body.orders, ...rest.body.orders].map(({ order_id }) => order_id)
    expect(new Set(all).size).toBe(all.length)
    expect(all.length).toBeGreaterThan(first.body.orders.length)
  })

  it('of a replay end at 1 MiB, and hold at least one event', async () => {
    const [orderId = ''] = orderIds
    const seqs: number[] = []
    let pages = 0
    for (let last = 0; ; ) {
      const { body, text } = await market.acme.get(`/events?order=${orderId}&after_seq=${last}&limit=500`)
      expect(text.length).toBeLessThan(MIB + 1_000)
      expect(body.events.length).toBeGreaterThanOrEqual(1)
      seqs.push(...body.events.map(({ seq }: { seq: number }) => seq))
      last = seqs.at(-1) as number
      pages += 1
      if (last === body.last_seq) break
    }
    expect(pages).toBeGreaterThan(1)
    expect(seqs).toEqual(seqs.map((_, index) => index + 1))
  })
})
