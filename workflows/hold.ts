import { ActivityFailure, allHandlersFinished, condition, proxyActivities, setCurrentDetails } from '@temporalio/workflow'
import type { HoldActivities } from '../activities/holds.ts'
import type { SellerCallActivities } from '../activities/sellerCalls.ts'
import { hangBell } from './bell.ts'
import { QUEUES } from './messages.ts'

/** A hold's life: waits for its end, which it brings about when nobody else does, and tells the seller's API of it where that was asked to hold. */
export async function holdWorkflow(holdId: string): Promise<void> {
  const bell = hangBell()
  for (;;) {
    bell.hush()
    const task = await activities.tendHold(holdId)
    if (task === 'nothing') break
    if (task === 'tell_seller') {
      await seller.tellHoldOver(holdId).catch((error) => {
        if (!(error instanceof ActivityFailure)) throw error
      })
      break
    }
    setCurrentDetails(`until \`${task.due_at}\``)
    // The database's clock may be a moment behind.
    await bell.wait(Math.max(Date.parse(task.due_at), Date.now() + 1_000))
  }
  await condition(allHandlersFinished)
}

const activities = proxyActivities<HoldActivities>({
  startToCloseTimeout: '10 s',
  retry: { initialInterval: '500 ms', backoffCoefficient: 2, maximumInterval: '30 s' },
})

/** For an hour: a seller that is not reached by then knows from expires_at. */
const seller = proxyActivities<Pick<SellerCallActivities, 'tellHoldOver'>>({
  taskQueue: QUEUES.sellerCalls,
  scheduleToCloseTimeout: '1 hour',
  startToCloseTimeout: '30 s',
  heartbeatTimeout: '5 s',
  retry: { initialInterval: '5 s', backoffCoefficient: 2, maximumInterval: '10 minutes' },
  summary: 'the hold is over',
})
