import { mkdir } from 'node:fs/promises'
import { ApplicationFailure } from '@temporalio/activity'
import type { WorkflowHandle } from '@temporalio/client'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { workflowBundle } from '../../worker/workflowBundle.ts'
import { QUEUES, wake } from '../../workflows/messages.ts'
import { lastingAttributesOf } from '../../workflows/searchAttributes.ts'
import { devServer } from '../support/engines/temporal.ts'
import { until } from '../support/until.ts'
import { fakeLog } from './fakeLog.ts'
import { writeHistory } from './writeHistory.ts'

/**
 * Writes one history per way through an order's life to histories/, for the replay test: `node --import tsx test/workflows/recordHistories.ts
 * [name…]`, all of them where none is named. After a change of the workflow that is compatible, record nothing: that the old ones still replay is the
 * point. After one that is not, record again, and say why in the commit.
 */
const HISTORIES = new URL('histories/', import.meta.url)

Runtime.install({ logger: new DefaultLogger('ERROR') })
const env = await devServer()
let decideBy: string | null = null
const log = fakeLog(() => decideBy)
const worker = await Worker.create({
  connection: env.nativeConnection,
  taskQueue: QUEUES.orders,
  workflowBundle: await workflowBundle(),
  activities: log.activities,
})

let asks = 0
const seller = await Worker.create({
  connection: env.nativeConnection,
  taskQueue: QUEUES.sellerCalls,
  activities: {
    askDecision: () => {
      asks += 1
      throw ApplicationFailure.create({ message: 'later', type: 'will_decide_later', nextRetryDelay: 200 })
    },
  },
})

const reader = await Worker.create({ connection: env.nativeConnection, taskQueue: QUEUES.documents, activities: log.documents })

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const steps = (orderId: string, count: number) => until(() => log.stepsOf(orderId).length >= count, 30)
/** The run has handed in what it did after its last step. */
const handedIn = async (run: WorkflowHandle, events: number) => until(async () => (await run.describe()).historyLength >= events)

/** What happens to one order; its run is started with it, and awaited after it. */
type Life = (orderId: string, run: WorkflowHandle) => Promise<void>
const close = async (orderId: string, run: WorkflowHandle, status: 'placed' | 'canceled' | 'rejected') => {
  log.move(orderId, status)
  await run.signal(wake)
}

const LIVES: Record<string, Life> = {
  placed: async (id, run) => {
    await handedIn(run, 7)
    await close(id, run, 'placed')
  },
  canceledWithoutDeadline: async (id, run) => {
    await handedIn(run, 6)
    await close(id, run, 'canceled')
  },
  overdueThenRejected: async (id, run) => {
    await steps(id, 2)
    await handedIn(run, 12)
    await close(id, run, 'rejected')
  },
  wokenForNothingThenPlaced: async (id, run) => {
    await handedIn(run, 7)
    await run.signal(wake)
    await steps(id, 2)
    await handedIn(run, 12)
    await close(id, run, 'placed')
  },
  stuckThenPlaced: async (id, run) => {
    await steps(id, 13)
    await until(() => log.read(id).status === 'seller_review')
    await handedIn(run, 20)
    await close(id, run, 'placed')
  },
  decidedByRules: async () => undefined,
  heldByRulesThenPlaced: async (id, run) => {
    await steps(id, 2)
    await handedIn(run, 7)
    await close(id, run, 'placed')
  },
  quoteLapsedThenCounteredThenPlaced: async (id, run) => {
    await handedIn(run, 6)
    log.move(id, 'negotiating', inMs(1_500))
    await run.signal(wake)
    await until(() => log.read(id).substatus === 'quote_lapsed', 30)
    const lapsed = (await run.describe()).historyLength
    log.move(id, 'negotiating', inMs(86_400_000))
    await run.signal(wake)
    await handedIn(run, lapsed + 4)
    await close(id, run, 'placed')
  },
  planExpiredThenConfirmed: async (id, run) => {
    await steps(id, 2)
    log.move(id, 'needs_confirmation', inMs(1_500))
    await run.signal(wake)
    await steps(id, 4)
    log.move(id, 'needs_confirmation', inMs(86_400_000))
    await run.signal(wake)
    await steps(id, 5)
    log.move(id, 'seller_review')
    await run.signal(wake)
    await steps(id, 6)
    await close(id, run, 'placed')
  },
  /** Its document is read at the second try, and the buyer confirms. */
  readThenConfirmedThenPlaced: async (id, run) => {
    log.onStep(id, (step) => {
      if (step === 'parseDocument' && log.stepsOf(id).length === 2) log.breakFor(id, 1)
    })
    await until(() => log.read(id).status === 'needs_confirmation', 30)
    log.move(id, 'confirmed')
    await run.signal(wake)
    await until(() => log.read(id).status === 'seller_review', 30)
    await close(id, run, 'placed')
  },
  startedAgainWhileParked: async (id, run) => {
    await handedIn(run, 6)
    await close(id, run, 'placed')
  },
  /** The seller's API says "later" at first; a person decides meanwhile. */
  askedThenPlaced: async (id, run) => {
    await until(() => asks > 1)
    await run.signal(wake)
    await steps(id, 2)
    await close(id, run, 'placed')
  },
  startedAgainWhenClosed: async () => undefined,
}

const DEADLINES: Record<string, () => string> = {
  placed: () => inMs(86_400_000),
  overdueThenRejected: () => inMs(1_500),
  wokenForNothingThenPlaced: () => inMs(86_400_000),
  stuckThenPlaced: () => inMs(86_400_000),
  heldByRulesThenPlaced: () => inMs(86_400_000),
}

const asked = process.argv.slice(2)
const isAskedFor = ([name]: [string, Life]) => asked.length === 0 || asked.includes(name)

await mkdir(HISTORIES, { recursive: true })
const selling = seller.run()
const reading = reader.run()
await worker.runUntil(async () => {
  for (const [name, life] of Object.entries(LIVES).filter(isAskedFor)) {
    const order_id = `ord_${name}`
    decideBy = DEADLINES[name]?.() ?? null
    const order = log.put({
      order_id,
      ...(name === 'startedAgainWhileParked'
        ? { status: 'seller_review', last_seq: 3, parked_since: inMs(-1_000), decide_by: inMs(86_400_000) }
        : {}),
      ...(name === 'planExpiredThenConfirmed' ? { workflow: 'proposal' as const, status: 'validating', substatus: 'awaiting_plan' } : {}),
      ...(name === 'askedThenPlaced'
        ? { status: 'seller_review', substatus: 'awaiting_remote_decision', gate_due: 'pull', last_seq: 3, parked_since: inMs(-1_000) }
        : {}),
      ...(name === 'readThenConfirmedThenPlaced' ? { workflow: 'document' as const } : {}),
      ...(name === 'startedAgainWhenClosed' ? { status: 'placed', last_seq: 4 } : {}),
    })
    if (name === 'decidedByRules') log.ruled(order_id, 'placed')
    if (name === 'heldByRulesThenPlaced') log.ruled(order_id)
    if (name === 'stuckThenPlaced') log.breakFor(order_id, 12)
    const run = await env.client.workflow.start('orderWorkflow', {
      workflowId: `order:${order_id}`,
      taskQueue: QUEUES.orders,
      args: [order_id],
      typedSearchAttributes: lastingAttributesOf(order),
    })
    await life(order_id, run)
    await run.result()
    await writeHistory(run, HISTORIES, name)
  }
})
seller.shutdown()
reader.shutdown()
await Promise.all([selling, reading])
await env.teardown()
