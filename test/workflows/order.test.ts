import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { WorkflowHandle } from '@temporalio/client'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { registerSearchAttributes } from '../../worker/searchAttributes.ts'
import { workflowBundle } from '../../worker/workflowBundle.ts'
import { QUEUES, wake } from '../../workflows/messages.ts'
import { firstAttributesOf, ORDER_ATTRIBUTES } from '../../workflows/searchAttributes.ts'
import { timeSkippingServer } from '../support/engines/temporal.ts'
import { until } from '../support/until.ts'
import { type FakeLog, fakeLog } from './fakeLog.ts'

let env: TestWorkflowEnvironment
let worker: Worker
let reader: Worker
let working: Promise<unknown>
let log: FakeLog
let decideBy: string | null = null

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  env = await timeSkippingServer()
  await registerSearchAttributes(env.nativeConnection, 'default')
  log = fakeLog(() => decideBy)
  worker = await Worker.create({
    connection: env.nativeConnection,
    taskQueue: QUEUES.orders,
    workflowBundle: await workflowBundle(),
    activities: log.activities,
  })
  reader = await Worker.create({ connection: env.nativeConnection, taskQueue: QUEUES.documents, activities: log.documents })
  working = Promise.all([worker.run(), reader.run()])
}, 60_000)

