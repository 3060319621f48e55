import { describe, expect, it, jest } from '@jest/globals'
import type { OrderSnapshot } from '../../../src/contract/order.ts'
import { cancel } from '../../../src/domain/order/cancel.ts'
import { decide } from '../../../src/domain/order/decide.ts'
import { snapshot } from '../../../src/domain/order/snapshot.ts'
import { fold } from '../../../src/domain/order/state.ts'
import { validate } from '../../../src/domain/order/validate.ts'
import { applyCommand } from '../../../src/operations/orders/applyCommand.ts'
import type { Reader } from '../../../src/store/orders/command.ts'
import { listOrders } from '../../../src/store/orders/orderLists.ts'
import { readSnapshot, replayEvents } from '../../../src/store/orders/orderReads.ts'
import { aLine, aMarket, CONTEXT, SELLER } from '../../support/orders/anOrder.ts'
import { command, negotiating, stored, storedEvents } from '../../support/orders/storedOrders.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const BUYER: Reader = { entity: 'buyer_one', side: 'buyer' }
const SELLING: Reader = { entity: SELLER, side: 'seller' }
const STRANGERS: Reader[] = [
  { entity: 'buyer_two', side: 'buyer' },
  { entity: 'seller_two', side: 'seller' },
  { entity: SELLER, side: 'buyer' }, // the right name on the wrong side
  { entity: 'buyer_one', side: 'seller' },
]
const NOW = '2026-12-01T00:00:00.000Z'
const db = useDatabase()

async function record(orderId: string) {
  const { rows } = await db.pool.query<{ request: string; facts: string; text: string }>(
    `select request, facts, snapshot_head || snapshot_lines || '}' as text from orders join order_records using (order_id) where order_id = $1`,
    [orderId],
  )
  const [row] = rows
  if (row === undefined) throw new Error(`no order ${orderId}`)
  return row
}

describe('the stored snapshot', () => {
  it('has no lines until there is a second event, which the read renders from the request to the letter', async () => {
    const lines = [aLine({ units: 7 }), aLine({ product_id: 'news', rate: { unit_cost: 0.335 } })]
    const orderId = await stored(db.log, { lines, terms: { notice_days: 3 } })
    const { request, facts, text } = await record(orderId)
    const { line_items, artifacts, ...head } = snapshot(fold(JSON.parse(request), JSON.parse(facts), await storedEvents(db, orderId)))
    expect(text).toBe(JSON.stringify(head))
    const whole = JSON.stringify({ ...head, line_items, artifacts }).slice(0, -1)
    for (const reader of [BUYER, SELLING]) {
      const read = await readSnapshot(db, reader, orderId, NOW)
      expect(read?.startsWith(`${whole},"allowed_actions":`)).toBe(true)
    }
  })

  it('has the lines of a long request from the first event, so that no read renders them', async () => {
    const orderId = await stored(db.log, { buyer_metadata: { advertiser_id: 'adv-1', buyer_contact: { name: 'x'.repeat(16_384) } } })
    const { request, facts, text } = await record(orderId)
    expect(text).toBe(JSON.stringify(snapshot(fold(JSON.parse(request), JSON.parse(facts), await storedEvents(db, orderId)))))
  })

  it('is the JSON of the fold at every append after the first, to the letter', async () => {
    const orderId = await stored(db.log, {
      lines: [aLine({ units: 7 }), aLine({ product_id: 'news', rate: { unit_cost: 0.335 } })],
      terms: { notice_days: 3 },
    })
    const steps: Parameters<typeof applyCommand<unknown>>[3][] = [
      (order) => validate(order, aMarket(order)),
      (order) => decide(order, { decision: 'approve', actor: 'Sam "quoted" \u2028 ✂', reason: 'a\\b' }, CONTEXT),
      (order, now) => cancel(order, { reason: 'done' }, now),
    ]
    for (const step of steps) {
      await applyCommand(db.log, orderId, command(), step)
      const { request, facts, text } = await record(orderId)
      const folded = fold(JSON.parse(request), JSON.parse(facts), await storedEvents(db, orderId))
      expect(text).toBe(JSON.stringify(snapshot(folded)))
      expect(await db.log.load(orderId)).toEqual(folded)
    }
    expect(await storedEvents(db, orderId)).toHaveLength(5)
  })

  it('is folded up to an earlier event', async () => {
    const orderId = await negotiating(db.log)
    const statuses = await Promise.all([1, 2, 3, 4].map(async (seq) => (await db.log.load(orderId, seq))?.status))
    expect(statuses).toEqual(['submitted', 'validating', 'seller_review', 'negotiating'])
  })

  it('is read by either side with what that side may do, and whom the order waits for', async () => {
    const orderId = await stored(db.log)
    await applyCommand(db.log, orderId, command(), (order) => validate(order, aMarket(order)))
    const read = async (reader: Reader): Promise<OrderSnapshot> => JSON.parse((await readSnapshot(db, reader, orderId, NOW)) ?? '{}')
    const { parked_since } = (await db.pool.query('select parked_since from orders where order_id = $1', [orderId])).rows[0]
    expect(await read(BUYER)).toMatchObject({
      order_id: orderId,
      allowed_actions: ['cancel'],
      waiting_on: { party: 'seller', since: parked_since },
    })
    expect(await read(SELLING)).toMatchObject({ order_id: orderId, allowed_actions: ['decide'] })
  })
})

