import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { WorkflowHandle } from '@temporalio/client'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { registerSearchAttributes } from '../../worker/searchAttributes.ts'
import { ORDERS_QUEUE } from '../../worker/wakeOrder.ts'
import { workflowBundle } from '../../worker/workflowBundle.ts'
import { wake } from '../../workflows/messages.ts'
import { firstAttributesOf, ORDER_ATTRIBUTES } from '../../workflows/searchAttributes.ts'
import { timeSkippingServer } from '../support/temporal.ts'
import { type FakeLog, fakeLog } from './fakeLog.ts'
import { until } from './until.ts'

let env: TestWorkflowEnvironment
let worker: Worker
let working: Promise<void>
let log: FakeLog
let decideBy: string | null = null

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  env = await timeSkippingServer()
  await registerSearchAttributes(env.nativeConnection, 'default')
  log = fakeLog(() => decideBy)
  worker = await Worker.create({
    connection: env.nativeConnection,
    taskQueue: ORDERS_QUEUE,
    workflowBundle: await workflowBundle(),
    activities: log.activities,
  })
  working = worker.run()
}, 60_000)

afterAll(async () => {
  worker.shutdown()
  await working
  await env.teardown()
})

const HOUR = 3_600_000

/** A new order with its run; the seller has `hours` of the server's time. */
async function submit({ hours, order_id = `ord_${log.count()}` }: { hours?: number; order_id?: string } = {}) {
  decideBy = hours === undefined ? null : new Date((await env.currentTimeMs()) + hours * HOUR).toISOString()
  log.put({ order_id })
  return { order_id, run: await start(order_id) }
}

function start(orderId: string): Promise<WorkflowHandle> {
  return env.client.workflow.start('orderWorkflow', {
    workflowId: `order:${orderId}`,
    taskQueue: ORDERS_QUEUE,
    args: [orderId],
    typedSearchAttributes: firstAttributesOf(log.read(orderId)),
  })
}

const parked = (orderId: string) => until(() => log.read(orderId).status === 'seller_review')
const steps = (orderId: string, count: number) => until(() => log.stepsOf(orderId).length >= count)

async function details(run: WorkflowHandle): Promise<string> {
  const { currentDetails } = await run.query<{ currentDetails: string }>('__temporal_workflow_metadata')
  return currentDetails
}

/** Between two workflow tasks: the time-skipping server never skips again after it lost one that was under way. */
async function lose(run: WorkflowHandle): Promise<void> {
  await until(async () => (await details(run)).startsWith('**seller_review**'))
  await run.terminate()
}

