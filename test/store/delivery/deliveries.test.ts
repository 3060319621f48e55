import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from '@jest/globals'
import type { Side } from '../../../src/contract/vocabulary/access.ts'
import { stampEvents } from '../../../src/domain/order/decision.ts'
import { applyCommand } from '../../../src/operations/orders/applyCommand.ts'
import { announce } from '../../../src/store/delivery/notices.ts'
import { addEndpoint } from '../../../src/store/delivery/webhookEndpoints.ts'
import { openSecrets } from '../../../src/store/tenants/secrets.ts'
import { operator } from '../../../src/store/tenants/securityEvents.ts'
import { FULL_AUTHORITY } from '../../support/access/authority.ts'
import { SELLER } from '../../support/orders/anOrder.ts'
import { aNewOrder, command, negotiating, round } from '../../support/orders/storedOrders.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const BUYER = 'buyer_one'
const db = useDatabase({ max: 8 })
beforeAll(async () => {
  const key = randomBytes(32)
  const box = await openSecrets(db, () => [key])
  for (const [entity, side] of [
    [BUYER, 'buyer'],
    [SELLER, 'seller'],
  ]) {
    await db.pool.query('insert into tenants (entity, side, name) values ($1, $2, $1)', [entity, side])
    await addEndpoint(db, box, operator(entity as string, side as Side, 'platform'), FULL_AUTHORITY, { url: 'https://hooks.example.com/' })
  }
  await addEndpoint(db, box, operator(BUYER, 'buyer', 'platform'), FULL_AUTHORITY, {
    url: 'https://hooks.example.com/',
    statuses: ['placed'],
  })
})

/** Seq by seq: how many deliveries there are, how many feed rows, and whether each was written by the transaction of the event. */
async function writtenWith(orderId: string) {
  const { rows } = await db.pool.query<{ seq: number; deliveries: number; feed: number; together: boolean }>(
    `select e.seq, (select count(*)::int from deliveries d where d.order_id = e.order_id and d.seq = e.seq) as deliveries,
       (select count(*)::int from feed f where f.order_id = e.order_id and f.seq = e.seq) as feed,
       e.xmin::text = all(select d.xmin::text from deliveries d where d.order_id = e.order_id and d.seq = e.seq
         union all select f.xmin::text from feed f where f.order_id = e.order_id and f.seq = e.seq) as together
     from order_events e where e.order_id = $1 order by seq`,
    [orderId],
  )
  return rows
}
const written = (...seqs: number[]) => seqs.map((seq) => ({ seq, deliveries: 2, feed: 2, together: true }))
const woken = async () => (await db.pool.query(`select from outbox where kind = 'endpoint'`)).rowCount ?? 0

describe('the deliveries of an event, like its rows of the feed, are written in its transaction', () => {
  it('when orders are created, many at once too', async () => {
    const orders = Array.from({ length: 8 }, () => aNewOrder())
    await Promise.all(orders.map((order) => db.log.create(order)))
    for (const { order } of orders) expect(await writtenWith(order.facts.order_id)).toEqual(written(1))
  })

  it('when a command opens no transaction, and when it runs under the lock', async () => {
    const orderId = await negotiating(db.log)
    const before = await woken()
    await applyCommand(db.log, orderId, command(), round)
    expect(await woken()).toBe(before + 2) // one for each endpoint that got a row
    await applyCommand(db.log, orderId, command({ lock: 'held' }), round)
    expect(await writtenWith(orderId)).toEqual(written(1, 2, 3, 4, 5, 6))
  })

  it('and do not exist when it is rolled back', async () => {
    const orderId = await negotiating(db.log)
    const before = await woken()
    const fails = db.log.exclusively(orderId, async ({ order, append }) => {
      const sealed = stampEvents(order, round().events, new Date().toISOString())
      await append({ ...sealed, command: command(), outcome: '{}' })
      throw new Error('after the append')
    })
    await expect(fails).rejects.toThrow('after the append')
    expect(await writtenWith(orderId)).toEqual(written(1, 2, 3, 4))
    expect((await db.pool.query('select from deliveries where order_id = $1', [orderId])).rowCount).toBe(8)
    expect(await woken()).toBe(before)
  })

  it('when it is a notice', async () => {
    await db.sql.transaction().execute((tx) =>
      announce(tx, [
        {
          event_type: 'catalog.window_opened',
          seller: SELLER,
          occurred_at: '2030-06-01T00:00:00.000Z',
          shown: [{ to: [BUYER], data: { product_id: 'prime' } }],
        },
      ]),
    )
    const { rows } = await db.pool.query<{ together: boolean }>(
      `select d.xmin::text = f.xmin::text as together from deliveries d join feed f using (event_id) where d.event_id is not null`,
    )
    expect(rows).toEqual([{ together: true }, { together: true }]) // the second filters order events alone
  })
})
