import { ApplicationFailure, log as activityLog, heartbeat } from '@temporalio/activity'
import { issueDueInvoices } from '../src/operations/settlement/issueDueInvoices.ts'
import { classified, type OrderActivityDeps } from './orders.ts'

export type SettlementActivities = ReturnType<typeof settlementActivities>

/** The monthly settlement. It does everything that is due and may be killed at any point: the next attempt does the rest. */
export function settlementActivities({ log, db }: OrderActivityDeps) {
  return {
    /** Invoices due orders. Returns the numbers of orders examined and of invoices issued. Fails if it had to skip an order. */
    issueInvoices: (): Promise<{ orders: number; issued: number }> =>
      classified(async () => {
        const onFailure = (order_id: string, error: unknown) => activityLog.error('an order cannot be invoiced', { order_id, error })
        const { failed, ...run } = await issueDueInvoices({ log, db }, { onProgress: heartbeat, onFailure })
        if (failed.length > 0) {
          const message = `orders not invoiced: ${failed.length}, the first is ${failed[0]}; see the log of the worker`
          throw ApplicationFailure.create({ message, type: 'invoices_left' })
        }
        return run
      }),
  }
}
