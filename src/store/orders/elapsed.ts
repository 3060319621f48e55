import { clocksOf, type OrderState } from '../../domain/order/state.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** Lets the clock of an order go on, unless the order has moved since it was read; it never goes back. Returns the order's id. */
const ELAPSE = statement(
  'elapse-order',
  ['order_id', 'last_seq', 'elapsed_s', 'decide_by', 'due_at'],
  `update orders set elapsed_s = greatest(elapsed_s, :elapsed_s), decide_by = :decide_by, due_at = case when due_at is not null then :due_at::timestamptz end
    where order_id = :order_id and last_seq = :last_seq returning order_id`,
)

/** Writes how far an order's own clock is ahead, and its deadlines by that. Returns false if the order has moved. */
export async function saveElapsed({ pool }: Pick<Database, 'pool'>, order: OrderState, elapsed_s: number): Promise<boolean> {
  const { decide_by, due_at } = clocksOf({ ...order, elapsed_s })
  const { order_id } = order.facts
  const { rowCount } = await pool.query(ELAPSE.bind({ order_id, last_seq: order.last_seq, elapsed_s, decide_by, due_at }))
  return rowCount === 1
}
