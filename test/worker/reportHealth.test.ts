import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import { defineSearchAttributeKey } from '@temporalio/common'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { readOpsHealth } from '../../src/store/ops/opsHealth.ts'
import { findOpsOrder } from '../../src/store/ops/opsOrders.ts'
import { startHealthReport } from '../../worker/reportHealth.ts'
import { makeSchedules } from '../../worker/schedules.ts'
import { devServer } from '../support/engines/temporal.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
let env: TestWorkflowEnvironment
beforeAll(async () => {
  env = await devServer()
  await makeSchedules(env.client)
}, 120_000)
afterAll(() => env.teardown())

describe('what a worker reports', () => {
  it('is that it is alive, the schedules, and orders whose run shows a stuck reason', async () => {
    const { db } = market.deps
    const orderId = await market.parked()
    // A run that nobody works on shows what it was started with.
    await env.client.workflow.start('order', {
      workflowId: `order:${orderId}`,
      taskQueue: 'nobody',
      args: [orderId],
      typedSearchAttributes: [{ key: defineSearchAttributeKey('OrderStuckReason', 'KEYWORD'), value: 'timeout' }],
    })
    const report = startHealthReport({ db, client: env.client, pause: 100 })
    await until(async () => {
      await market.owner().query(`update engine_reports set claimed_at = '2000-01-01'`)
      return (await findOpsOrder(db, orderId, new Date().toISOString()))?.stuck_reason === 'timeout'
    }, 60)
    const { workers, temporal } = await readOpsHealth(db)
    expect(workers).toMatchObject([{ alive: true }])
    expect(temporal).toMatchObject({
      reachable: true,
      schedules: [{ schedule_id: 'housekeeping', paused: false }, { schedule_id: 'settlement' }],
    })
    expect(temporal.schedules[0]?.next_at).not.toBeNull()
    await report.stop()
    expect((await readOpsHealth(db)).workers).toEqual([])
  }, 120_000)

  it('says so where Temporal is away', async () => {
    const { db } = market.deps
    // Nobody listens there. No call is tried again: one that would be after the connection has closed throws where no test sees it.
    const connection = Connection.lazy({ address: '127.0.0.1:9', interceptors: [] })
    const away = new Client({ connection })
    const report = startHealthReport({ db, client: away, pause: 100 })
    await until(async () => {
      await market.owner().query(`update engine_reports set claimed_at = '2000-01-01'`)
      return !(await readOpsHealth(db)).temporal.reachable
    }, 60)
    await report.stop()
    await connection.close()
  }, 120_000)
})
