import type pg from 'pg'
import type { OrderActivities } from '../../activities/orders.ts'
import type { OrderHead } from '../../src/domain/order/head.ts'
import { newId } from '../../src/store/connection/newId.ts'
import { HEAD_COLUMNS } from '../../src/store/orders/orderHead.ts'

type Row = Partial<OrderHead> & { updated_at?: string }

/** An order in Postgres that is a head and nothing else, with its outbox row, as a create leaves it; answers its id. */
export async function insertOrder(pool: pg.Pool, row: Row = {}): Promise<string> {
  const now = new Date().toISOString()
  const { order_id = newId('ord_'), status = 'submitted', last_seq = 1, closed = false, due_at = now, updated_at = now } = row
  await pool.query(
    `with head as (
       insert into orders (order_id, seller, buyer_entity, external_order_id, workflow, status, last_seq, created_at, updated_at,
         parked_since, decide_by, due_at, closed, snapshot_head, snapshot_lines)
       values ($1, 'seller_one', 'buyer_one', $1, 'catalog', $2, $3, $4, $4, $5, $6, $7, $8, '{', '}') returning order_id)
     insert into outbox (kind, target) select 'order', order_id from head`,
    [order_id, status, last_seq, updated_at, row.parked_since ?? null, row.decide_by ?? null, due_at, closed],
  )
  return order_id
}

/** Moves an order on, as an API call does: head and outbox row in one statement. */
export async function moveOrder(pool: pg.Pool, orderId: string, status: OrderHead['status']): Promise<void> {
  await pool.query(
    `with head as (
       update orders set status = $2, last_seq = last_seq + 1, updated_at = now(), due_at = now(), parked_since = null, decide_by = null,
         closed = false where order_id = $1 returning order_id)
     insert into outbox (kind, target) select 'order', order_id from head`,
    [orderId, status],
  )
}

/** The workflow's steps over such orders: validation sends every order to its seller, who has a day. */
export function rowActivities(pool: pg.Pool): OrderActivities {
  const write = async (text: string, orderId: string): Promise<OrderHead> => {
    await pool.query(text, [orderId])
    const { rows } = await pool.query<OrderHead>(`select ${HEAD_COLUMNS} from orders where order_id = $1`, [orderId])
    const [head] = rows
    if (head === undefined) throw new Error(`no order ${orderId}`)
    return head
  }
  const close = (orderId: string) =>
    write(
      `update orders set closed = true, due_at = null
       where order_id = $1 and status in ('placed', 'canceled', 'rejected', 'failed')`,
      orderId,
    )
  return {
    look: (orderId) => write('select $1::text', orderId),
    validateUnasked: close,
    close,
    decideByRules: close,
    lapse: close,
    validate: (orderId) =>
      write(
        `update orders set status = 'seller_review', last_seq = 3, updated_at = now(), parked_since = now(),
           decide_by = now() + interval '1 day', due_at = now() + interval '1 day'
         where order_id = $1 and status in ('submitted', 'validating')`,
        orderId,
      ),
  }
}
