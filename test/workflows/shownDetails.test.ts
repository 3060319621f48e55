import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime } from '@temporalio/worker'
import { QUEUES, WORKFLOWS } from '../../workflows/messages.ts'
import { timeSkippingServer } from '../support/engines/temporal.ts'
import { until } from '../support/until.ts'
import { currentDetails, serveQueues } from './useTimeSkipping.ts'

const DUE = '2099-06-01T12:00:00.000Z'
let waiting = 1
let env: TestWorkflowEnvironment
let stop = async () => undefined as unknown
beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  env = await timeSkippingServer()
  stop = await serveQueues(env, {
    [QUEUES.orders]: {
      tendHold: async () => ({ due_at: DUE }),
      tendMakegood: async (status: string) => ({ status, version: 2, due_at: DUE }),
    },
    [QUEUES.deliveries]: { deliver: async () => ({ at: DUE, waiting, delivered: 0, last_status: 500, next: 'retry 2 of 3' }) },
  })
}, 60_000)
afterAll(async () => {
  await stop()
  await env.teardown()
})

it.each<[workflow: string, subject: string, shows: string]>([
  [WORKFLOWS.delivery, 'whe_1', `**1** delivery waits; the next attempt is due at \`${DUE}\`. Its receiver does not answer as it should`],
  [WORKFLOWS.delivery, 'whe_2', `**2** deliveries wait; the next attempt is due at \`${DUE}\`.`],
  [WORKFLOWS.hold, 'hold_1', `until \`${DUE}\``],
  [WORKFLOWS.makegood, 'offered', `\`offered\` at version 2: waits for the buyer's answer until \`${DUE}\``],
  [WORKFLOWS.makegood, 'noticed', `\`noticed\` at version 2: waits for the seller's offer until \`${DUE}\``],
])('%s shows operators what it waits for: %s', async (workflow, subject, shows) => {
  waiting = subject === 'whe_2' ? 2 : 1
  const run = await env.client.workflow.start(workflow, { workflowId: `shown:${subject}`, taskQueue: QUEUES.orders, args: [subject] })
  await until(async () => (await currentDetails(run)) !== '')
  expect(await currentDetails(run)).toContain(shows)
  await run.terminate()
})
