import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Context } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime, type WorkerOptions } from '@temporalio/worker'
import type { OrderHead } from '../../src/domain/order/head.ts'
import { QUEUES, WORKFLOWS, wake } from '../../workflows/messages.ts'
import { devServer } from '../support/engines/temporal.ts'
import { until } from '../support/until.ts'
import { aDrop } from './fakeDrops.ts'
import { NOTHING } from './fakeMails.ts'
import { serveQueues } from './useTimeSkipping.ts'

/** Whether the subjects of all runs are over, so that the runs end. */
let isOver = false
const inAnHour = () => (isOver ? null : new Date(Date.now() + 3_600_000).toISOString())

const head = (order_id: string, more: Partial<OrderHead> = {}): OrderHead => ({
  ...{ order_id, seller: 'cable', buyer_entity: 'acme', workflow: 'catalog', status: 'seller_review', substatus: null, last_seq: 3 },
  ...{ parked_since: null, decide_by: null, due_at: null, closed: false, gate_due: null, stuck_reason: null },
  ...(isOver ? { status: 'rejected', last_seq: 4, closed: true } : {}),
  ...more,
})
const lookAt = async (order_id: string) => head(order_id, order_id === 'ord_pull' && !isOver ? { gate_due: 'pull' } : {})
const validate = async (order_id: string) => {
  if (order_id === 'ord_stuck' && !isOver) throw ApplicationFailure.nonRetryable('away', 'credit_unavailable')
  return lookAt(order_id)
}
const heard: (string | null)[] = []

/** Steps after which every run waits for an hour. */
const STEPS: Readonly<Record<string, NonNullable<WorkerOptions['activities']>>> = {
  [QUEUES.orders]: { validate, look: lookAt, lookAtDrop: async () => (isOver ? null : aDrop('d-1', { waits_for: 'd-0' })) },
  [QUEUES.deliveries]: { deliver: async () => ({ at: inAnHour(), waiting: 1, delivered: 0, last_status: 500, next: 'retry' }) },
  [QUEUES.mail]: { sendMails: async () => ({ ...NOTHING, at: inAnHour() }) },
  [QUEUES.reconciling]: { reconcileOrders: async () => ({ at: inAnHour(), seller: 'cable', waiting: 1, failing: 0 }) },
  [QUEUES.sellerCalls]: { askDecision: () => Context.current().cancelled },
  [QUEUES.sandbox]: {
    play: async () => inAnHour(),
    listen: async (_: string, after: string | null) => {
      heard.push(after)
      return `cursor-${heard.length}`
    },
  },
}

/** Every kind of run that may be woken any number of times. */
const RUNS: [name: string, workflow: string, args: unknown[]][] = [
  ['an order', WORKFLOWS.order, ['ord_parked']],
  ['an order of which a step fails', WORKFLOWS.order, ['ord_stuck']],
  ["an order that its seller's own API decides", WORKFLOWS.order, ['ord_pull']],
  ['an endpoint', WORKFLOWS.delivery, ['whe_1']],
  ['a drop', WORKFLOWS.drop, ['station/d-1']],
  ['the mails of an agreement', WORKFLOWS.mail, ['agr-1']],
  ['the orders of a seller', WORKFLOWS.reconcile, ['cable']],
  ['an order of a sandbox', WORKFLOWS.sandboxOrder, ['sandbox-tv', 'ord_played']],
]

describe('a run whose history has grown long', () => {
  let env: TestWorkflowEnvironment
  let stop = async () => undefined as unknown
  beforeAll(async () => {
    Runtime.install({ logger: new DefaultLogger('ERROR') })
    env = await devServer({ longHistory: 20 })
    stop = await serveQueues(env, STEPS)
  }, 60_000)
  afterAll(async () => {
    await stop()
    await env.teardown()
  })
  const start = (workflow: string, args: unknown[]) =>
    env.client.workflow.start(workflow, { workflowId: `long:${args.join(':')}`, taskQueue: QUEUES.orders, args })
  const runOf = (args: unknown[]) => env.client.workflow.getHandle(`long:${args.join(':')}`)

  it.each(RUNS)('goes on in a new one: that of %s', async (_, workflow, args) => {
    const { firstExecutionRunId } = await start(workflow, args)
    await until(async () => {
      await runOf(args).signal(wake)
      return (await runOf(args).describe()).runId !== firstExecutionRunId
    })
  })

  it('goes on where it was: that of a party of a sandbox, which listens from where it has heard', async () => {
    const { firstExecutionRunId } = await start(WORKFLOWS.sandboxParty, ['sandbox-tv'])
    await until(async () => (await runOf(['sandbox-tv']).describe()).runId !== firstExecutionRunId)
    await runOf(['sandbox-tv']).terminate()
    expect(heard.filter((cursor) => cursor === null)).toHaveLength(1)
  })

  it('ends as any other', async () => {
    isOver = true
    const ends = RUNS.map(async ([name, , args]) => {
      await runOf(args).signal(wake)
      await runOf(args).result()
      return name
    })
    expect(await Promise.all(ends)).toHaveLength(RUNS.length)
  })
})
