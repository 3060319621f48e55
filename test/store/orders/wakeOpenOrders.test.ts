import { expect, it } from '@jest/globals'
import { wakeOpenOrders } from '../../../src/store/orders/wakeOpenOrders.ts'
import { stored } from '../../support/orders/storedOrders.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
const waiting = async () => (await db.owner().query(`select from outbox where kind = 'order'`)).rowCount

it('every open order is counted, whether or not its row was in the outbox, and gets one row', async () => {
  await stored(db.log)
  await stored(db.log)
  await db.owner().query(`delete from outbox where target = (select min(order_id) from orders)`)
  expect(await wakeOpenOrders(db.url)).toBe(2)
  expect(await waiting()).toBe(2)
  expect(await wakeOpenOrders(db.url)).toBe(2)
  expect(await waiting()).toBe(2)
})
