import { describe, expect, it } from '@jest/globals'
import type pg from 'pg'
import { CreateOrder } from '../../../src/contract/createOrder.ts'
import { createOrder } from '../../../src/operations/orders/createOrder.ts'
import { type Database, openDatabase, openTenantDatabase } from '../../../src/store/connection/database.ts'
import { scopeKey } from '../../../src/store/connection/scopeKey.ts'
import { claimDue } from '../../../src/store/delivery/deliveries.ts'
import { FEED_START, feedEnd, readFeed } from '../../../src/store/delivery/feed.ts'
import { watchFeed } from '../../../src/store/delivery/feedWatch.ts'
import type { Reader } from '../../../src/store/orders/command.ts'
import { loadTogether } from '../../../src/store/orders/loadOrders.ts'
import { readIntake } from '../../../src/store/orders/orderFacts.ts'
import { readHead } from '../../../src/store/orders/orderHead.ts'
import { listOrders } from '../../../src/store/orders/orderLists.ts'
import { openOrderLog } from '../../../src/store/orders/orderLog.ts'
import { readOrder, replayEvents } from '../../../src/store/orders/orderReads.ts'
import { readToClose } from '../../../src/store/orders/readToClose.ts'
import { useDatabase } from '../../support/useDatabase.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const long = useDatabase()
const acme: Reader = { side: 'buyer', entity: 'acme' }

/** Runs `work` on one connection so often that Postgres has chosen between a plan for each call and one that it keeps. */
async function plansOf(name: string, work: (db: Database) => Promise<unknown>): Promise<object | undefined> {
  const db = openDatabase(market.databaseUrl, { max: 1 })
  try {
    for (let run = 0; run < 20; run += 1) await work(db)
    const { rows } = await db.pool.query<{ custom: number; kept: number }>(
      'select custom_plans::int as custom, generic_plans::int as kept from pg_prepared_statements where name = $1',
      [name],
    )
    return rows[0]
  } finally {
    await db.close()
  }
}

describe('a statement about several places is planned once', () => {
  const orders: [name: string, work: (db: Database, orderId: string) => Promise<unknown>][] = [
    ['read-heads', readHead],
    ['load-orders', ({ pool }, orderId) => loadTogether(pool, { orderId })],
    [
      'load-orders-in-market',
      ({ pool }, orderId) => loadTogether(pool, { orderId, command: { id: 'validate', reads: 'market', wake: false } }),
    ],
    [
      'load-orders-with-terms',
      ({ pool }, orderId) => loadTogether(pool, { orderId, command: { id: 'counter', reads: 'terms', wake: false } }),
    ],
    ['read-to-close', readToClose],
    ['read-snapshots', (db, orderId) => readOrder(db, acme, orderId, new Date().toISOString())],
    ['replay-events', (db, orderId) => replayEvents(db, acme, { orderId, afterSeq: 0, limit: 100 })],
    ['read-feed', (db) => readFeed(db, 'acme', FEED_START, {}, 100)],
    ['due-deliveries', ({ pool }) => claimDue(pool, { endpointId: 'whk_none', after: '0', max: 10 })],
  ]
  it.each(orders)('%s', async (name, work) => {
    const orderId = await market.parked()
    // Five times Postgres makes a plan for the call, to see what the plan that it keeps is to be held against.
    expect(await plansOf(name, (db) => work(db, orderId))).toEqual({ custom: 5, kept: 15 })
  })
})

describe('a create is planned once', () => {
  const create = (db: Database) => {
    const body = market.order()
    const log = openOrderLog(db, () => undefined)
    return createOrder(log, db, 'acme', CreateOrder.parse(body), Buffer.from(JSON.stringify(body)))
  }
  it.each(['read-intake-of-lines', 'create-orders'])('%s', async (name) => {
    expect(await plansOf(name, create)).toEqual({ custom: 5, kept: 15 })
  })
})

describe('a page of orders is planned once', () => {
  const pages: [name: string, reader: Reader, filter: Parameters<typeof listOrders>[2]][] = [
    ['orders-of-buyer', acme, { limit: 50 }],
    ['orders-of-buyer-after', acme, { limit: 50, after: ['ord_z'] }],
    ['list-queue', { side: 'seller', entity: 'cable' }, { status: ['seller_review'], limit: 50 }],
  ]
  it.each(pages)('%s', async (name, reader, filter) => {
    await market.parked()
    const plans = await plansOf(name, (db) => listOrders(db, reader, filter, new Date().toISOString()))
    expect(plans).toEqual({ custom: 5, kept: 15 })
  })
})

/** Rows of a table that statements have read, as connections have reported them. */
async function rowsRead(owner: pg.Pool, table: string): Promise<number> {
  const { rows } = await owner.query(
    'select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_user_tables where relname = $1',
    [table],
  )
  return rows[0].read
}

