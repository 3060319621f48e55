import { describe, expect, it } from '@jest/globals'
import type { WorkflowHandle } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { QUEUES, WORKFLOWS, wake } from '../../workflows/messages.ts'
import { ORDER_ATTRIBUTES } from '../../workflows/searchAttributes.ts'
import { until } from '../support/until.ts'
import { fakeMails, waits } from './fakeMails.ts'
import { currentDetails, useTimeSkipping } from './useTimeSkipping.ts'

const mails = fakeMails(() => time.env.currentTimeMs())
const MINUTE = 60_000

const time = useTimeSkipping(QUEUES.mail, mails.activities)

const start = (agreement: string): Promise<WorkflowHandle> =>
  time.env.client.workflow.start(WORKFLOWS.mail, { workflowId: `mail:${agreement}`, taskQueue: QUEUES.orders, args: [agreement] })
const shown = async (run: WorkflowHandle) => {
  const { typedSearchAttributes } = await run.describe()
  const { OrderStuckReason, OrderSeller, OrderBuyer } = ORDER_ATTRIBUTES
  return [OrderStuckReason, OrderSeller, OrderBuyer].map((key) => typedSearchAttributes.get(key))
}
/** Minutes between the rounds. */
const pauses = () => mails.rounds.slice(1).map((began, index) => Math.round((began - (mails.rounds[index] as number)) / MINUTE))

describe('the run of an agreement', () => {
  it('that has nothing to send ends after one look', async () => {
    mails.leave()
    await (await start('nothing')).result()
    expect(mails.rounds).toHaveLength(1)
  })

  it('sleeps until the next mail is due, however long that is', async () => {
    mails.leave(waits(MINUTE), waits(2 * MINUTE), waits(5 * MINUTE), waits(60 * MINUTE))
    await (await start('waits')).result()
    expect(pauses()).toEqual([1, 2, 5, 60])
  })

  it('looks at once when it is woken, and keeps the time of what it waited for', async () => {
    mails.leave(waits(60 * MINUTE), waits(60 * MINUTE))
    const run = await start('woken')
    await until(() => mails.rounds.length === 1)
    await run.signal(wake)
    await run.result()
    expect(pauses()).toEqual([0, 60])
  })

  it('that is woken while it sends looks once more before it ends', async () => {
    mails.leave()
    mails.during(async () => {
      if (mails.rounds.length === 1) await time.env.client.workflow.getHandle('mail:busy').signal(wake)
    })
    await (await start('busy')).result()
    expect(mails.rounds).toHaveLength(2)
  })

  it('goes on from what a step has left of which an attempt has failed', async () => {
    const fails = (now: number): never => {
      const left = waits(MINUTE, 'connect')(now)
      throw ApplicationFailure.create({ message: 'failed', type: 'mail:connect', nonRetryable: true, details: [left] })
    }
    mails.leave(fails)
    const run = await start('failed')
    await run.result()
    expect(pauses()).toEqual([1])
    const { events } = await run.fetchHistory()
    expect(events?.filter((event) => event.activityTaskFailedEventAttributes)).toHaveLength(1)
  })

  it('pauses for a second at least: the clock of the database may be behind', async () => {
    mails.leave(waits(-5), waits(0))
    await (await start('behind')).result()
    expect(mails.rounds).toHaveLength(3)
    const [first = 0, , last = 0] = mails.rounds
    expect(last - first).toBeGreaterThanOrEqual(2_000)
  })
})

describe('operators', () => {
  it('see why the mails of an agreement do not go, whose they are, and no address', async () => {
    mails.leave(waits(60 * MINUTE, 'connect'), waits(60 * MINUTE))
    const run = await start('stuck')
    await until(async () => (await currentDetails(run)).includes('**Stuck**: `connect`'))
    expect(await shown(run)).toEqual(['mail:connect', 'cable', 'acme'])
    expect(await currentDetails(run)).toContain('**1** mail waits')
    await run.signal(wake)
    await until(async () => !(await currentDetails(run)).includes('Stuck'))
    expect((await shown(run))[0]).toBeUndefined()
    await run.signal(wake)
    await run.result()
  })
})
