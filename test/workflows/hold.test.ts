import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { ApplicationFailure } from '@temporalio/common'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import type { HoldActivities } from '../../activities/holds.ts'
import type { SellerCallActivities } from '../../activities/sellerCalls.ts'
import { workflowBundle } from '../../worker/workflowBundle.ts'
import { QUEUES } from '../../workflows/messages.ts'
import { timeSkippingServer } from '../support/engines/temporal.ts'

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
    taskQueue: QUEUES.orders,
    workflowBundle: bundle,
    activities,
  })
  await worker.runUntil(
    env.client.workflow.execute('holdWorkflow', { workflowId: 'hold:hold_1', taskQueue: QUEUES.orders, args: ['hold_1'] }),
  )
  expect(looks).toHaveLength(2)
  expect((looks[1] ?? 0) - due).toBeGreaterThanOrEqual(0)
  expect((looks[1] ?? 0) - due).toBeLessThan(60_000)
})

it('notifies an unreachable seller for an hour, and then stops', async () => {
  const told: number[] = []
  const toSeller: Pick<SellerCallActivities, 'tellHoldOver'> = {
    tellHoldOver: async () => {
      told.push(await env.currentTimeMs())
      throw ApplicationFailure.create({ message: 'the seller was not reached', type: 'unreachable' })
    },
  }
  const activities: HoldActivities = { tendHold: async () => 'tell_seller' }
  const { nativeConnection: connection } = env
  const [worker, calls] = await Promise.all([
    Worker.create({ connection, taskQueue: QUEUES.orders, workflowBundle: bundle, activities }),
    Worker.create({ connection, taskQueue: QUEUES.sellerCalls, activities: toSeller }),
  ])
  await calls.runUntil(
    worker.runUntil(env.client.workflow.execute('holdWorkflow', { workflowId: 'hold:hold_2', taskQueue: QUEUES.orders, args: ['hold_2'] })),
  )
  const [first = 0] = told
  expect(told.length).toBeGreaterThan(5)
  expect((told.at(-1) ?? 0) - first).toBeGreaterThan(40 * 60_000)
  expect((told.at(-1) ?? 0) - first).toBeLessThan(60 * 60_000)
})
