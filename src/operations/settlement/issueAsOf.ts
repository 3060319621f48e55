import { ORDERS_LOOKED_AT, ORDERS_PER_ISSUE } from '../../contract/vocabulary/settlement.ts'
import type { Instant } from '../../domain/calendar.ts'
import type { Database } from '../../store/connection/database.ts'
import type { OrderLog } from '../../store/orders/orderLog.ts'
import { type DueOrder, dueOrders } from '../../store/settlement/dueOrders.ts'
import { issueInvoices } from './issueInvoices.ts'

/** Selects the orders to invoice ahead: those of a seller that are due by a time. */
export interface Ahead {
  seller: string
  asOf: Instant
}

export interface IssuedAhead {
  /** The ids of invoices and credit notes. */
  issued: string[]
  /** Whether more orders are due by that time. */
  has_more: boolean
}

/**
 * Invoices a seller's orders as of a time, each in its own transaction, until enough orders for one call have an invoice, or none is left.
 * Most due orders have something to issue; the number of orders that are checked is bounded too.
 */
export async function issueAsOf(
  { log, db }: { log: OrderLog; db: Pick<Database, 'pool'> },
  { seller, asOf }: Ahead,
  { invoiced = ORDERS_PER_ISSUE, looked_at = ORDERS_LOOKED_AT } = {},
): Promise<IssuedAhead> {
  const issued: string[] = []
  let [withInvoice, seen] = [0, 0]
  for (let page: DueOrder[] = [], after: DueOrder | undefined; ; after = page.at(-1)) {
    page = await dueOrders(db, { asOf, after, seller, limit: BATCH })
    for (const { order_id } of page) {
      if (withInvoice === invoiced || seen === looked_at) return { issued, has_more: true }
      const ids = await issueInvoices(log, order_id, asOf)
      issued.push(...ids)
      withInvoice += ids.length === 0 ? 0 : 1
      seen += 1
    }
    if (page.length < BATCH) return { issued, has_more: false }
  }
}

const BATCH = 200