describe('a stranger', () => {
  it.each(STRANGERS)('$entity as $side reads of an order what it reads of none', async (stranger) => {
    const orderId = await stored(db.log)
    for (const id of [orderId, 'ord_none']) {
      expect(await readSnapshot(db, stranger, id, NOW)).toBeUndefined()
      expect(await replayEvents(db, stranger, { orderId: id, afterSeq: 0, limit: 10 })).toBeUndefined()
    }
    expect(await listOrders(db, stranger, { limit: 10 }, NOW)).toEqual({ orders: [] })
  })
})

describe('the replay of an order', () => {
  it('pages by seq, and says how far the order is', async () => {
    const orderId = await negotiating(db.log)
    const texts = (await storedEvents(db, orderId)).map((event) => JSON.stringify(event))
    const list = (bodies: string[]) => `[${bodies.join(',')}]`
    const replay = (afterSeq: number, limit: number) => replayEvents(db, BUYER, { orderId, afterSeq, limit })
    expect(await replay(0, 3)).toEqual({ events: list(texts.slice(0, 3)), last_seq: 4 })
    expect(await replay(3, 3)).toEqual({ events: list(texts.slice(3)), last_seq: 4 })
    expect(await replay(4, 3)).toEqual({ events: '[]', last_seq: 4 })
    expect(await replayEvents(db, SELLING, { orderId, afterSeq: 3, limit: 3 })).toEqual({ events: list(texts.slice(3)), last_seq: 4 })
  })
})

describe('reads at the same time', () => {
  it('each get their own answer, whether it is theirs to see or not', async () => {
    const [ours, theirs] = [await negotiating(db.log), await negotiating(db.log, { buyer: 'buyer_two' })]
    const readers = [BUYER, SELLING, { entity: 'buyer_two', side: 'buyer' as const }]
    const asks = readers.flatMap((reader) => [ours, theirs, 'ord_unknown'].map((id) => ({ reader, id })))
    const all = (orderId: string) => ({ orderId, afterSeq: 0, limit: 10 })
    const alone: unknown[][] = []
    for (const { reader, id } of asks) alone.push([await readSnapshot(db, reader, id, NOW), await replayEvents(db, reader, all(id))])
    const together = asks.map(({ reader, id }) => Promise.all([readSnapshot(db, reader, id, NOW), replayEvents(db, reader, all(id))]))
    expect(await Promise.all(together)).toEqual(alone)
    expect(alone.filter((answer) => answer[0] !== undefined)).toHaveLength(4)
  })

  it('are lists of a statement together, and each is of its own reader and place', async () => {
    const [ours, theirs] = ['buyer_ours', 'buyer_theirs'].map((entity): Reader => ({ entity, side: 'buyer' })) as [Reader, Reader]
    for (const { entity } of [ours, theirs, ours, theirs, ours]) await stored(db.log, { buyer: entity })
    const asks = [ours, theirs, { entity: 'buyer_none', side: 'buyer' as const }].flatMap((reader) =>
      [2, 50].map((limit) => () => listOrders(db, reader, { limit }, NOW)),
    )
    const alone: unknown[] = []
    for (const ask of asks) alone.push(await ask())
    const query = jest.spyOn(db.pool, 'query')
    expect(await Promise.all(asks.map((ask) => ask()))).toEqual(alone)
    expect(query.mock.calls).toHaveLength(1)
    query.mockRestore()
  })
})

