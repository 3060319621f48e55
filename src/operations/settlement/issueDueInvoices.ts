import type { Database } from '../../store/connection/database.ts'
import { isDatabaseAway } from '../../store/connection/databaseFault.ts'
import type { OrderLog } from '../../store/orders/orderLog.ts'
import { type DueOrder, dueOrders } from '../../store/settlement/dueOrders.ts'
import { issueInvoices } from './issueInvoices.ts'

export interface IssueRun {
  /** The number of orders that were checked. */
  orders: number
  issued: number
  /** The orders that could not be invoiced. They stay due, and delay no others. */
  failed: string[]
}

/**
 * Invoices every due order, each in its own transaction, the longest due first. May end anywhere: the remaining orders stay due.
 * Calls `onProgress` after each order, and `onFailure` with the error of a failed one. Errors: the database is away.
 */
export async function issueDueInvoices(
  { log, db }: { log: OrderLog; db: Database },
  { onProgress = () => undefined, onFailure }: { onProgress?: () => void; onFailure: (orderId: string, error: unknown) => void },
): Promise<IssueRun> {
  const run: IssueRun = { orders: 0, issued: 0, failed: [] }
  for (let page: DueOrder[] = [], after: DueOrder | undefined; ; after = page.at(-1)) {
    page = await dueOrders(db, { after, limit: BATCH })
    for (const { order_id } of page) {
      try {
        run.issued += (await issueInvoices(log, order_id)).length
      } catch (error) {
        if (isDatabaseAway(error)) throw error
        run.failed.push(order_id)
        onFailure(order_id, error)
      }
      run.orders += 1
      onProgress()
    }
    if (page.length < BATCH) return run
  }
}

const BATCH = 200
