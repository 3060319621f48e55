import { beforeEach, describe, expect, it, jest } from '@jest/globals'
import pg from 'pg'
import { sharedPool } from '../../../src/store/connection/tenantScope.ts'
import {
  claimOutbox,
  finishOutbox,
  listenOutbox,
  outboxNotifier,
  releaseOutbox,
  renewOutbox,
  sweepDue,
} from '../../../src/store/orders/outbox.ts'
import { until } from '../../support/until.ts'
import { useDatabase } from '../../support/useDatabase.ts'
import { insertOrder } from '../../workflows/orderRows.ts'

const db = useDatabase()
beforeEach(async () => {
  await db.pool.query('delete from outbox')
  await db.pool.query('update orders set closed = true, due_at = null')
})

async function insertOrders(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let made = 0; made < count; made += 1) ids.push(await insertOrder(db.pool))
  return ids
}

const orderIds = (rows: { head: { order_id: string } | undefined }[]) => rows.map(({ head }) => head?.order_id)
const ids = (rows: { outbox_id: string }[]) => rows.map(({ outbox_id }) => outbox_id)
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const leaseOver = () => db.pool.query('update outbox set claimable_at = now()')

describe('a claim', () => {
  it('gives the rows with the heads of their orders, those that have waited longest first', async () => {
    const orders = await insertOrders(3)
    const rows = await claimOutbox(db.pool, 2)
    expect(orderIds(rows)).toEqual(orders.slice(0, 2))
    expect(rows[0]).toMatchObject({ attempts: 1, head: { status: 'submitted', last_seq: 1, seller: 'seller_one', closed: false } })
  })

  it('never gives a row to two relays', async () => {
    const orders = await insertOrders(60)
    const claims = await Promise.all(Array.from({ length: 12 }, () => claimOutbox(db.pool, 10)))
    const claimed = claims.flatMap(orderIds)
    expect(new Set(claimed).size).toBe(claimed.length)
    const rest = await claimOutbox(db.pool, 100) // what was locked by another at the moment of a claim
    expect([...claimed, ...orderIds(rest)].sort()).toEqual(orders.sort())
  })

  it('is a lease: a relay that died gives its rows back', async () => {
    await insertOrders(1)
    await claimOutbox(db.pool, 10)
    expect(await claimOutbox(db.pool, 10)).toEqual([])
    await leaseOver()
    expect(await claimOutbox(db.pool, 10)).toMatchObject([{ attempts: 2 }])
  })

  it('lasts for three seconds, and longer where it is renewed', async () => {
    await insertOrders(2)
    const [renewed = '', other = ''] = ids(await claimOutbox(db.pool, 10))
    await db.pool.query(`update outbox set claimable_at = claimable_at - interval '3 s'`)
    await renewOutbox(db.pool, [renewed])
    expect(ids(await claimOutbox(db.pool, 10))).toEqual([other])
  })

  it('ends when the row is finished or released', async () => {
    await insertOrders(3)
    const [first = '', second = ''] = ids(await claimOutbox(db.pool, 10))
    await finishOutbox(db.pool, [first])
    await releaseOutbox(db.pool, [second], 0)
    expect(ids(await claimOutbox(db.pool, 10))).toEqual([second])
    await releaseOutbox(db.pool, [second], 60_000)
    expect(await claimOutbox(db.pool, 10)).toEqual([])
  })

  it('knows no head for an order that is not there', async () => {
    await db.pool.query(`insert into outbox (kind, target) values ('order', 'ord_nowhere')`)
    expect(await claimOutbox(db.pool, 10)).toMatchObject([{ head: undefined }])
  })
})

describe('the sweep', () => {
  const insertDue = async (due: number, row: Parameters<typeof insertOrder>[1] = {}) => {
    const order = await insertOrder(db.pool, { due_at: ago(due), updated_at: ago(due), ...row })
    await db.pool.query('delete from outbox where target = $1', [order])
    return order
  }

  it('wakes the order that should have moved a minute ago', async () => {
    const order = await insertDue(2)
    await insertDue(0.5)
    expect(await sweepDue(db.pool)).toBe(1)
    expect(orderIds(await claimOutbox(db.pool, 10))).toEqual([order])
  })

  it('leaves alone what is closed and what already waits in the outbox', async () => {
    await insertDue(2, { status: 'placed', closed: true })
    await insertOrder(db.pool, { due_at: ago(2) })
    expect(await sweepDue(db.pool)).toBe(0)
  })

  it('looks at an order that does not move at growing intervals', async () => {
    const order = await insertDue(60)
    await sweepDue(db.pool)
    await db.pool.query('delete from outbox')
    expect(await sweepDue(db.pool)).toBe(0)
    const { rows } = await db.pool.query('select due_at - now() between $2 and $3 as fits from orders where order_id = $1', [
      order,
      '59 minutes',
      '61 minutes', // the clocks are read apart
    ])
    expect(rows).toEqual([{ fits: true }])
  })

  it('takes no more than its limit', async () => {
    for (let made = 0; made < 3; made += 1) await insertDue(2)
    expect(await sweepDue(db.pool, 2)).toBe(2)
    expect(await sweepDue(db.pool, 2)).toBe(1)
  })
})

describe('the notifier', () => {
  it('is heard in other processes, and combines many notifications made at once', async () => {
    let heard = 0
    const listener = listenOutbox(db.url, () => {
      heard += 1
    })
    await until(() => heard > 0) // it listens
    const before = heard
    const sent = jest.spyOn(sharedPool(db.pool), 'query')
    const notifier = outboxNotifier(db.pool)
    for (let times = 0; times < 1_000; times += 1) notifier.notify()
    await until(() => heard >= before + 2)
    expect(sent).toHaveBeenCalledTimes(2) // the first at once, all the others together
    sent.mockRestore()
    await listener.close()
  })

  it('is heard again after its connection was lost', async () => {
    let heard = 0
    const listener = listenOutbox(db.url, () => {
      heard += 1
    })
    await until(() => heard > 0)
    const before = heard
    const owner = new pg.Client({ connectionString: db.url }) // the application's role may not end a connection
    await owner.connect()
    await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'order-marketplace-relay'`)
    await owner.end()
    await until(() => heard > before)
    await listener.close()
  })
})
