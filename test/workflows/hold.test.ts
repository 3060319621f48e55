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
