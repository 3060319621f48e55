import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import type { OrderEvent } from '../../../src/contract/event.ts'
import type { Subscription } from '../../../src/domain/events/subscription.ts'
import { cancel } from '../../../src/domain/order/cancel.ts'
import { stampEvents } from '../../../src/domain/order/decision.ts'
import { applyCommand } from '../../../src/operations/orders/applyCommand.ts'
import { FEED_START, type FeedPosition, readFeed } from '../../../src/store/delivery/feed.ts'
import { beginFeedEra } from '../../../src/store/delivery/feedEra.ts'
import { feedSettled } from '../../support/engines/feedSettled.ts'
import { checkInvariants } from '../../support/invariants/invariants.ts'
import { SELLER } from '../../support/orders/anOrder.ts'
import { command, negotiating, round, slowRound, stored } from '../../support/orders/storedOrders.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const WRITERS = 8
const db = useDatabase({ max: WRITERS + 4 })

/** Reads on from its position each time; `seen` has everything in order of arrival. */
function aReader(tenant: string, limit = 7) {
  const seen: OrderEvent[] = []
  let at: FeedPosition = FEED_START
  const page = async () => {
    const { events, last } = await readFeed(db, tenant, at, {}, limit)
    seen.push(...events.map((body) => JSON.parse(body)))
    at = last
    return events.length
  }
  return {
    seen,
    page,
    async drain() {
      while ((await page()) > 0);
    },
    seqsOf: (orderId: string) => seen.filter(({ order_id }) => order_id === orderId).map(({ seq }) => seq),
  }
}

/** Reads all the while, page by page, until `writing` has ended. */
async function readDuring(readers: ReturnType<typeof aReader>[], writing: Promise<unknown>): Promise<void> {
  let over = false
  const done = writing.finally(() => {
    over = true
  })
  while (!over) {
    await Promise.all(readers.map((reader) => reader.page()))
    await sleep(1)
  }
  await done
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const lastSeq = async (orderId: string) => (await db.log.load(orderId))?.last_seq ?? 0

/** Each writer appends to any of the orders: by one statement, or in a transaction that it holds open for a while before it commits. */
function writing(orders: string[], rounds: number): Promise<unknown> {
  const write = async () => {
    for (let made = 0; made < rounds; made += 1) {
      const orderId = orders[Math.floor(Math.random() * orders.length)] as string
      if (made % 2 === 0) await slowRound(db.log, orderId, Math.random() ** 3 * 30)
      else await applyCommand(db.log, orderId, command(), round)
    }
  }
  return Promise.all(upTo(WRITERS).map(write))
}

describe('a reader that follows the feed while eight write', () => {
  it('gets every event once, and those of an order in its seq', async () => {
    const orders = await Promise.all(upTo(5).map(() => negotiating(db.log, { buyer: 'buyer_busy' })))
    const readers = [aReader('buyer_busy'), aReader(SELLER, 3)]
    await readDuring(readers, writing(orders, 25))
    await feedSettled(db)
    for (const reader of readers) {
      await reader.drain()
      for (const orderId of orders) expect(reader.seqsOf(orderId)).toEqual(upTo(await lastSeq(orderId)))
    }
    expect(readers[0]?.seen).toHaveLength(5 * 4 + WRITERS * 25)
    expect(await checkInvariants(db.url)).toEqual([])
  })

  it('also while new eras of the feed begin', async () => {
    const orders = await Promise.all(upTo(3).map(() => negotiating(db.log, { buyer: 'buyer_eras' })))
    const reader = aReader('buyer_eras')
    const eras = async () => {
      for (let begun = 0; begun < 3; begun += 1) {
        await sleep(100)
        await beginFeedEra(db.url)
      }
    }
    await readDuring([reader], Promise.all([writing(orders, 10), eras()]))
    await feedSettled(db)
    await reader.drain()
    for (const orderId of orders) expect(reader.seqsOf(orderId)).toEqual(upTo(await lastSeq(orderId)))
    expect(await checkInvariants(db.url)).toEqual([])
  })

  it('also while a transaction that began earlier is held open', async () => {
    const orders = await Promise.all(upTo(3).map(() => negotiating(db.log, { buyer: 'buyer_held' })))
    const reader = aReader('buyer_held')
    await feedSettled(db)
    await reader.drain()
    const held = await heldOpen()
    await readDuring([reader], writing(orders, 5))
    expect(reader.seen).toHaveLength(3 * 4 + 1) // nothing that the held one could still slip in behind
    await held.commit()
    await feedSettled(db)
    await reader.drain()
    for (const orderId of orders) expect(reader.seqsOf(orderId)).toEqual(upTo(await lastSeq(orderId)))
    expect(reader.seqsOf(held.orderId)).toEqual([1, 2])
  })
})

/** An event that took its place in the feed before those of the writers, and commits after them. */
async function heldOpen(): Promise<{ orderId: string; commit(): Promise<void> }> {
  const orderId = await stored(db.log, { buyer: 'buyer_held' })
  const [appended, released] = [aSignal(), aSignal()]
  const held = db.log.exclusively(orderId, async ({ order, append }) => {
    const sealed = stampEvents(order, [{ status: 'validating' }], new Date().toISOString())
    await append({ ...sealed, command: command(), outcome: '{}' })
    appended.give()
    await released.given
  })
  await appended.given
  return {
    orderId,
    async commit() {
      released.give()
      await held
    },
  }
}

function aSignal(): { given: Promise<void>; give(): void } {
  let give = () => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give: () => give() }
}

