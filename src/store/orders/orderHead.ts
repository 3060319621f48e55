import type { ApprovalRule } from '../../contract/approvalRules.ts'
import type { OrderStatus } from '../../contract/vocabulary.ts'
import type { OrderHead } from '../../domain/order/head.ts'
import { Refusal } from '../../domain/refusal.ts'
import { batched } from '../connection/batched.ts'
import type { Database } from '../connection/database.ts'
import { statement, unnested } from '../connection/statement.ts'
import { runOn } from '../connection/txOn.ts'
import { countRule } from '../tenants/ruleActivity.ts'

/** The columns of a head, for statements that return one. */
export const HEAD_COLUMNS =
  'order_id, seller, buyer_entity, workflow, status, substatus, last_seq, parked_since, decide_by, due_at, closed, gate_due, stuck_reason'

/** Reads the heads of orders that exist. Fenced: a plan with a join, made while the table was empty, would scan all orders. */
const READ = statement(
  'read-heads',
  ['order_ids'],
  `select own.* from ${unnested({ order_ids: 'text' })} as asked (id)
    cross join lateral (select ${HEAD_COLUMNS} from orders where order_id = asked.id offset 0) own`,
)

/** Returns the head of an order; undefined if the order does not exist. */
export async function readHead({ pool }: Pick<Database, 'pool'>, orderId: string): Promise<OrderHead | undefined> {
  return headTogether(pool, orderId)
}

/** Returns the head of an order. Refusal NOT_FOUND if the order does not exist. */
export async function requireHead(db: Pick<Database, 'pool'>, orderId: string): Promise<OrderHead> {
  const head = await readHead(db, orderId)
  if (head === undefined) throw new Refusal('NOT_FOUND', `There is no order ${orderId}.`)
  return head
}

const headTogether = batched<string, OrderHead | undefined>(async (pool, orderIds) => {
  const { rows } = await pool.query<OrderHead>(READ.bind({ order_ids: [...new Set(orderIds)] }))
  const heads = new Map(rows.map((head) => [head.order_id, head]))
  return orderIds.map((orderId) => heads.get(orderId))
})

/** Returns the statuses of an order's events between two of them, which are left out. */
export async function statusesBetween(
  { pool }: Pick<Database, 'pool'>,
  orderId: string,
  after: number,
  before: number,
): Promise<OrderStatus[]> {
  const { rows } = await pool.query<{ status: OrderStatus }>(BETWEEN.bind({ order_id: orderId, after, before }))
  return rows.map(({ status }) => status)
}

const BETWEEN = statement(
  'statuses-between',
  ['order_id', 'after', 'before'],
  `select body::json ->> 'status' as status from order_events where order_id = :order_id and seq > :after and seq < :before order by seq`,
)

/** Marks a terminal order as closed, unless it has moved since `last_seq`. Returns its head. */
const CLOSE = statement(
  'close-head',
  ['order_id', 'last_seq'],
  `update orders set closed = true, due_at = null where order_id = :order_id and last_seq = :last_seq
    and status in ('placed', 'canceled', 'rejected', 'failed') returning ${HEAD_COLUMNS}`,
)

/**
 * Records that the workflow has finished a terminal order as of `lastSeq`, after which no sweep wakes it. Updates the head only and appends
 * no event. Returns the current head, closed or not.
 */
export async function closeHead(db: Pick<Database, 'pool'>, orderId: string, lastSeq: number): Promise<OrderHead | undefined> {
  const { rows } = await db.pool.query<OrderHead>(CLOSE.bind({ order_id: orderId, last_seq: lastSeq }))
  return rows[0] ?? readHead(db, orderId)
}

/** Leaves an order to people, unless it has moved since `last_seq`. Returns its head. */
const GATE_ASKED = statement(
  'gate-asked',
  ['order_id', 'last_seq'],
  `update orders set gate_due = null where order_id = :order_id and last_seq = :last_seq and gate_due is not null returning ${HEAD_COLUMNS}`,
)

/**
 * Records that the due gate left the order, as of `lastSeq`, to people. `held` is the rule that decided so, and its use is counted. Updates
 * the head only and appends no event. Returns the current head.
 */
export async function awaitHumanDecision(
  db: Pick<Database, 'pool' | 'sql'>,
  orderId: string,
  lastSeq: number,
  held?: Pick<ApprovalRule, 'id' | 'then'>,
): Promise<OrderHead | undefined> {
  if (held === undefined) {
    const { rows } = await db.pool.query<OrderHead>(GATE_ASKED.bind({ order_id: orderId, last_seq: lastSeq }))
    return rows[0] ?? readHead(db, orderId)
  }
  await db.sql.transaction().execute(async (tx) => {
    const { rows } = await runOn<OrderHead>(tx, GATE_ASKED.bind({ order_id: orderId, last_seq: lastSeq }))
    const [left] = rows
    if (left !== undefined) await countRule(tx, left.seller, orderId, held)
  })
  return readHead(db, orderId)
}
