import { mkdir } from 'node:fs/promises'
import type { WorkflowHandle } from '@temporalio/client'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { workflowBundle } from '../../worker/workflowBundle.ts'
import { QUEUES, wake } from '../../workflows/messages.ts'
import { devServer } from '../support/engines/temporal.ts'
import { until } from '../support/until.ts'
import { aDrop, fakeDrops } from './fakeDrops.ts'
import { writeHistory } from './writeHistory.ts'

/** Writes histories of drops' runs to dropHistories/, as recordHistories.ts does for orders, and under its rules. */
const HISTORIES = new URL('dropHistories/', import.meta.url)

Runtime.install({ logger: new DefaultLogger('ERROR') })
const env = await devServer()
const drops = fakeDrops()
const { nativeConnection: connection } = env
const worker = await Worker.create({
  connection,
  taskQueue: QUEUES.orders,
  workflowBundle: await workflowBundle(),
  activities: drops.looks,
})
const stages = await Worker.create({ connection, taskQueue: QUEUES.drops, activities: drops.stages })

const LIVES: Record<string, (run: WorkflowHandle) => Promise<unknown>> = {
  ingested: async () => undefined,
  waitedForItsTurn: async (run) => {
    await until(async () => (await run.describe()).historyLength >= 6)
    drops.change((all) => all.filter(({ drop_id }) => drop_id !== 'earlier'))
    await run.signal(wake)
  },
  stuckThenIngested: async () => undefined,
  nothingToDo: async () => undefined,
}

await mkdir(HISTORIES, { recursive: true })
const staging = stages.run()
await worker.runUntil(async () => {
  for (const [name, life] of Object.entries(LIVES)) {
    drops.set(name === 'nothingToDo' ? [] : [...(name === 'waitedForItsTurn' ? [aDrop('earlier', { stage: 'finish' })] : []), aDrop(name)])
    if (name === 'stuckThenIngested') drops.fail('fetch', 4, 'storage_unavailable')
    const run = await env.client.workflow.start('ingestDropWorkflow', {
      workflowId: `drop:station/${name}`,
      taskQueue: QUEUES.orders,
      args: [`station/${name}`],
    })
    await life(run)
    await run.result()
    await writeHistory(run, HISTORIES, name)
  }
})
stages.shutdown()
await staging
await env.teardown()
