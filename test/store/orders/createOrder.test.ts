import { beforeAll, describe, expect, it } from '@jest/globals'
import { CreateOrder } from '../../../src/contract/createOrder.ts'
import { type RateOnCard, sameKey } from '../../../src/domain/lines/pricing.ts'
import { cancel } from '../../../src/domain/order/cancel.ts'
import { applyCommand } from '../../../src/operations/orders/applyCommand.ts'
import { closeOrder } from '../../../src/operations/orders/closeOrder.ts'
import { createOrder } from '../../../src/operations/orders/createOrder.ts'
import { validateOrder } from '../../../src/operations/orders/validateOrder.ts'
import { type Database, openDatabase } from '../../../src/store/connection/database.ts'
import { readIntake } from '../../../src/store/orders/orderFacts.ts'
import { type OrderLog, openOrderLog } from '../../../src/store/orders/orderLog.ts'
import { type Acknowledged, checkInvariants } from '../../support/invariants/invariants.ts'
import { WEEKS } from '../../support/market.ts'
import { command, rowCounts, storedEvents } from '../../support/orders/storedOrders.ts'
import { useMarket } from '../../support/useMarket.ts'
import { cutBeforeReply } from './cutBeforeReply.ts'

const REQUESTS = 20
const market = useMarket()
let db: Database
let log: OrderLog
const acknowledged: Acknowledged[] = []
beforeAll(async () => {
  db = openDatabase(market.databaseUrl, { max: REQUESTS })
  log = openOrderLog(db, () => undefined)
})
market.beforeStop(async () => {
  await db.close()
  expect(await checkInvariants(market.databaseUrl, acknowledged)).toEqual([])
})

/** A create as the API hands it on: the parsed body and the very bytes. */
async function create(body: object, { buyer = 'acme', space = 0, by = { db, log } } = {}) {
  const raw = Buffer.from(JSON.stringify(body, null, space))
  const answer = await createOrder(by.log, by.db, buyer, CreateOrder.parse(body), raw)
  const { order_id, external_order_id, buyer_entity } = JSON.parse(answer.reply)
  if (!answer.replayed) acknowledged.push({ order_id, external_order_id, buyer_entity, body: raw })
  return { ...answer, order_id: order_id as string }
}
const atOnce = <T>(act: (index: number) => Promise<T>) => Promise.allSettled(Array.from({ length: REQUESTS }, (_, index) => act(index)))

describe('a create that comes twenty times at once', () => {
  it('in the same bytes is one order, and nineteen replays of its reply', async () => {
    for (let round = 0; round < 5; round += 1) {
      const body = market.order()
      const before = await rowCounts(db)
      const answers = (await atOnce(() => create(body))).map((answer) => (answer.status === 'fulfilled' ? answer.value : undefined))
      expect(answers.filter((answer) => answer?.replayed === false)).toHaveLength(1)
      expect(answers.filter((answer) => answer?.replayed === true)).toHaveLength(REQUESTS - 1)
      expect(new Set(answers.map((answer) => answer?.reply)).size).toBe(1)
      expect(await rowCounts(db)).toEqual({
        orders: Number(before.orders) + 1,
        order_records: Number(before.order_records) + 1,
        order_events: Number(before.order_events) + 1,
        order_outcomes: before.order_outcomes,
        feed: Number(before.feed) + 2,
        outbox: Number(before.outbox) + 1,
      })
    }
  })

  it('in ten spellings, each of them twice, is one order, one replay and eighteen conflicts that name it', async () => {
    const body = market.order()
    const answers = await atOnce((index) => create(body, { space: index % 10 }))
    const created = answers.filter((answer) => answer.status === 'fulfilled' && !answer.value.replayed)
    expect(created).toHaveLength(1)
    const [winner] = created.map((answer) => (answer.status === 'fulfilled' ? answer.value.order_id : ''))
    for (const answer of answers.filter((each) => each.status === 'rejected')) {
      expect(answer.reason).toMatchObject({ code: 'CONFLICT', details: { field: 'external_order_id', order_id: winner } })
    }
    expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(REQUESTS - 2)
  })
})

