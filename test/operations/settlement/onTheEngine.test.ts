import { expect, it } from '@jest/globals'
import pg from 'pg'
import { dueOrders } from '../../../src/store/settlement/dueOrders.ts'
import { endProcess } from '../../support/childProcesses.ts'
import { endAttempts } from '../../support/engines/endAttempts.ts'
import { useWorkers } from '../../support/engines/useWorkers.ts'
import { BUYER, SELLER } from '../../support/orders/anOrder.ts'
import { clearedAgreement, placedUnder } from '../../support/settlement/clearedOrders.ts'
import { until } from '../../support/until.ts'
import { useApp } from '../../support/useApp.ts'

const app = useApp()
const workers = useWorkers(app)

const ORDERS = 40
const count = async (sql: string) => Number((await app.deps.db.pool.query(`select count(*) from ${sql}`)).rows[0].count)
const waitsForRow = async () => (await count(`pg_locks where not granted and locktype in ('transactionid', 'tuple')`)) > 0

it('a worker that is killed in the middle of an issue leaves no number out and issues nothing twice', async () => {
  const agreement = await clearedAgreement(app.deps.db)
  for (let made = 0; made < ORDERS; made += 1) await placedUnder(app.deps.orders, agreement)
  // Their runs have finished: the schedule alone invoices them.
  await app.deps.db.pool.query('update orders set closed = true, due_at = null')
  await app.deps.db.pool.query('delete from outbox')
  const due = await dueOrders(app.deps.db, { limit: ORDERS })
  expect(due).toHaveLength(ORDERS)

  const client = new pg.Client({ connectionString: app.databaseUrl })
  client.on('error', () => undefined) // of a test that has failed
  await client.connect()
  await client.query('begin')
  await client.query('select from orders where order_id = $1 for update', [due[ORDERS / 2]?.order_id])
  const dead = await workers.start()
  const schedule = workers.env.client.schedule.getHandle('settlement')
  await schedule.trigger()
  // It has taken a number, and waits to write down that the order is invoiced.
  await until(waitsForRow, 60)
  expect(await count('invoices')).toBe(ORDERS)
  await endProcess(dead, 'SIGKILL')
  await client.end()

  await workers.start()
  for (const { action } of (await schedule.describe()).info.recentActions)
    await endAttempts(workers.env.client, action.workflow.workflowId, dead)
  await until(async () => (await count('orders where invoice_due_at is not null')) === 0, 90)
  expect(await count('invoices')).toBe(2 * ORDERS)
  for (const month of ['2024-12', '2025-01']) {
    const numbers = `invoices where broadcast_month = '${month}'`
    expect(await count(numbers)).toBe(ORDERS)
    expect(await count(`(select distinct invoice_number from ${numbers}) n`)).toBe(ORDERS)
    expect(await count(`invoice_counters where seller = '${SELLER}' and broadcast_month = '${month}' and last = ${ORDERS}`)).toBe(1)
  }
  for (const tenant of [BUYER, SELLER])
    expect(await count(`feed where tenant = '${tenant}' and event_type = 'settlement.invoice_issued'`)).toBe(2 * ORDERS)
}, 180_000)
