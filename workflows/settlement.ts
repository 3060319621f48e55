import { proxyActivities } from '@temporalio/workflow'
import type { SettlementActivities } from '../activities/settlement.ts'

/**
 * Invoices the orders that are due (choices, Invoices: issue). A schedule starts it every hour. Orders left by one run are due in the next,
 * so it gives up after several attempts, and the run then shows as failed.
 */
export async function settlementWorkflow(): Promise<void> {
  await activities.issueInvoices()
}

const activities = proxyActivities<SettlementActivities>({
  summary: 'issue invoices',
  startToCloseTimeout: '2 hours',
  heartbeatTimeout: '15 s',
  retry: { initialInterval: '5 s', backoffCoefficient: 3, maximumInterval: '5 minutes', maximumAttempts: 6 },
})