describe('a process that dies between the commit and the reply', () => {
  it('has made the orders: the same bytes, sent to another one, replay what it could not say', async () => {
    const cut = await cutBeforeReply(market.databaseUrl)
    const dying = openDatabase(cut.url, { max: 4 })
    const by = { db: dying, log: openOrderLog(dying, () => undefined) }
    await create(market.order(), { by })
    const bodies = Array.from({ length: 5 }, () => market.order())
    cut.beforeReplyTo('create-orders')
    const answers = await Promise.allSettled(bodies.map((body) => create(body, { by })))
    await dying.close()
    await cut.close()
    expect(answers.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
    const before = await rowCounts(db)
    for (const body of bodies) {
      const again = await create(body)
      expect(again.replayed).toBe(true)
      expect(await storedEvents(db, again.order_id)).toHaveLength(1)
    }
    expect(await rowCounts(db)).toEqual(before)
  })
})

describe('a used key', () => {
  it('replays the same bytes, even after the order and the market have changed', async () => {
    const body = market.order()
    const first = await create(body)
    await applyCommand(log, first.order_id, command(), (order, now) => cancel(order, {}, now))
    await db.sql.updateTable('sellers').set({ taxonomy_version: 'later' }).execute()
    expect(await create(body)).toEqual({ ...first, replayed: true })
  })

  it('conflicts with other bytes, and writes nothing, even for a body that the rules would refuse', async () => {
    const body = market.order()
    const { order_id } = await create(body)
    const before = await rowCounts(db)
    const other = { ...body, line_items: [market.line({ product_id: 'unknown' })] }
    await expect(create(other)).rejects.toMatchObject({ code: 'CONFLICT', details: { order_id } })
    expect(await rowCounts(db)).toEqual(before)
  })

  it("is the buyer's own", async () => {
    const body = market.order()
    const ours = await create(body)
    const theirs = await create(body, { buyer: 'zenith' })
    expect(theirs).toMatchObject({ replayed: false })
    expect(theirs.order_id).not.toBe(ours.order_id)
  })

  it('is free again after a refusal: a refused create stores nothing', async () => {
    const body = market.order()
    const before = await rowCounts(db)
    await expect(create({ ...body, rate_version: 'unknown' })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect(await rowCounts(db)).toEqual(before)
    expect(await create(body)).toMatchObject({ replayed: false })
  })
})

describe('the intake of a month line', () => {
  it('reads of the card the cited key in the weeks of the month, and nothing else of the product', async () => {
    const { cited, card } = await readIntake(
      db,
      market.order({ line_items: [market.line({ period: { grain: 'month', start: '2030-06' } })] }),
      'acme',
    )
    expect(card.map(({ week }) => week)).toEqual(WEEKS)
    expect(card.every((rate) => sameKey(rate, cited[0] as RateOnCard))).toBe(true)
    expect((await readIntake(db, market.order(), 'acme')).card).toEqual([])
  })
})

describe('the validation step', () => {
  it('run twice at once takes effect once, and answers with the current state', async () => {
    const { order_id } = await create(market.order())
    const heads = await Promise.all([1, 2, 3].map(() => validateOrder(log, order_id, 'order:validate:1')))
    expect(heads.map(({ status, last_seq }) => [status, last_seq])).toEqual([1, 2, 3].map(() => ['seller_review', 3]))
    expect(await storedEvents(db, order_id)).toHaveLength(3)
  })

  it('does nothing to an order that was canceled before it came', async () => {
    const { order_id } = await create(market.order())
    await applyCommand(log, order_id, command(), (order, now) => cancel(order, {}, now))
    expect(await validateOrder(log, order_id, 'order:validate:1')).toMatchObject({ status: 'canceled', last_seq: 2 })
  })
})

describe('closing', () => {
  it('closes an order that has ended, and leaves any other as it is', async () => {
    const { order_id } = await create(market.order())
    expect(await closeOrder(log, db, order_id)).toMatchObject({ closed: false, status: 'submitted' })
    await applyCommand(log, order_id, command(), (order, now) => cancel(order, {}, now))
    expect(await closeOrder(log, db, order_id)).toMatchObject({ closed: true, status: 'canceled', due_at: null })
    expect(await closeOrder(log, db, order_id)).toMatchObject({ closed: true })
    await expect(closeOrder(log, db, 'ord_none')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('is undone by an event that comes later', async () => {
    const orderId = await market.placed()
    expect(await closeOrder(log, db, orderId)).toMatchObject({ closed: true, status: 'placed' })
    await applyCommand(log, orderId, command(), (order, now) => cancel(order, {}, now))
    const { rows } = await db.pool.query('select closed, due_at is not null as due from orders where order_id = $1', [orderId])
    expect(rows).toEqual([{ closed: false, due: true }])
  })
})