describe('a feed', () => {
  it('goes to exactly the buyer and the seller of an order', async () => {
    const orderId = await stored(db.log, { buyer: 'buyer_quiet' })
    const { rows } = await db.pool.query<{ tenant: string }>('select tenant from feed where order_id = $1 order by tenant', [orderId])
    expect(rows.map(({ tenant }) => tenant)).toEqual(['buyer_quiet', SELLER])
    await feedSettled(db)
    const stranger = aReader('buyer_stranger')
    await stranger.drain()
    expect(stranger.seen).toEqual([])
  })

  it('shows the stored text, byte by byte', async () => {
    const orderId = await negotiating(db.log, { buyer: 'buyer_text' })
    await feedSettled(db)
    const { events } = await readFeed(db, 'buyer_text', FEED_START, {}, 10)
    const { rows } = await db.pool.query<{ body: string }>('select body from order_events where order_id = $1 order by seq', [orderId])
    expect(events).toEqual(rows.map(({ body }) => body))
  })

  it('is filtered by event type, and by status for order events', async () => {
    const orderId = await stored(db.log, { buyer: 'buyer_filter' })
    await applyCommand(db.log, orderId, command(), (order, now) => cancel(order, {}, now))
    await feedSettled(db)
    const statuses = async (filter: Subscription) =>
      (await readFeed(db, 'buyer_filter', FEED_START, filter, 10)).events.map((body) => JSON.parse(body).status)
    expect(await statuses({})).toEqual(['submitted', 'canceled'])
    expect(await statuses({ statuses: ['canceled', 'placed'] })).toEqual(['canceled'])
    expect(await statuses({ events: ['order.status_changed'] })).toEqual(['submitted', 'canceled'])
    expect(await statuses({ events: ['catalog.window_opened'] })).toEqual([])
  })

  it('moves on past what a filter leaves out, so that nothing is looked at twice', async () => {
    await stored(db.log, { buyer: 'buyer_past' })
    await feedSettled(db)
    const none = await readFeed(db, 'buyer_past', FEED_START, { statuses: ['placed'] }, 10)
    const all = await readFeed(db, 'buyer_past', FEED_START, {}, 10)
    expect(none).toEqual({ events: [], last: all.last })
    expect(all.events).toHaveLength(1)
  })

  it('stays where it is when there is nothing new', async () => {
    await feedSettled(db)
    const { last } = await readFeed(db, 'buyer_text', FEED_START, {}, 10)
    expect(await readFeed(db, 'buyer_text', last, {}, 10)).toEqual({ events: [], last })
  })
})
