import type { Database } from '../store/connection/database.ts'
import { isDatabaseAway } from '../store/connection/databaseFault.ts'
import type { OrderLog } from '../store/orders/orderLog.ts'
import { type DueOrder, dueOrders } from '../store/settlement/dueOrders.ts'
import { issueInvoices } from './issueInvoices.ts'

export interface IssueRun {
  /** Orders that were looked at. */
  orders: number
  issued: number
  /** Orders that could not be invoiced. They stay due, and hold up no other. */
  failed: string[]
}

/**
 * Invoices every order that is due, each in a transaction of its own, those first that have been due for longest. May end anywhere: what is left stays
 * due. `onProgress` is called after each order, `onFailure` with what went wrong with one. Errors: the database is away.
 */
export async function issueDueInvoices(
  { log, db }: { log: OrderLog; db: Database },
  { onProgress = () => undefined, onFailure }: { onProgress?: () => void; onFailure: (orderId: string, error: unknown) => void },
): Promise<IssueRun> {
  const run: IssueRun = { orders: 0, issued: 0, failed: [] }
  for (let page: DueOrder[] = [], after: DueOrder | undefined; ; after = page.at(-1)) {
    page = await dueOrders(db, { after, limit: AT_ONCE })
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
    if (page.length < AT_ONCE) return run
  }
}

const AT_ONCE = 200