afterAll(async () => {
  worker.shutdown()
  reader.shutdown()
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
    taskQueue: QUEUES.orders,
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
  await until(async () => /^\*\*(seller_review|validating)\*\*/.test(await details(run)))
  await run.terminate()
}

describe('a document order', () => {
  it('has its document read on a separate queue, and again when that fails; confirmed, it moves to its seller', async () => {
    const order_id = 'ord_document'
    log.put({ order_id, workflow: 'document' })
    log.onStep(order_id, (step) => {
      if (step === 'parseDocument' && log.stepsOf(order_id).length === 2) log.breakFor(order_id, 2)
    })
    const run = await start(order_id)
    await until(() => log.read(order_id).status === 'needs_confirmation')
    expect(log.stepsOf(order_id)).toEqual(['validate', 'parseDocument', 'parseDocument', 'parseDocument'])
    await until(async () => (await details(run)).startsWith('**needs_confirmation**'))
    log.move(order_id, 'confirmed')
    await run.signal(wake)
    await parked(order_id)
    log.move(order_id, 'placed')
    await run.signal(wake)
    await run.result()
    expect(log.stepsOf(order_id).slice(4)).toEqual(['look', 'validate', 'look'])
  })
})

describe('a parked order', () => {
  it('waits a day for its seller, is placed and closes', async () => {
    const { order_id, run } = await submit({ hours: 48 })
    await parked(order_id)
    await env.sleep('1 day')
    expect(await details(run)).toMatch(/\*\*seller_review\*\*: waits for the seller's decision since .*\n\nDecide by/)
    log.move(order_id, 'placed')
    await run.signal(wake)
    await run.result()
    expect(log.stepsOf(order_id)).toEqual(['validate', 'look'])
    expect(log.read(order_id).closed).toBe(true)
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

  it('wakes and closes when it is canceled', async () => {
    const { order_id, run } = await submit()
    await parked(order_id)
    log.move(order_id, 'canceled')
    await run.signal(wake)
    await run.result()
    expect(log.read(order_id)).toMatchObject({ status: 'canceled', closed: true })
  })

  it('is not harmed by signals that say nothing new', async () => {
    const { order_id, run } = await submit({ hours: 24 })
    await parked(order_id)
    for (let count = 0; count < 5; count += 1) await run.signal(wake)
    await steps(order_id, 2)
    log.move(order_id, 'placed')
    await run.signal(wake)
    await run.result()
    expect(log.read(order_id).closed).toBe(true)
  })

  it('notices at its deadline what a lost signal would have reported', async () => {
    const { order_id, run } = await submit({ hours: 24 })
    await parked(order_id)
    log.move(order_id, 'placed')
    await run.result()
    expect(log.read(order_id).closed).toBe(true)
  })
})

describe('an order whose seller has approval rules', () => {
  it('is decided by them and closes without waiting for people', async () => {
    log.ruled('ord_ruled', 'placed')
    const { order_id, run } = await submit({ hours: 24, order_id: 'ord_ruled' })
    await run.result()
    expect(log.stepsOf(order_id)).toEqual(['validate', 'decideByRules', 'settle'])
    expect(log.read(order_id)).toMatchObject({ status: 'placed', closed: true })
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

describe('a counter', () => {
  const inHours = async (hours: number) => new Date((await env.currentTimeMs()) + hours * HOUR).toISOString()
  /** An order whose seller has just countered; the quote is valid for `hours` of the server's time. */
  async function countered(hours: number, order_id?: string) {
    const order = await submit({ hours: 24, ...(order_id === undefined ? {} : { order_id }) })
    await parked(order.order_id)
    await counter(order, hours)
    return order
  }
  async function counter({ order_id, run }: { order_id: string; run: WorkflowHandle }, hours: number) {
    const seen = log.stepsOf(order_id).length
    log.move(order_id, 'negotiating', await inHours(hours))
    await run.signal(wake)
    await steps(order_id, seen + 1)
  }
  const lapses = (orderId: string) => log.stepsOf(orderId).filter((step) => step === 'lapse').length
  const close = async ({ order_id, run }: { order_id: string; run: WorkflowHandle }) => {
    log.move(order_id, 'placed')
    await run.signal(wake)
    await run.result()
  }

  it('waits for an answer while its quote is valid; a lapse is reported once, and the order keeps waiting', async () => {
    const order = await countered(48)
    await env.sleep('47 hours')
    expect(await details(order.run)).toMatch(
      /^\*\*negotiating\*\*: waits for the buyer's answer to a counter.*\n\nThe first quote is valid until/,
    )
    expect(lapses(order.order_id)).toBe(0)
    await env.sleep('2 hours')
    await until(async () => (await details(order.run)).includes('**Quote lapsed**'))
    await env.sleep('30 days')
    expect(lapses(order.order_id)).toBe(1)
    expect(log.read(order.order_id)).toMatchObject({ status: 'negotiating', substatus: 'quote_lapsed' })
    await close(order)
  })

  it('that is answered in time lapses never', async () => {
    const order = await countered(48)
    await env.sleep('1 hour')
    await close(order)
    expect(lapses(order.order_id)).toBe(0)
  })

  it('is replaced by a newer one, whose quote resets the timer', async () => {
    const order = await countered(24)
    await env.sleep('12 hours')
    await counter(order, 48)
    await env.sleep('24 hours')
    expect(lapses(order.order_id)).toBe(0)
    await env.sleep('25 hours')
    await until(() => lapses(order.order_id) === 1)
    await close(order)
  })

  it('may follow one that has lapsed, and lapses too', async () => {
    const order = await countered(24)
    await env.sleep('25 hours')
    await until(() => log.read(order.order_id).substatus === 'quote_lapsed')
    await counter(order, 24)
    expect(await details(order.run)).toContain('The first quote is valid until')
    await env.sleep('25 hours')
    await until(() => log.read(order.order_id).substatus === 'quote_lapsed')
    expect(lapses(order.order_id)).toBe(2)
    await close(order)
  })

  it("is asked about again when the log's clock is behind the timer", async () => {
    log.lagFor('ord_behind', 2)
    const order = await countered(24, 'ord_behind')
    await env.sleep('25 hours')
    await until(() => lapses(order.order_id) === 3)
    await close(order)
  })

  it('whose quote lapsed while no run was there is reported by the next one', async () => {
    const { order_id } = log.put({ order_id: 'ord_late', status: 'negotiating', last_seq: 4, due_at: '2026-01-05T09:00:00.000Z' })
    const run = await start(order_id)
    await until(() => log.read(order_id).substatus === 'quote_lapsed')
    await close({ order_id, run })
  })
})

describe('a proposal', () => {
  /** Waits for its plan, with its run. */
  async function proposal() {
    const { order_id } = log.put({ order_id: `ord_${log.count()}`, workflow: 'proposal', status: 'validating', substatus: 'awaiting_plan' })
    const run = await start(order_id)
    await steps(order_id, 2)
    return { order_id, run }
  }
  const inHours = async (hours: number) => new Date((await env.currentTimeMs()) + hours * HOUR).toISOString()
  const planned = async (order_id: string, run: WorkflowHandle, hours: number) => {
    log.move(order_id, 'needs_confirmation', await inHours(hours))
    await run.signal(wake)
    await until(async () => (await details(run)).startsWith('**needs_confirmation**'))
  }

  it('waits for its plan for any time, and asks no API', async () => {
    const { order_id, run } = await proposal()
    await env.sleep('60 days')
    expect(await details(run)).toMatch(/^\*\*validating\*\* \(awaiting_plan\): waits for the seller's plan/)
    expect(log.stepsOf(order_id)).toEqual(['look', 'validate'])
    await lose(run)
  })

  it('shows until when its plan is valid, and that it has expired; only a command changes the log', async () => {
    const { order_id, run } = await proposal()
    await planned(order_id, run, 24)
    expect(await details(run)).toMatch(/waits for the buyer to confirm.*\n\nThe plan is valid until/)
    const { last_seq } = log.read(order_id)
    await env.sleep('25 hours')
    await until(async () => (await details(run)).includes('**Plan expired** at'))
    await env.sleep('30 days')
    expect(log.stepsOf(order_id)).toEqual(['look', 'validate', 'look', 'look'])
    expect(log.read(order_id)).toMatchObject({ status: 'needs_confirmation', last_seq })

    // Another plan sets the clock again, and can be confirmed.
    await planned(order_id, run, 24)
    await until(async () => (await details(run)).includes('The plan is valid until'))
    log.move(order_id, 'seller_review')
    await run.signal(wake)
    await until(async () => (await details(run)).startsWith('**seller_review**'))
    log.move(order_id, 'placed')
    await run.signal(wake)
    await run.result()
    expect(log.read(order_id).closed).toBe(true)
  })
})

describe('a run', () => {
  it('that was lost continues from the log when it is started again', async () => {
    const { order_id, run } = await submit({ hours: 24 })
    await parked(order_id)
    await lose(run)
    log.move(order_id, 'placed')
    await (await start(order_id)).result()
    expect(log.stepsOf(order_id)).toEqual(['validate', 'look'])
    expect(log.read(order_id).closed).toBe(true)
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
    const { order_id } = log.put({ order_id: 'ord_done', status: 'placed', closed: true })
    await (await start(order_id)).result()
    expect(log.stepsOf(order_id)).toEqual(['look'])
  })

  it('looks once more when it is woken while it closes', async () => {
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
    expect(log.read(order_id).closed).toBe(true)
  })

  it('closes an order that validation has failed', async () => {
    const { order_id } = log.put({ order_id: 'ord_failed', status: 'failed' })
    await (await start(order_id)).result()
    expect(log.read(order_id).closed).toBe(true)
  })

  it('fails for an order that the log does not know', async () => {
    const run = await env.client.workflow.start('orderWorkflow', { workflowId: 'order:ord_x', taskQueue: QUEUES.orders, args: ['ord_x'] })
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
