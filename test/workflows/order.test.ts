import { describe, expect, it } from '@jest/globals'
import type { WorkflowHandle } from '@temporalio/client'
import { commandSignals, QUEUES, wake } from '../../workflows/messages.ts'
import { ORDER_ATTRIBUTES } from '../../workflows/searchAttributes.ts'
import { until } from '../support/until.ts'
import { timersOf } from './storyOf.ts'
import { useOrderRuns } from './useOrderRuns.ts'
import { currentDetails } from './useTimeSkipping.ts'

const { time, log, submit, start, inHours, parked, steps, lose } = useOrderRuns()

describe('a document order', () => {
  it('has its document read on a separate queue, and again when that fails; confirmed, it moves to its seller', async () => {
    const order_id = 'ord_document'
    log.put({ order_id, workflow: 'document' })
    log.onStep(order_id, (step) => {
      if (step === 'parseDocument' && log.stepsOf(order_id).length === 2) log.breakFor(order_id, 2)
    })
    const run = await start(order_id)
    await steps(order_id, 2)
    await time.env.sleep('10 s') // longer than the pauses between its attempts
    await until(() => log.read(order_id).status === 'needs_confirmation')
    expect(log.stepsOf(order_id)).toEqual(['validate', 'parseDocument', 'parseDocument', 'parseDocument'])
    await until(async () => (await currentDetails(run)).startsWith('**needs_confirmation**'))
    log.move(order_id, 'confirmed')
    await run.signal(wake)
    await parked(order_id)
    log.move(order_id, 'placed')
    await run.signal(wake)
    await run.result()
    expect(log.stepsOf(order_id).slice(4)).toEqual(['look', 'validate', 'look', 'close'])
  })
})

describe('a document that cannot be read', () => {
  it('shows as stuck after five attempts, and is read again until it can be', async () => {
    const order_id = 'ord_unreadable'
    log.put({ order_id, workflow: 'document' })
    log.onStep(order_id, (step) => {
      if (step === 'parseDocument' && log.stepsOf(order_id).length === 2) log.breakFor(order_id, 13)
    })
    const run = await start(order_id)
    await until(async () => {
      await time.env.sleep('2 s')
      return (await currentDetails(run)).startsWith('**Stuck**')
    })
    await until(async () => {
      await time.env.sleep('1 minute')
      return log.read(order_id).status === 'needs_confirmation'
    })
    expect(log.stepsOf(order_id)).toEqual(['validate', ...Array.from({ length: 14 }, () => 'parseDocument')])
    await until(async () => (await currentDetails(run)).startsWith('**needs_confirmation**'))
    expect((await run.describe()).typedSearchAttributes.get(ORDER_ATTRIBUTES.OrderStuckReason)).toBeUndefined()
    await run.terminate()
  })
})

