import { ActivityFailure, allHandlersFinished, condition, proxyActivities, setCurrentDetails } from '@temporalio/workflow'
import type { HoldActivities } from '../activities/holds.ts'
import type { SellerCallActivities } from '../activities/sellerCalls.ts'
import { QUEUES } from './messages.ts'
import { openWakeSignal } from './wakeSignal.ts'

/** Runs for the life of a hold: ends it at its expiry, and notifies the seller's API if that API was asked for the hold. */
export async function holdWorkflow(holdId: string): Promise<void> {
  const woken = openWakeSignal()
  for (;;) {
    woken.clear()
    const task = await activities.tendHold(holdId)
    if (task === 'nothing') break
    if (task === 'tell_seller') {
      await seller.tellHoldOver(holdId).catch((error) => {
        if (!(error instanceof ActivityFailure)) throw error
      })
      break
    }
    setCurrentDetails(`until \`${task.due_at}\``)
    // The database clock may be slightly behind.
    await woken.wait(Math.max(Date.parse(task.due_at), Date.now() + 1_000), 'hold expires')
  }
  await condition(allHandlersFinished)
}

const activities = proxyActivities<HoldActivities>({
  summary: 'look at the hold',
  startToCloseTimeout: '10 s',
  retry: { initialInterval: '500 ms', backoffCoefficient: 2, maximumInterval: '30 s' },
})

/** Retries for an hour. A seller that cannot be reached in that time still knows expires_at. */
const seller = proxyActivities<Pick<SellerCallActivities, 'tellHoldOver'>>({
  taskQueue: QUEUES.sellerCalls,
  scheduleToCloseTimeout: '1 hour',
  startToCloseTimeout: '30 s',
  heartbeatTimeout: '5 s',
  retry: { initialInterval: '5 s', backoffCoefficient: 2, maximumInterval: '10 minutes' },
  summary: 'the hold is over',
})
