import { describe, expect, it } from '@jest/globals'
import type { WorkflowHandle } from '@temporalio/client'
import { QUEUES, WORKFLOWS, wake } from '../../workflows/messages.ts'
import { ORDER_ATTRIBUTES } from '../../workflows/searchAttributes.ts'
import { until } from '../support/until.ts'
import { due, fakeReconciling } from './fakeReconciling.ts'
import { currentDetails, useTimeSkipping } from './useTimeSkipping.ts'

const fake = fakeReconciling(() => time.env.currentTimeMs())
const MINUTE = 60_000
const time = useTimeSkipping(QUEUES.reconciling, fake.activities)

const start = (seller: string): Promise<WorkflowHandle> =>
  time.env.client.workflow.start(WORKFLOWS.reconcile, { workflowId: `reconcile:${seller}`, taskQueue: QUEUES.orders, args: [seller] })
/** Minutes between the turns. */
const pauses = () => fake.turns.slice(1).map((began, index) => Math.round((began - (fake.turns[index] as number)) / MINUTE))

describe('the run of a seller', () => {
  it('that has nothing due ends after one turn', async () => {
    fake.leave()
    await (await start('nothing')).result()
    expect(fake.turns).toHaveLength(1)
  })

  it('takes the next turn when the next order is due, a second later at the earliest', async () => {
    fake.leave(due(-MINUTE), due(MINUTE), due(60 * MINUTE))
    await (await start('waits')).result()
    expect(pauses()).toEqual([0, 1, 60])
    expect((fake.turns[1] as number) - (fake.turns[0] as number)).toBeGreaterThanOrEqual(1_000)
  })

  it('looks at once when it is woken', async () => {
    fake.leave(due(60 * MINUTE))
    const run = await start('woken')
    await until(() => fake.turns.length === 1)
    await run.signal(wake)
    await run.result()
    expect(pauses()).toEqual([0])
  })
})

describe('operators', () => {
  it('see that orders fail, and whose they are', async () => {
    fake.leave(due(60 * MINUTE, 1), due(60 * MINUTE))
    const run = await start('station')
    await until(async () => (await currentDetails(run)).includes('**Stuck**: 1 of them cannot be reconciled.'))
    const shown = async () => (await run.describe()).typedSearchAttributes
    expect((await shown()).get(ORDER_ATTRIBUTES.OrderStuckReason)).toBe('reconcile:failing')
    expect((await shown()).get(ORDER_ATTRIBUTES.OrderSeller)).toBe('station')
    await run.signal(wake)
    await until(async () => !(await currentDetails(run)).includes('Stuck'))
    expect((await shown()).get(ORDER_ATTRIBUTES.OrderStuckReason)).toBeUndefined()
    await run.signal(wake)
    await run.result()
  })
})
