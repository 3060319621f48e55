import { describe, expect, it } from '@jest/globals'
import type { WorkflowHandle } from '@temporalio/client'
import { wake } from '../../workflows/messages.ts'
import { until } from '../support/until.ts'
import { timersOf } from './storyOf.ts'
import { useOrderRuns } from './useOrderRuns.ts'
import { currentDetails } from './useTimeSkipping.ts'

const { time, log, submit, start, inHours, parked, steps, lose } = useOrderRuns()

describe('a counter', () => {
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
    await time.env.sleep('47 hours')
    expect(await currentDetails(order.run)).toMatch(
      /^\*\*negotiating\*\*: waits for the buyer's answer to a counter.*\n\nThe first quote is valid until/,
    )
    expect(lapses(order.order_id)).toBe(0)
    await time.env.sleep('2 hours')
    await until(async () => (await currentDetails(order.run)).includes('**Quote lapsed**'))
    await time.env.sleep('30 days')
    expect(lapses(order.order_id)).toBe(1)
    expect(log.read(order.order_id)).toMatchObject({ status: 'negotiating', substatus: 'quote_lapsed' })
    await close(order)
  })

  it('that is answered in time lapses never', async () => {
    const order = await countered(48)
    await time.env.sleep('1 hour')
    await close(order)
    expect(lapses(order.order_id)).toBe(0)
  })

  it('is replaced by a newer one, whose quote resets the timer', async () => {
    const order = await countered(24)
    await time.env.sleep('12 hours')
    await counter(order, 48)
    await time.env.sleep('24 hours')
    expect(lapses(order.order_id)).toBe(0)
    await time.env.sleep('25 hours')
    await until(() => lapses(order.order_id) === 1)
    await close(order)
  })

  it('may follow one that has lapsed, and lapses too', async () => {
    const order = await countered(24)
    await time.env.sleep('25 hours')
    await until(() => log.read(order.order_id).substatus === 'quote_lapsed')
    await counter(order, 24)
    expect(await currentDetails(order.run)).toContain('The first quote is valid until')
    await time.env.sleep('25 hours')
    await until(() => log.read(order.order_id).substatus === 'quote_lapsed')
    expect(lapses(order.order_id)).toBe(2)
    await close(order)
  })

  it("is asked about again when the log's clock is behind the timer", async () => {
    log.lagFor('ord_behind', 2)
    const order = await countered(24, 'ord_behind')
    await time.env.sleep('25 hours')
    await until(() => lapses(order.order_id) === 3)
    const timers = timersOf((await order.run.fetchHistory()).events ?? [])
    expect(timers.slice(-2)).toEqual([
      ['quote lapses', 1],
      ['quote lapses', 1],
    ])
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
  const planned = async (order_id: string, run: WorkflowHandle, hours: number) => {
    log.move(order_id, 'needs_confirmation', await inHours(hours))
    await run.signal(wake)
    await until(async () => (await currentDetails(run)).startsWith('**needs_confirmation**'))
  }

  it('waits for its plan for any time, and asks no API', async () => {
    const { order_id, run } = await proposal()
    await time.env.sleep('60 days')
    expect(await currentDetails(run)).toMatch(/^\*\*validating\*\* \(awaiting_plan\): waits for the seller's plan/)
    expect(log.stepsOf(order_id)).toEqual(['validate', 'validate'])
    await lose(run)
  })

  it('shows until when its plan is valid, and that it has expired; only a command changes the log', async () => {
    const { order_id, run } = await proposal()
    await planned(order_id, run, 24)
    expect(await currentDetails(run)).toMatch(/waits for the buyer to confirm.*\n\nThe plan is valid until/)
    const { last_seq } = log.read(order_id)
    await time.env.sleep('25 hours')
    await until(async () => (await currentDetails(run)).includes('**Plan expired** at'))
    await time.env.sleep('30 days')
    expect(log.stepsOf(order_id)).toEqual(['validate', 'validate', 'look', 'look'])
    expect(log.read(order_id)).toMatchObject({ status: 'needs_confirmation', last_seq })

    // Another plan sets the clock again, and can be confirmed.
    await planned(order_id, run, 24)
    await until(async () => (await currentDetails(run)).includes('The plan is valid until'))
    log.move(order_id, 'seller_review')
    await run.signal(wake)
    await until(async () => (await currentDetails(run)).startsWith('**seller_review**'))
    log.move(order_id, 'placed')
    await run.signal(wake)
    await run.result()
    expect(log.read(order_id).closed).toBe(true)
  })
})