describe('a list', () => {
  const idOf = (text: string): string => JSON.parse(text).order_id

  it('shows every order once, newest first, while orders arrive and move', async () => {
    const buyer: Reader = { entity: 'buyer_list', side: 'buyer' }
    const ids: string[] = []
    for (let made = 0; made < 10; made += 1) ids.push(await stored(db.log, { buyer: buyer.entity }))
    const seen: string[] = []
    for (let after: readonly string[] | undefined; ; ) {
      const { orders, last } = await listOrders(db, buyer, { limit: 3, ...(after === undefined ? {} : { after }) }, NOW)
      seen.push(...orders.map(idOf))
      await stored(db.log, { buyer: buyer.entity })
      await applyCommand(db.log, orders.map(idOf)[0] ?? '', command(), (order, now) => cancel(order, {}, now))
      if (last === undefined) break
      after = last
    }
    // Those of one millisecond stand in the order of their ids.
    expect(seen).toEqual([...ids].sort().reverse())
    expect((await listOrders(db, buyer, { limit: 50 }, NOW)).orders).toHaveLength(14)
  })

  it("is a seller's queue by deadline when it asks for seller_review alone, each order once, while orders arrive and are decided", async () => {
    const queue: Reader = { entity: 'seller_queue', side: 'seller' }
    const waiting = async (latency: number) => {
      const orderId = await stored(db.log, { seller: queue.entity, latency })
      await applyCommand(db.log, orderId, command(), (order) => validate(order, aMarket(order)))
      return orderId
    }
    const minutes = [500, 20, 300, 20, 40, 7, 90]
    const ids = new Map<string, number>()
    for (const latency of minutes) ids.set(await waiting(latency), latency)
    const latencies: number[] = []
    const seen: string[] = []
    const page = (limit: number, after?: readonly string[]) =>
      listOrders(db, queue, { status: ['seller_review'], limit, ...(after === undefined ? {} : { after }) }, NOW)
    for (let after: readonly string[] | undefined; ; ) {
      const { orders, last } = await page(2, after)
      seen.push(...orders.map(idOf))
      latencies.push(...orders.map((text) => ids.get(idOf(text)) ?? Number.NaN))
      await waiting(1) // before the page: it is seen when the queue is read again
      await applyCommand(db.log, seen.at(-1) ?? '', command(), (order, now) => cancel(order, {}, now))
      if (last === undefined) break
      after = last
    }
    expect(latencies).toEqual([...minutes].sort((a, b) => a - b))
    expect(new Set(seen).size).toBe(minutes.length)
    expect((await page(50)).orders).toHaveLength(minutes.length)
    const all = await listOrders(db, queue, { status: ['seller_review', 'canceled'], limit: 50 }, NOW)
    expect(all.orders.map(idOf)).toEqual(all.orders.map(idOf).sort().reverse())
  })

  it('ends where the page is exactly full', async () => {
    const buyer: Reader = { entity: 'buyer_full', side: 'buyer' }
    for (let made = 0; made < 3; made += 1) await stored(db.log, { buyer: buyer.entity })
    expect((await listOrders(db, buyer, { limit: 3 }, NOW)).last).toBeUndefined()
    const { orders, last } = await listOrders(db, buyer, { limit: 2 }, NOW)
    expect([orders.length, last === undefined]).toEqual([2, false])
  })

  it('is filtered by status, seller and key', async () => {
    const buyer: Reader = { entity: 'buyer_filter', side: 'buyer' }
    const canceled = await stored(db.log, { buyer: buyer.entity })
    await applyCommand(db.log, canceled, command(), (order, now) => cancel(order, {}, now))
    const open = await stored(db.log, { buyer: buyer.entity, external_order_id: 'the key' })
    const list = async (filter: Partial<Parameters<typeof listOrders>[2]>) =>
      (await listOrders(db, buyer, { limit: 9, ...filter }, NOW)).orders.map(idOf)
    expect(await list({})).toEqual([open, canceled])
    expect(await list({ status: ['canceled', 'placed'] })).toEqual([canceled])
    expect(await list({ external_order_id: 'the key' })).toEqual([open])
    expect(await list({ seller: 'seller_two' })).toEqual([])
  })

  it('shows of each order what a read of it shows its reader', async () => {
    const readers: Reader[] = [
      { entity: 'buyer_same', side: 'buyer' },
      { entity: 'seller_same', side: 'seller' },
    ]
    const between = { buyer: 'buyer_same', seller: 'seller_same' }
    await negotiating(db.log, between)
    const canceled = await stored(db.log, between)
    await applyCommand(db.log, canceled, command(), (order, now) => cancel(order, {}, now))
    const parked = await stored(db.log, between)
    await applyCommand(db.log, parked, command(), (order) => validate(order, aMarket(order)))
    await db.pool.query(`update orders set stuck_reason = 'unreachable' where order_id = $1`, [parked])
    for (const reader of readers) {
      for (const status of [undefined, ['seller_review'] as const]) {
        const { orders } = await listOrders(db, reader, { limit: 9, ...(status && { status }) }, NOW)
        expect(orders).toHaveLength(status === undefined ? 3 : 1)
        for (const text of orders) {
          const { line_count, units, first_air_date, ...item } = JSON.parse(text)
          const snapshot = await readSnapshot(db, reader, item.order_id, NOW)
          const { request, document, line_items, artifacts, ...read } = JSON.parse(snapshot ?? '{}')
          expect(item).toEqual(read)
        }
      }
    }
  })

  it('leaves lines and artifacts out', async () => {
    await stored(db.log, { buyer: 'buyer_short' })
    const { orders } = await listOrders(db, { entity: 'buyer_short', side: 'buyer' }, { limit: 1 }, NOW)
    const [item] = orders.map((text) => JSON.parse(text))
    expect(item).toMatchObject({ status: 'submitted', totals: { gross: 600 }, allowed_actions: ['cancel'] })
    expect(item).not.toHaveProperty('line_items')
    expect(item).not.toHaveProperty('artifacts')
  })
})
