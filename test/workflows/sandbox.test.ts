import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { ApplicationFailure } from '@temporalio/common'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import type { SandboxActivities } from '../../activities/sandbox.ts'
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

async function played(play: SandboxActivities['play']): Promise<void> {
  const { nativeConnection: connection } = env
  const [worker, parties] = await Promise.all([
    Worker.create({ connection, taskQueue: QUEUES.orders, workflowBundle: bundle }),
    Worker.create({ connection, taskQueue: QUEUES.sandbox, activities: { play } }),
  ])
  const id = `sandbox:sandbox-tv:ord_${Math.random().toString(36).slice(2)}`
  const run = env.client.workflow.execute('sandboxOrderWorkflow', {
    workflowId: id,
    taskQueue: QUEUES.orders,
    args: ['sandbox-tv', 'ord_1'],
  })
  await parties.runUntil(worker.runUntil(run))
}

it('looks again when a move is due, and ends when there is none', async () => {
  const looks: number[] = []
  let due = 0
  await played(async (party, order_id) => {
    expect([party, order_id]).toEqual(['sandbox-tv', 'ord_1'])
    const now = await env.currentTimeMs()
    looks.push(now)
    due ||= now + 3_600_000
    return now < due ? new Date(due).toISOString() : null
  })
  expect(looks).toHaveLength(2)
  expect(Math.abs((looks[1] ?? 0) - due)).toBeLessThan(60_000)
})

it('goes on after a player has died in the middle', async () => {
  let attempts = 0
  await played(async () => {
    attempts += 1
    if (attempts < 3) throw new Error('killed')
    return null
  })
  expect(attempts).toBe(3)
})

it('listens from where it has heard, also after a refusal', async () => {
  const { nativeConnection: connection } = env
  const heard: (string | null)[] = []
  const workflowId = 'sandbox:sandbox-tv'
  const listen: SandboxActivities['listen'] = async (_party, after) => {
    heard.push(after)
    if (heard.length === 2) throw ApplicationFailure.nonRetryable('refused', 'INVALID_INPUT')
    if (heard.length === 4) await env.client.workflow.getHandle(workflowId).terminate()
    return `cursor-${heard.length}`
  }
  const [worker, parties] = await Promise.all([
    Worker.create({ connection, taskQueue: QUEUES.orders, workflowBundle: bundle }),
    Worker.create({ connection, taskQueue: QUEUES.sandbox, activities: { listen } }),
  ])
  const options = { workflowId, taskQueue: QUEUES.orders, args: ['sandbox-tv'] }
  const run = env.client.workflow.execute('sandboxPartyWorkflow', options).catch(() => undefined)
  await parties.runUntil(worker.runUntil(run))
  expect(heard).toEqual([null, 'cursor-1', 'cursor-1', 'cursor-3'])
})
