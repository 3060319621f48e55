import { proxyActivities } from '@temporalio/workflow'
import type { HousekeepingActivities } from '../activities/housekeeping.ts'

/** What a schedule starts every ten minutes: uploads that nobody attached lapse (spec, Upload), old deliveries are forgotten. Nothing depends on when it runs. */
export async function housekeepingWorkflow(): Promise<void> {
  await activities.lapseUploads()
  await activities.forgetDeliveries()
}

const activities = proxyActivities<HousekeepingActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 s',
  // Retries until it succeeds. The schedule starts no other run meanwhile.
  retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '1 minute' },
})
