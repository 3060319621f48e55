import type { Database } from '../store/connection/database.ts'
import type { OrderLog } from '../store/orders/orderLog.ts'

/** What every command on an order works with. */
export interface OrderDeps {
  readonly log: OrderLog
  readonly db: Database
}
