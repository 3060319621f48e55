import { type ActivityOptions, proxyActivities } from '@temporalio/workflow'
import type { HousekeepingActivities } from '../activities/housekeeping.ts'

/**
 * Lapses unattached uploads (contract, Upload) and deletes old deliveries. A schedule starts it every ten minutes, and nothing depends on
 * when it runs.
 */
export async function housekeepingWorkflow(): Promise<void> {
  await uploads.lapseUploads()
  await deliveries.deleteOldDeliveries()
}

const OPTIONS: ActivityOptions = {
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 s',
  // Retries until it succeeds; the schedule starts no other run before that.
  retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '1 minute' },
}
const uploads = proxyActivities<HousekeepingActivities>({ ...OPTIONS, summary: 'lapse uploads, delete old files' })
const deliveries = proxyActivities<HousekeepingActivities>({ ...OPTIONS, summary: 'delete old deliveries' })
