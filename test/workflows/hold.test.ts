import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import type { HoldActivities } from '../../activities/holds.ts'
import { ORDERS_QUEUE } from '../../worker/wakeOrder.ts'
import { workflowBundle } from '../../worker/workflowBundle.ts'
import { timeSkippingServer } from '../support/temporal.ts'

let env: TestWorkflowEnvironment
let bundle: Awaited<ReturnType<typeof workflowBundle>>
beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  env = await timeSkippingServer()
  bundle = await workflowBundle()
}, 60_000)
afterAll(() => env.teardown())

it('waits for the end of the hold, and looks again', async () => {
  const looks: number[] = []
  let due = 0
  const activities: HoldActivities = {
    tendHold: async () => {
      const now = await env.currentTimeMs()
      due ||= now + 24 * 3_600_000
      looks.push(now)
      return now < due ? { due_at: new Date(due).toISOString() } : 'nothing'
    },
  }
  const worker = await Worker.create({
    connection: env.nativeConnection,
    taskQueue: ORDERS_QUEUE,
    workflowBundle: bundle,
    activities,
  })
  await worker.runUntil(
    env.client.workflow.execute('holdWorkflow', { workflowId: 'hold:hold_1', taskQueue: ORDERS_QUEUE, args: ['hold_1'] }),
  )
  expect(looks).toHaveLength(2)
  expect((looks[1] ?? 0) - due).toBeGreaterThanOrEqual(0)
  expect((looks[1] ?? 0) - due).toBeLessThan(60_000)
})
