import { expect, it } from '@jest/globals'
import { ApplicationFailure } from '@temporalio/common'
import type { HoldActivities } from '../../activities/holds.ts'
import type { SellerCallActivities } from '../../activities/sellerCalls.ts'
import { QUEUES } from '../../workflows/messages.ts'
import { useTimeSkippingRuns } from './useTimeSkipping.ts'

const { use, runToEnd } = useTimeSkippingRuns()

it('waits for the end of the hold, and looks again', async () => {
  const looks: number[] = []
  let due = 0
  const activities: HoldActivities = {
    tendHold: async () => {
      const now = await use.env.currentTimeMs()
      due ||= now + 24 * 3_600_000
      looks.push(now)
      return now < due ? { due_at: new Date(due).toISOString() } : 'nothing'
    },
  }
  await runToEnd('holdWorkflow', 'hold:hold_1', ['hold_1'], { [QUEUES.orders]: activities })
  expect(looks).toHaveLength(2)
  expect((looks[1] ?? 0) - due).toBeGreaterThanOrEqual(0)
  expect((looks[1] ?? 0) - due).toBeLessThan(60_000)
})

it('notifies an unreachable seller for an hour, and then stops', async () => {
  const told: number[] = []
  const toSeller: Pick<SellerCallActivities, 'tellHoldOver'> = {
    tellHoldOver: async () => {
      told.push(await use.env.currentTimeMs())
      throw ApplicationFailure.create({ message: 'the seller was not reached', type: 'unreachable' })
    },
  }
  const activities: HoldActivities = { tendHold: async () => 'tell_seller' }
  await runToEnd('holdWorkflow', 'hold:hold_2', ['hold_2'], { [QUEUES.orders]: activities, [QUEUES.sellerCalls]: toSeller })
  const [first = 0] = told
  expect(told.length).toBeGreaterThan(5)
  expect((told.at(-1) ?? 0) - first).toBeGreaterThan(40 * 60_000)
  expect((told.at(-1) ?? 0) - first).toBeLessThan(60 * 60_000)
})

it.each([
  ['a hold', 'holdWorkflow', QUEUES.orders, 'tendHold', (due_at: string) => ({ due_at }), 'nothing'],
  ['a makegood', 'makegoodWorkflow', QUEUES.orders, 'tendMakegood', (due_at: string) => ({ status: 'offered', version: 1, due_at }), null],
])('looks at %s a second later at the earliest: the clock of the database may be behind', async (_, workflow, queue, step, task, over) => {
  const looks: number[] = []
  const look = async () => {
    const now = await use.env.currentTimeMs()
    looks.push(now)
    return looks.length < 3 ? task(new Date(now - 5).toISOString()) : over
  }
  await runToEnd(workflow, `behind:${workflow}`, ['subject_1'], { [queue]: { [step]: look } })
  expect(looks).toHaveLength(3)
  expect((looks[2] ?? 0) - (looks[0] ?? 0)).toBeGreaterThanOrEqual(2_000)
  expect((looks[2] ?? 0) - (looks[0] ?? 0)).toBeLessThan(10_000)
})