describe('a parked order', () => {
  it('waits a day for its seller, is placed, settles and closes', async () => {
    const { order_id, run } = await submit({ hours: 48 })
    await parked(order_id)
    await env.sleep('1 day')
    expect(await details(run)).toMatch(/\*\*seller_review\*\*: waits for the seller's decision since .*\n\nDecide by/)
    log.move(order_id, 'placed')
    await run.signal(wake)
    await run.result()
    expect(log.stepsOf(order_id)).toEqual(['validate', 'look'])
    expect(log.read(order_id).settled).toBe(true)
  })

  it('is shown as overdue when the time to decide is over, and waits on', async () => {
    const { order_id, run } = await submit({ hours: 24 })
    await parked(order_id)
    await env.sleep('25 hours')
    await until(async () => (await details(run)).includes('**Overdue**'))
    expect(log.stepsOf(order_id)).toEqual(['validate', 'look'])
    const overdue = async () => (await run.describe()).typedSearchAttributes.get(ORDER_ATTRIBUTES.OrderOverdue)
    expect(await overdue()).toBe(true)
    await env.sleep('30 days')
    expect(log.stepsOf(order_id)).toEqual(['validate', 'look'])
    expect((await run.describe()).status.name).toBe('RUNNING')
    log.move(order_id, 'rejected')
    await run.signal(wake)
    await run.result()
    expect(await overdue()).toBeUndefined()
  })

  it('wakes, settles and closes when it is canceled', async () => {
    const { order_id, run } = await submit()
    await parked(order_id)
    log.move(order_id, 'canceled')
    await run.signal(wake)
    await run.result()
    expect(log.read(order_id)).toMatchObject({ status: 'canceled', settled: true })
  })

  it('is not harmed by signals that say nothing new', async () => {
    const { order_id, run } = await submit({ hours: 24 })
    await parked(order_id)
    for (let count = 0; count < 5; count += 1) await run.signal(wake)
    await steps(order_id, 2)
    log.move(order_id, 'placed')
    await run.signal(wake)
    await run.result()
    expect(log.read(order_id).settled).toBe(true)
  })

  it('sees at its deadline what a lost signal would have told it', async () => {
    const { order_id, run } = await submit({ hours: 24 })
    await parked(order_id)
    log.move(order_id, 'placed')
    await run.result()
    expect(log.read(order_id).settled).toBe(true)
  })
})

describe('an order whose seller has approval rules', () => {
  it('is decided by them and closes, and nobody is waited for', async () => {
    log.ruled('ord_ruled', 'placed')
    const { order_id, run } = await submit({ hours: 24, order_id: 'ord_ruled' })
    await run.result()
    expect(log.stepsOf(order_id)).toEqual(['validate', 'decideByRules', 'settle'])
    expect(log.read(order_id)).toMatchObject({ status: 'placed', settled: true })
  })

  it('parks with people when they hold it, and they are not asked again', async () => {
    log.ruled('ord_held')
    const { order_id, run } = await submit({ hours: 24, order_id: 'ord_held' })
    await steps(order_id, 2)
    await run.signal(wake)
    await steps(order_id, 3)
    log.move(order_id, 'rejected')
    await run.signal(wake)
    await run.result()
    expect(log.stepsOf(order_id)).toEqual(['validate', 'decideByRules', 'look', 'look'])
  })
})

describe('a run', () => {
  it('that was lost goes on from the log when it is started again', async () => {
    const { order_id, run } = await submit({ hours: 24 })
    await parked(order_id)
    await lose(run)
    log.move(order_id, 'placed')
    await (await start(order_id)).result()
    expect(log.stepsOf(order_id)).toEqual(['validate', 'look'])
    expect(log.read(order_id).settled).toBe(true)
  })

  it('that was lost while its order was parked parks again', async () => {
    const { order_id, run } = await submit({ hours: 24 })
    await parked(order_id)
    await lose(run)
    const again = await start(order_id)
    await steps(order_id, 2)
    expect(await details(again)).toMatch(/^\*\*seller_review/)
    expect(log.read(order_id).last_seq).toBe(3)
    await lose(again)
  })

  it('that is started once too often finds nothing to do and ends', async () => {
    const { order_id } = log.put({ order_id: 'ord_done', status: 'placed', settled: true })
    await (await start(order_id)).result()
    expect(log.stepsOf(order_id)).toEqual(['look'])
  })

  it('looks once more when it is woken while it settles', async () => {
    const { order_id, run } = await submit()
    await parked(order_id)
    let signaled: Promise<void> | undefined
    log.onStep(order_id, () => {
      signaled ??= run.signal(wake)
    })
    log.move(order_id, 'placed')
    await run.signal(wake)
    await run.result()
    await signaled
    expect(log.read(order_id).settled).toBe(true)
  })

  it('settles an order that validation has failed', async () => {
    const { order_id } = log.put({ order_id: 'ord_failed', status: 'failed' })
    await (await start(order_id)).result()
    expect(log.read(order_id).settled).toBe(true)
  })

  it('fails for an order that the log does not know', async () => {
    const run = await env.client.workflow.start('orderWorkflow', { workflowId: 'order:ord_x', taskQueue: ORDERS_QUEUE, args: ['ord_x'] })
    await expect(run.result()).rejects.toThrow()
    expect(log.stepsOf('ord_x')).toEqual(['look'])
  })
})

describe('a step that fails', () => {
  it('is tried until it works, and the order says meanwhile what it is stuck on', async () => {
    log.breakFor('ord_stuck', 12)
    const { order_id, run } = await submit({ order_id: 'ord_stuck' })
    await steps(order_id, 5)
    await until(async () => /Stuck\*\*: `database_unavailable`/.test(await details(run)))
    await env.sleep('1 minute')
    await steps(order_id, 13)
    await parked(order_id)
    await lose(run)
  })

  it('is tried at once when the order is woken', async () => {
    log.breakFor('ord_woken', 5)
    const { order_id, run } = await submit({ order_id: 'ord_woken' })
    await steps(order_id, 5)
    await until(async () => /Stuck/.test(await details(run)))
    await run.signal(wake)
    await parked(order_id)
    await lose(run)
  })
})
