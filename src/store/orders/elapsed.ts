import { clocksOf, type OrderState } from '../../domain/order/state.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** Ends the time of a hold that is held and not over, and wakes its run. Returns nothing. */
const ELAPSE_HOLD = statement(
  'elapse-hold',
  ['hold_id', 'buyer'],
  `with elapsed as (
      update holds set expires_at = now() where hold_id = :hold_id and buyer_entity = :buyer and status = 'held' and expires_at > now() returning hold_id
    )
    insert into outbox (kind, target) select 'hold', hold_id from elapsed`,
)

/** Ends the time of a buyer's hold now; does not change a hold that is not held any more. Returns false then. */
export async function saveElapsedHold({ pool }: Pick<Database, 'pool'>, buyer: string, hold_id: string): Promise<boolean> {
  return (await pool.query(ELAPSE_HOLD.bind({ hold_id, buyer }))).rowCount === 1
}

/** Lets the clock of an order go on, unless the order or its clock has moved since it was read. Returns the order's id. */
const ELAPSE = statement(
  'elapse-order',
  ['order_id', 'last_seq', 'before_s', 'elapsed_s', 'decide_by', 'due_at'],
  `update orders set elapsed_s = :elapsed_s, decide_by = :decide_by, due_at = case when due_at is not null then :due_at::timestamptz end
    where order_id = :order_id and last_seq = :last_seq and elapsed_s = :before_s returning order_id`,
)

/** Writes how far an order's own clock is ahead, and its deadlines by that. Returns false if the order or its clock has moved. */
export async function saveElapsed({ pool }: Pick<Database, 'pool'>, order: OrderState, elapsed_s: number): Promise<boolean> {
  const { decide_by, due_at } = clocksOf({ ...order, elapsed_s })
  const { order_id } = order.facts
  const { last_seq, elapsed_s: before_s = 0 } = order
  const { rowCount } = await pool.query(ELAPSE.bind({ order_id, last_seq, before_s, elapsed_s, decide_by, due_at }))
  return rowCount === 1
}
