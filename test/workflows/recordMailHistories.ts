import { mkdir } from 'node:fs/promises'
import type { WorkflowHandle } from '@temporalio/client'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { workflowBundle } from '../../worker/workflowBundle.ts'
import { QUEUES, WORKFLOWS, wake } from '../../workflows/messages.ts'
import { devServer } from '../support/engines/temporal.ts'
import { until } from '../support/until.ts'
import { fakeMails, waits } from './fakeMails.ts'
import { writeHistory } from './writeHistory.ts'

/** Writes histories of agreements' runs to mailHistories/, as recordHistories.ts does for orders, and under its rules. */
const HISTORIES = new URL('mailHistories/', import.meta.url)

Runtime.install({ logger: new DefaultLogger('ERROR') })
const env = await devServer()
const mails = fakeMails(async () => Date.now())
const { nativeConnection: connection } = env
const worker = await Worker.create({ connection, taskQueue: QUEUES.orders, workflowBundle: await workflowBundle() })
const sending = await Worker.create({ connection, taskQueue: QUEUES.mail, activities: mails.activities })

const LIVES: Record<string, { left: Parameters<typeof mails.leave>; life: (run: WorkflowHandle) => Promise<unknown> }> = {
  sent: { left: [], life: async () => undefined },
  deferredThenSent: { left: [waits(1_500), waits(1_500)], life: async () => undefined },
  stuckThenWokenThenSent: {
    left: [waits(1_500), waits(3_600_000, 'connect'), waits(1_500)],
    life: async (run) => {
      await until(() => mails.rounds.length === 2)
      await until(async () => (await run.describe()).historyLength >= 20)
      await run.signal(wake)
    },
  },
}

await mkdir(HISTORIES, { recursive: true })
const sent = sending.run()
await worker.runUntil(async () => {
  for (const [name, { left, life }] of Object.entries(LIVES)) {
    mails.leave(...left)
    const run = await env.client.workflow.start(WORKFLOWS.mail, { workflowId: `mail:${name}`, taskQueue: QUEUES.orders, args: [name] })
    await life(run)
    await run.result()
    await writeHistory(run, HISTORIES, name)
  }
})
sending.shutdown()
await sent
await env.teardown()
