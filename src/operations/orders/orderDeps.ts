import type { Database } from '../../store/connection/database.ts'
import type { OrderLog } from '../../store/orders/orderLog.ts'

/** The dependencies of every command on an order. */
export interface OrderDeps {
  readonly log: OrderLog
  readonly db: Database
}
