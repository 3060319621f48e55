import type { Database } from '../connection/database.ts'
import { lockedTransaction, lockOn } from '../connection/lockedTransaction.ts'
import { statement } from '../connection/statement.ts'

/** The approximate orders per transaction, which take some hundredths of a second, since the feed waits for each. */
export const ORDERS_PER_BATCH = 1_000

/**
 * Marks the next orders under an agreement of a seller whose minutes have changed. Returns false if no such agreement is left. Takes the
 * lock of files, which mark orders in several statements, so that neither waits for the other's marks.
 */
export async function markNextOrders({ pool }: Pick<Database, 'pool'>, seller: string, limit = ORDERS_PER_BATCH): Promise<boolean> {
  const { rowCount: due } = await pool.query(DUE.bind({ seller }))
  if (due === 0) return false
  const { rowCount } = await lockedTransaction(pool, lockOn(`drops:${seller}`), (client) => client.query(MARK.bind({ seller, limit })))
  return (rowCount ?? 0) > 0
}

/** Finds an agreement whose orders must be marked. */
const DUE = statement('find-agreement-due', ['seller'], 'select from agreements_due where seller = :seller limit 1')

/** Returns the agreement of the orders that it marked, which is done if it marked fewer than the limit. */
const MARK = statement(
  'mark-orders-of-agreement',
  ['seller', 'limit'],
  `with next as materialized (
      select agreement_id, after_order from agreements_due where seller = :seller order by agreement_id limit 1 for update
    ), orders_under as materialized (
      select b.order_id from next join booked_orders b using (agreement_id)
      where b.seller = :seller and b.order_id > next.after_order order by b.order_id limit :limit::int
    ), marked as (
      insert into reconcile_due (order_id, seller) select order_id, :seller from orders_under order by order_id
      on conflict (order_id) do update set marked_at = excluded.marked_at, due_at = excluded.due_at
    ), moved as (
      update agreements_due d set after_order = last.order_id from next, (select max(order_id) as order_id, count(*) as marked from orders_under) last
      where d.agreement_id = next.agreement_id and last.marked = :limit::int
    ), ended as (
      delete from agreements_due d using next, (select count(*) as marked from orders_under) last
      where d.agreement_id = next.agreement_id and last.marked < :limit::int
    )
    select agreement_id from next`,
)
