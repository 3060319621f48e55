import { ORDERS_LOOKED_AT, ORDERS_PER_ISSUE } from '../contract/vocabulary/settlement.ts'
import type { Instant } from '../domain/calendar.ts'
import type { Database } from '../store/connection/database.ts'
import type { OrderLog } from '../store/orders/orderLog.ts'
import { type DueOrder, dueOrders } from '../store/settlement/dueOrders.ts'
import { issueInvoices } from './issueInvoices.ts'

/** Which orders are invoiced ahead: those of a seller that are due by a time. */
export interface Ahead {
  seller: string
  asOf: Instant
}

export interface IssuedAhead {
  /** Ids of invoices and credit notes. */
  issued: string[]
  /** Whether orders are left that are due by then. */
  has_more: boolean
}

/**
 * Invoices a seller's orders as of a time, each in a transaction of its own, until so many have an invoice as one call takes, or none is left. Most that
 * are due have something to be issued; the number of those that are looked at is bounded too.
 */
export async function issueAsOf(
  { log, db }: { log: OrderLog; db: Pick<Database, 'pool'> },
  { seller, asOf }: Ahead,
  { invoiced = ORDERS_PER_ISSUE, looked_at = ORDERS_LOOKED_AT } = {},
): Promise<IssuedAhead> {
  const issued: string[] = []
  let [withInvoice, seen] = [0, 0]
  for (let page: DueOrder[] = [], after: DueOrder | undefined; ; after = page.at(-1)) {
    page = await dueOrders(db, { asOf, after, seller, limit: AT_ONCE })
    for (const { order_id } of page) {
      if (withInvoice === invoiced || seen === looked_at) return { issued, has_more: true }
      const ids = await issueInvoices(log, order_id, asOf)
      issued.push(...ids)
      withInvoice += ids.length === 0 ? 0 : 1
      seen += 1
    }
    if (page.length < AT_ONCE) return { issued, has_more: false }
  }
}

const AT_ONCE = 200