describe('a parked order', () => {
  it('waits a day for its seller, is placed and closes', async () => {
    const { order_id, run } = await submit({ hours: 48 })
    await parked(order_id)
    await time.env.sleep('1 day')
    expect(await currentDetails(run)).toMatch(/\*\*seller_review\*\*: waits for the seller's decision since .*\n\nDecide by/)
    log.move(order_id, 'placed')
    await run.signal(wake)
    expect(await run.result()).toEqual({ status: 'placed', last_seq: 4 })
    expect(log.stepsOf(order_id)).toEqual(['validate', 'look', 'close'])
    expect(log.read(order_id).closed).toBe(true)
  })

  it('is shown as overdue when the time to decide is over, and waits on', async () => {
    const { order_id, run } = await submit({ hours: 24 })
    await parked(order_id)
    await time.env.sleep('25 hours')
    await until(async () => (await currentDetails(run)).includes('**Overdue**'))
    expect(log.stepsOf(order_id)).toEqual(['validate', 'look'])
    const overdue = async () => (await run.describe()).typedSearchAttributes.get(ORDER_ATTRIBUTES.OrderOverdue)
    expect(await overdue()).toBe(true)
    await time.env.sleep('30 days')
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

describe('the commands of buyers and sellers', () => {
  const statuses = async (run: WorkflowHandle) => {
    const { events = [] } = await run.fetchHistory()
    return (events ?? []).flatMap((event) => {
      const fields = event.upsertWorkflowSearchAttributesEventAttributes?.searchAttributes?.indexedFields
      const status = fields?.OrderStatus?.data
      return status ? [JSON.parse(Buffer.from(status).toString())] : []
    })
  }

  it('are told by name, and all statuses are shown that were passed when several come at once', async () => {
    const { order_id, run } = await submit({ hours: 24 })
    await parked(order_id)
    log.move(order_id, 'negotiating', await inHours(24))
    log.move(order_id, 'placed')
    log.move(order_id, 'canceled')
    await run.signal(commandSignals.decided, { seq: 4, status: 'negotiating', gate: 'api' })
    await run.signal(commandSignals.responded, { seq: 5, status: 'placed', gate: 'api' }).catch(() => undefined)
    await run.signal(commandSignals.canceled, { seq: 6, status: 'canceled', gate: null }).catch(() => undefined)
    expect(await run.result()).toEqual({ status: 'canceled', last_seq: 6 })
    expect(await statuses(run)).toEqual(['seller_review', 'negotiating', 'placed', 'canceled'])
  })

  it('that come while the order is being closed are closed too', async () => {
    const { order_id, run } = await submit()
    await parked(order_id)
    log.move(order_id, 'placed')
    log.moveDuringClose(order_id, 'canceled')
    await run.signal(commandSignals.decided, { seq: 4, status: 'placed', gate: 'api' })
    await until(() => log.read(order_id).status === 'canceled')
    await run.signal(commandSignals.canceled, { seq: 5, status: 'canceled', gate: null })
    expect(await run.result()).toEqual({ status: 'canceled', last_seq: 5 })
    expect(log.read(order_id).closed).toBe(true)
  })

  it('do not wake a run for what it has seen, and do for what it has not', async () => {
    const { order_id, run } = await submit({ hours: 24 })
    await parked(order_id)
    await run.signal(commandSignals.planned, { seq: 3, status: 'seller_review', gate: null })
    await run.signal(wake)
    await steps(order_id, 2)
    await run.signal(commandSignals.decided, { seq: 9, status: 'placed', gate: 'api' }) // a log that was restored from an older copy
    await steps(order_id, 3)
    await time.env.sleep('1 minute')
    expect(log.stepsOf(order_id)).toEqual(['validate', 'look', 'look'])
    await lose(run)
  })
})

describe('an order whose seller has approval rules', () => {
  it('is decided by them and closes without waiting for people', async () => {
    log.ruled('ord_ruled', 'placed')
    const { order_id, run } = await submit({ hours: 24, order_id: 'ord_ruled' })
    await run.result()
    expect(log.stepsOf(order_id)).toEqual(['validate', 'decideByRules', 'close'])
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
    expect(log.stepsOf(order_id)).toEqual(['validate', 'decideByRules', 'look', 'look', 'close'])
  })
})

describe('a run', () => {
  it('that was lost continues from the log when it is started again', async () => {
    const { order_id, run } = await submit({ hours: 24 })
    await parked(order_id)
    await lose(run)
    log.move(order_id, 'placed')
    await (await start(order_id)).result()
    expect(log.stepsOf(order_id)).toEqual(['validate', 'validate', 'close'])
    expect(log.read(order_id).closed).toBe(true)
  })

  it('that was lost while its order was parked parks again', async () => {
    const { order_id, run } = await submit({ hours: 24 })
    await parked(order_id)
    await lose(run)
    const again = await start(order_id)
    await steps(order_id, 2)
    expect(await currentDetails(again)).toMatch(/^\*\*seller_review/)
    expect(log.read(order_id).last_seq).toBe(3)
    await lose(again)
  })

  it('that is started once too often finds nothing to do and ends', async () => {
    const { order_id } = log.put({ order_id: 'ord_done', status: 'placed', closed: true })
    await (await start(order_id)).result()
    expect(log.stepsOf(order_id)).toEqual(['validate'])
  })

  it('looks once more when a wake arrives before its closing step is recorded', async () => {
    const { order_id, run } = await submit()
    await parked(order_id)
    let isWoken = false
    log.onStep(order_id, async (step) => {
      if (isWoken || step !== 'close') return
      isWoken = true
      await run.signal(wake)
    })
    log.move(order_id, 'placed')
    await run.signal(wake)
    await run.result()
    expect(log.stepsOf(order_id)).toEqual(['validate', 'look', 'close', 'look'])
    expect(log.read(order_id).closed).toBe(true)
  })

  it('looks once more when a wake arrives while its closing step takes long', async () => {
    const { order_id, run } = await submit({ workflowTaskTimeout: '2 s' })
    await parked(order_id)
    const wakes = async () => {
      const { events } = await run.fetchHistory()
      return events?.filter((event) => event.workflowExecutionSignaledEventAttributes).length
    }
    let isWoken = false
    log.onStep(order_id, async (step) => {
      if (isWoken || step !== 'close') return
      isWoken = true
      await run.signal(wake)
      // The run receives it when its workflow task, of which the step is a part, is renewed: after four fifths of its timeout.
      await until(async () => (await wakes()) === 2)
    })
    log.move(order_id, 'placed')
    await run.signal(wake)
    await steps(order_id, 3)
    await run.result()
    expect(log.stepsOf(order_id).at(-1)).toBe('close')
    expect(log.read(order_id).closed).toBe(true)
  })

  it('closes an order that validation has failed', async () => {
    const { order_id } = log.put({ order_id: 'ord_failed', status: 'failed' })
    await (await start(order_id)).result()
    expect(log.read(order_id).closed).toBe(true)
  })

  it('fails for an order that the log does not know', async () => {
    const run = await time.env.client.workflow.start('orderWorkflow', {
      workflowId: 'order:ord_x',
      taskQueue: QUEUES.orders,
      args: ['ord_x'],
    })
    await expect(run.result()).rejects.toThrow()
    expect(log.stepsOf('ord_x')).toEqual(['validate'])
  })
})

describe('a step that fails', () => {
  /** The pauses that a run has made, in seconds. */
  const pauses = async (run: WorkflowHandle) => timersOf((await run.fetchHistory()).events ?? [])

  it('is tried five times within two seconds, which outlasts a failover, before its run pauses', async () => {
    log.breakFor('ord_failover', 4)
    const { run: outlasts } = await submit({ order_id: 'ord_failover' })
    log.breakFor('ord_outage', 5)
    const began = performance.now()
    const { run: pausing } = await submit({ order_id: 'ord_outage' })
    await steps('ord_outage', 5)
    expect(performance.now() - began).toBeLessThan(5_000)
    await time.env.sleep('2 seconds')
    await Promise.all([parked('ord_failover'), parked('ord_outage')])
    expect([await pauses(outlasts), await pauses(pausing)]).toEqual([[], [['again after database_unavailable', 1]]])
    await Promise.all([lose(outlasts), lose(pausing)])
  })

  it.each([
    ['database_unavailable', [1, 2, 4, 4, 4]],
    ['credit_unavailable', [1, 2, 4, 8, 16, 30, 30]],
  ])('pauses twice as long each time, but no longer than is needed after %s', async (reason, expected) => {
    const order_id = `ord_${reason}`
    log.breakFor(order_id, expected.length, reason, true)
    const { run } = await submit({ order_id })
    await time.env.sleep('2 minutes')
    await parked(order_id)
    expect(await pauses(run)).toEqual(expected.map((seconds) => [`again after ${reason}`, seconds]))
    await lose(run)
  })

  it('is tried until it works, and the order says meanwhile what it is stuck on', async () => {
    log.breakFor('ord_stuck', Number.POSITIVE_INFINITY)
    const { order_id, run } = await submit({ order_id: 'ord_stuck' })
    await steps(order_id, 5)
    await until(async () => /Stuck\*\*: `database_unavailable`/.test(await currentDetails(run)))
    log.breakFor(order_id, 7)
    await time.env.sleep('1 minute')
    await parked(order_id)
    await lose(run)
  })

  it('is tried again when the order is woken, before its pause is over', async () => {
    log.breakFor('ord_woken', Number.POSITIVE_INFINITY, 'credit_unavailable')
    const { order_id, run } = await submit({ order_id: 'ord_woken' })
    await until(async () => /Stuck/.test(await currentDetails(run)))
    // The pauses double: the sixth begins after 31 seconds, and lasts for 30.
    await time.env.sleep('35 seconds')
    await steps(order_id, 6)
    log.breakFor(order_id, 0)
    await run.signal(wake)
    await parked(order_id)
    const events = (await run.fetchHistory()).events ?? []
    const sinceWoken = events.slice(events.findLastIndex((event) => event.workflowExecutionSignaledEventAttributes))
    expect(sinceWoken.some((event) => event.timerFiredEventAttributes)).toBe(false)
    await lose(run)
  })
})
