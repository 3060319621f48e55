import { describe, expect, it } from '@jest/globals'
import type { WorkflowHandle } from '@temporalio/client'
import { wake } from '../../workflows/messages.ts'
import { ORDER_ATTRIBUTES } from '../../workflows/searchAttributes.ts'
import { until } from '../support/until.ts'
import { timersOf } from './storyOf.ts'
import { useOrderRuns } from './useOrderRuns.ts'
import { currentDetails } from './useTimeSkipping.ts'

const { log, submit, start, parked, steps, lose } = useOrderRuns()
const { OrderStatus, OrderStuckReason } = ORDER_ATTRIBUTES
const shown = async (run: WorkflowHandle, key: typeof OrderStatus | typeof OrderStuckReason) =>
  (await run.describe()).typedSearchAttributes.get(key)

describe('the run of an order', () => {
  it('shows how the order ended, also where it finds nothing else to do', async () => {
    const { order_id } = log.put({ order_id: 'ord_over', status: 'rejected', closed: true })
    const run = await start(order_id)
    await run.result()
    expect([await shown(run, OrderStatus), await currentDetails(run)]).toEqual(['rejected', '**rejected**: closed.'])
  })

  it("shows why its seller's own API does not decide, until that changes", async () => {
    const { order_id } = log.put({ order_id: 'ord_sick', status: 'seller_review', last_seq: 3, stuck_reason: 'unreachable:reset' })
    const run = await start(order_id)
    await until(async () => (await currentDetails(run)).includes("`unreachable:reset`. The platform asks the seller's API again"))
    expect(await shown(run, OrderStuckReason)).toBe('unreachable:reset')
    log.put({ ...log.read(order_id), stuck_reason: null })
    await run.signal(wake)
    await until(async () => (await shown(run, OrderStuckReason)) === undefined)
    await lose(run)
  })

  it('keeps one timer for a deadline, however often it is woken before', async () => {
    const { order_id, run } = await submit({ hours: 24 })
    await parked(order_id)
    for (let wakes = 2; wakes < 5; wakes += 1) {
      await run.signal(wake)
      await steps(order_id, wakes)
    }
    expect(timersOf((await run.fetchHistory()).events ?? []).map(([summary]) => summary)).toEqual(['decision due'])
    await lose(run)
  })
})
