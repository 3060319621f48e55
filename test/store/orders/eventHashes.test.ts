import { expect, it } from '@jest/globals'
import { cancel } from '../../../src/domain/order/cancel.ts'
import { applyCommand } from '../../../src/orders/applyCommand.ts'
import { openDatabase } from '../../../src/store/connection/database.ts'
import { up } from '../../../src/store/migrations/0052_event_hashes.ts'
import { readAudit } from '../../../src/store/orders/orderAudit.ts'
import { openOrderLog } from '../../../src/store/orders/orderLog.ts'
import { checkInvariants } from '../../support/invariants/invariants.ts'
import { migrateAgain } from '../../support/migrateAgain.ts'
import { aNewOrder, command, negotiating, stored } from '../../support/orders/storedOrders.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()

/** As it was before events carried hashes. */
const BEFORE = `drop table earlier_event_hashes; alter table order_events drop column hash`

it('gives the orders of an older database their hashes, and continues the chain', async () => {
  const log = openOrderLog(db, () => undefined)
  const notifying = aNewOrder()
  await log.create({ ...notifying, order: { ...notifying.order, facts: { ...notifying.order.facts, notify_endpoint: 'whe_1' } } })
  const orderIds = [await negotiating(log), await stored(log), notifying.order.facts.order_id]
  const { rows: kept } = await db.owner().query(`select order_id, seq, hash from order_events order by order_id, seq`)

  await db.owner().query(BEFORE)
  await migrateAgain(db.owner(), up)
  const { rows } = await db.owner().query('select order_id, seq, hash from earlier_event_hashes order by order_id, seq')
  expect(rows).toEqual(kept)
  await db.owner().query('grant select, insert on order_events to marketplace_app')

  const again = openDatabase(db.url)
  const orders = openOrderLog(again, () => undefined)
  for (const orderId of orderIds) await applyCommand(orders, orderId, command(), (order, now) => cancel(order, {}, now))
  expect(await checkInvariants(db.url)).toEqual([])
  const audit = await readAudit(again, { side: 'buyer', entity: 'buyer_one' }, orderIds[0] as string, 2)
  expect(audit?.events.map(({ seq }) => seq)).toEqual([3, 4, 5])
  expect(audit?.events[0]?.prev_hash).toBe(kept.find((row) => row.order_id === orderIds[0] && row.seq === 2)?.hash.toString('hex'))
  expect(audit?.head_hash).toBe(audit?.events[2]?.hash)
  await again.close()
})

it('refuses an event without a hash', async () => {
  await expect(
    db
      .owner()
      .query(`insert into order_events (order_id, seq, command_id, ordinal, occurred_at, body) values ('ord_x', 1, 'c', 0, now(), '{}')`),
  ).rejects.toMatchObject({ constraint: 'order_events_hashed' })
})
