import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import type { MakegoodActivities } from '../../activities/makegoods.ts'
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

function run(makegoodId: string, activities: MakegoodActivities) {
  const options = { connection: env.nativeConnection, taskQueue: QUEUES.orders, workflowBundle: bundle, activities }
  return Worker.create(options).then((worker) =>
    worker.runUntil(
      env.client.workflow.execute('makegoodWorkflow', {
        workflowId: `makegood:${makegoodId}`,
        taskQueue: QUEUES.orders,
        args: [makegoodId],
      }),
    ),
  )
}

it('waits for the deadline of the offer, looks again and ends with what became of it', async () => {
  const looks: number[] = []
  let due = 0
  const result = await run('mkg_1', {
    tendMakegood: async () => {
      const now = await env.currentTimeMs()
      due ||= now + 3 * 24 * 3_600_000
      looks.push(now)
      const isOver = now >= due
      return { status: isOver ? 'expired' : 'offered', version: 2, due_at: isOver ? null : new Date(due).toISOString() }
    },
  })
  expect(result).toEqual({ status: 'expired', version: 2 })
  expect(looks).toHaveLength(2)
  expect((looks[1] ?? 0) - due).toBeGreaterThanOrEqual(0)
  expect((looks[1] ?? 0) - due).toBeLessThan(60_000)
})

it('waits for the end of the flight, and then for the deadline of an offer that came meanwhile', async () => {
  const tasks: Awaited<ReturnType<MakegoodActivities['tendMakegood']>>[] = []
  const start = await env.currentTimeMs()
  const at = (days: number) => new Date(start + days * 24 * 3_600_000).toISOString()
  tasks.push(
    { status: 'noticed', version: 1, due_at: at(5) },
    { status: 'offered', version: 2, due_at: at(7) },
    { status: 'accepted', version: 2, due_at: null },
  )
  const result = await run('mkg_2', { tendMakegood: async () => tasks.shift() ?? null })
  expect([result, tasks.length]).toEqual([{ status: 'accepted', version: 2 }, 0])
  expect((await env.currentTimeMs()) - Date.parse(at(7))).toBeGreaterThanOrEqual(0)
})

it('ends at once without a makegood, and with one that waits for nobody', async () => {
  expect(await run('mkg_none', { tendMakegood: async () => null })).toBeNull()
  const recalled = { status: 'recalled', version: 1, due_at: null } as const
  expect(await run('mkg_over', { tendMakegood: async () => recalled })).toEqual({ status: 'recalled', version: 1 })
})
