import { mkdir } from 'node:fs/promises'
import type { WorkflowHandle } from '@temporalio/client'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { workflowBundle } from '../../worker/workflowBundle.ts'
import { QUEUES, WORKFLOWS, wake } from '../../workflows/messages.ts'
import { devServer } from '../support/engines/temporal.ts'
import { until } from '../support/until.ts'
import { due, fakeReconciling } from './fakeReconciling.ts'
import { writeHistory } from './writeHistory.ts'

/** Writes histories of sellers' runs to reconcileHistories/, as recordHistories.ts does for orders, and under its rules. */
const HISTORIES = new URL('reconcileHistories/', import.meta.url)

Runtime.install({ logger: new DefaultLogger('ERROR') })
const env = await devServer()
const fake = fakeReconciling(async () => Date.now())
const { nativeConnection: connection } = env
const worker = await Worker.create({ connection, taskQueue: QUEUES.orders, workflowBundle: await workflowBundle() })
const reconciling = await Worker.create({ connection, taskQueue: QUEUES.reconciling, activities: fake.activities })

const LIVES: Record<string, { left: Parameters<typeof fake.leave>; life: (run: WorkflowHandle) => Promise<unknown> }> = {
  done: { left: [], life: async () => undefined },
  severalTurns: { left: [due(1_500), due(1_500)], life: async () => undefined },
  failingThenWokenThenDone: {
    left: [due(1_500), due(3_600_000, 1), due(1_500)],
    life: async (run) => {
      await until(() => fake.turns.length === 2)
      await until(async () => (await run.describe()).historyLength >= 20)
      await run.signal(wake)
    },
  },
}

await mkdir(HISTORIES, { recursive: true })
const reconciled = reconciling.run()
await worker.runUntil(async () => {
  for (const [name, { left, life }] of Object.entries(LIVES)) {
    fake.leave(...left)
    const run = await env.client.workflow.start(WORKFLOWS.reconcile, {
      workflowId: `reconcile:${name}`,
      taskQueue: QUEUES.orders,
      args: [name],
    })
    await life(run)
    await run.result()
    await writeHistory(run, HISTORIES, name)
  }
})
reconciling.shutdown()
await reconciled
await env.teardown()