it('those who wait at the end of a feed cost no walk through it, however short it was when the plan was made', async () => {
  const db = openDatabase(long.url, { max: 1 })
  const watch = watchFeed(db, 10)
  const wait = async () => watch.next('acme', await feedEnd(db), 200, new AbortController().signal)
  expect(await wait()).toBe(false)
  await long.owner().query(
    `insert into feed (tenant, event_type, status, order_id, seq)
      select 'acme', 'order.status_changed', 'placed', 'ord_' || place, 1 from generate_series(1, 20000) place`,
  )
  const before = await rowsRead(long.owner(), 'feed')
  expect(await wait()).toBe(false)
  watch.close()
  await db.pool.query('select pg_stat_force_next_flush()')
  await db.close()
  expect((await rowsRead(long.owner(), 'feed')) - before).toBeLessThan(20_000)
})

it('a create reads the prices that it cites, however few its seller had when the plan was made', async () => {
  const db = openDatabase(market.databaseUrl, { max: 1 })
  const cited = async () => {
    const { cited, card } = await readIntake(db, market.order(), 'acme')
    return [cited.length, card.length]
  }
  for (let run = 0; run < 20; run += 1) expect(await cited()).toEqual([1, 0])
  await market.owner().query(
    `insert into rate_entries select (jsonb_populate_record(one, jsonb_build_object('locked_rate_id', 'lr_of_many_' || place, 'product_id', 'many'))).*
      from (select e as one from rate_entries e where seller = 'cable' limit 1) cited, generate_series(1, 20000) place`,
  )
  await db.pool.query('select pg_stat_force_next_flush()')
  const before = await rowsRead(market.owner(), 'rate_entries')
  expect(await cited()).toEqual([1, 0])
  await db.pool.query('select pg_stat_force_next_flush()')
  await db.close()
  expect((await rowsRead(market.owner(), 'rate_entries')) - before).toBeLessThan(100)
})

it('nor does it read the agreements of others, however few there were', async () => {
  const db = openDatabase(market.databaseUrl, { max: 1 })
  for (let run = 0; run < 20; run += 1) expect((await readIntake(db, market.order(), 'acme')).cited).toHaveLength(1)
  await market.owner().query(
    `insert into agreements (agreement_id, seller, buyer_entity, body, status, effective)
      select 'agr_' || place, 'cable', 'buyer ' || place, '{}', 'active', daterange('2030-01-01', '2031-01-01') from generate_series(1, 5000) place`,
  )
  await db.pool.query('select pg_stat_force_next_flush()')
  const before = await rowsRead(market.owner(), 'agreements')
  await readIntake(db, market.order(), 'acme')
  await db.pool.query('select pg_stat_force_next_flush()')
  await db.close()
  expect((await rowsRead(market.owner(), 'agreements')) - before).toBeLessThan(100)
})

it('a page is read by its own orders, whether its tenant has a few of them or most', async () => {
  const parked = await market.parked()
  await market.owner().query(
    `insert into orders (order_id, seller, buyer_entity, external_order_id, workflow, status, last_seq, created_at, updated_at, decide_by, closed,
       snapshot_head, snapshot_lines)
     select 'ord_a' || place, 'large', 'large', 'large-' || place, workflow, status, last_seq, created_at, updated_at, '2020-01-01', true,
       snapshot_head, snapshot_lines
     from orders, generate_series(1, 20000) place where order_id = $1`,
    [parked],
  )
  await market.owner().query('analyze orders')
  // In the scope of a tenant: the policies of the table change what the planner expects to find.
  const tenants = openTenantDatabase(market.databaseUrl, scopeKey(market.secretsKey), { max: 1 })
  const cable: Reader = { side: 'seller', entity: 'cable' }
  const large: Reader = { side: 'seller', entity: 'large' }
  const pages: [Reader, Parameters<typeof listOrders>[2]][] = [
    [acme, { limit: 50 }],
    [acme, { limit: 50, after: ['ord_p'] }],
    [cable, { limit: 50 }],
    [cable, { status: ['seller_review'], limit: 50 }],
    [large, { limit: 50 }],
    [large, { limit: 50, after: ['ord_a5'] }],
    [large, { status: ['seller_review'], limit: 50, after: ['2020-01-01T00:00:00.000Z', 'ord_a5'] }],
  ]
  for (const [reader, filter] of pages) {
    const db = tenants.as([reader.entity])
    const page = () => listOrders(db, reader, filter, new Date().toISOString())
    for (let run = 0; run < 10; run += 1) await page()
    await db.pool.query('select pg_stat_force_next_flush()')
    const before = await rowsRead(market.owner(), 'orders')
    expect((await page()).orders.length).toBeGreaterThan(0)
    await db.pool.query('select pg_stat_force_next_flush()')
    expect((await rowsRead(market.owner(), 'orders')) - before).toBeLessThan(1_000)
  }
  await tenants.close()
  await market.owner().query(`delete from orders where seller = 'large'`)
})
