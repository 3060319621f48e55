import type { ApprovalRule } from '../../contract/approvalRules.ts'
import type { OrderHead } from '../../domain/order/head.ts'
import { Refusal } from '../../domain/refusal.ts'
import { batched } from '../connection/batched.ts'
import type { Database } from '../connection/database.ts'
import { countRule } from '../tenants/ruleActivity.ts'

/** The columns of a head, for statements that return one. */
export const HEAD_COLUMNS =
  'order_id, seller, buyer_entity, workflow, status, substatus, last_seq, parked_since, decide_by, due_at, settled, gate_due, stuck_reason'

// Fenced: a join, in a plan made while the table was empty, would walk all orders.
const READ = {
  name: 'read-heads',
  text: `select own.* from unnest($1::text[]) as asked (id)
    cross join lateral (select ${HEAD_COLUMNS} from orders where order_id = asked.id offset 0) own`,
}

/** The head of an order; undefined when there is none. */
export async function readHead({ pool }: Pick<Database, 'pool'>, orderId: string): Promise<OrderHead | undefined> {
  return headTogether(pool, orderId)
}

/** The head of an order that there is: Refusal NOT_FOUND when there is none. */
export async function requireHead(db: Pick<Database, 'pool'>, orderId: string): Promise<OrderHead> {
  const head = await readHead(db, orderId)
  if (head === undefined) throw new Refusal('NOT_FOUND', `There is no order ${orderId}.`)
  return head
}

const headTogether = batched<string, OrderHead | undefined>(async (pool, orderIds) => {
  const { rows } = await pool.query<OrderHead>({ ...READ, values: [[...new Set(orderIds)]] })
  const heads = new Map(rows.map((head) => [head.order_id, head]))
  return orderIds.map((orderId) => heads.get(orderId))
})

const SETTLE = {
  name: 'settle-head',
  text: `update orders set settled = true, due_at = null where order_id = $1 and last_seq = $2
    and status in ('placed', 'canceled', 'rejected', 'failed') returning ${HEAD_COLUMNS}`,
}

/**
 * The workflow has finished the business of a terminal order as of `lastSeq`: nothing wakes it by itself any more. Bookkeeping of the head,
 * no event. Answers the head as it stands, whether or not it could be settled.
 */
export async function closeHead(db: Pick<Database, 'pool'>, orderId: string, lastSeq: number): Promise<OrderHead | undefined> {
  const { rows } = await db.pool.query<OrderHead>({ ...SETTLE, values: [orderId, lastSeq] })
  return rows[0] ?? readHead(db, orderId)
}

const GATE_ASKED = {
  name: 'gate-asked',
  text: `update orders set gate_due = null where order_id = $1 and last_seq = $2 and gate_due is not null returning ${HEAD_COLUMNS}`,
}

/**
 * The gate that was due has left the order, as it stood at `lastSeq`, to people; `held` is the rule that said so, which is counted. Bookkeeping of the
 * head, no event. Answers the head as it stands.
 */
export async function awaitHumanDecision(
  db: Pick<Database, 'pool' | 'sql'>,
  orderId: string,
  lastSeq: number,
  held?: Pick<ApprovalRule, 'id' | 'then'>,
): Promise<OrderHead | undefined> {
  if (held === undefined) {
    const { rows } = await db.pool.query<OrderHead>({ ...GATE_ASKED, values: [orderId, lastSeq] })
    return rows[0] ?? readHead(db, orderId)
  }
  await db.sql.transaction().execute(async (tx) => {
    const left = await tx
      .updateTable('orders')
      .set({ gate_due: null })
      .where('order_id', '=', orderId)
      .where('last_seq', '=', lastSeq)
      .where('gate_due', 'is not', null)
      .returning('seller')
      .executeTakeFirst()
    if (left !== undefined) await countRule(tx, left.seller, orderId, held)
  })
  return readHead(db, orderId)
}
