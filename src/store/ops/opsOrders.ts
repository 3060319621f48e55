import { OPS_EVENTS, type OpsOrder, type OpsOrderEvent, type OpsOrderQuery } from '../../contract/ops.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { IS_OPEN, IS_OVERDUE, WAITS_ON } from '../orders/waits.ts'

/** Orders of every tenant as operators see them, from the views of migration 0013, which have no rows without the operators' scope. */

type Pool = Pick<Database, 'pool'>
type Row = Omit<OpsOrder, 'run_id'>

export interface OpsOrderFilter extends Pick<OpsOrderQuery, 'state' | 'reason'> {
  /** Where the page starts: the position of the last row before it. */
  readonly after?: readonly string[] | undefined
  readonly limit: number
  readonly now: string
}

/** Returns a page of orders: stuck and open ones by age, overdue ones by deadline. */
export async function listOpsOrders({ pool }: Pool, { state, reason, after, limit, now }: OpsOrderFilter): Promise<Row[]> {
  const [first = '', second = ''] = after ?? []
  if (state === 'overdue') {
    const { rows } = await pool.query<Row>(OVERDUE.bind({ now, limit, after_decide_by: first || '-infinity', after_order_id: second }))
    return rows
  }
  if (state === 'open') return (await pool.query<Row>(OPEN.bind({ now, limit, after: first }))).rows
  return (await pool.query<Row>(STUCK.bind({ now, limit, after: first, reason: reason ?? null }))).rows
}

/** Returns the order with an id, ended or not; undefined if there is none. */
export async function findOpsOrder({ pool }: Pool, orderId: string, now: string): Promise<Row | undefined> {
  return (await pool.query<Row>(ONE.bind({ now, order_id: orderId }))).rows[0]
}

/** Returns the last events of an order, in their order. */
export async function listOpsEvents({ pool }: Pool, orderId: string): Promise<OpsOrderEvent[]> {
  return (await pool.query<OpsOrderEvent>(EVENTS.bind({ order_id: orderId, limit: OPS_EVENTS }))).rows
}

/** Counts the stuck orders by reason, the first 10,000 of them. */
export async function countStuckOrders({ pool }: Pool, now: string): Promise<{ reason: string; orders: number }[]> {
  const { rows } = await pool.query<{ reason: string; orders: number }>(COUNT.bind({ now, after: '', limit: MAX_COUNTED }))
  return rows
}
const MAX_COUNTED = 10_000

/** Wakes the run of an order unless a wake-up is already waiting. Returns false in that case. */
export async function wakeOrderRun({ pool }: Pool, orderId: string): Promise<boolean> {
  const { rowCount } = await pool.query(WAKE.bind({ order_id: orderId }))
  return (rowCount ?? 0) > 0
}

/** Adds an outbox row for an order that has none; its row count is 0 or 1. */
const WAKE = statement(
  'ops-wake-order',
  ['order_id'],
  `insert into outbox (kind, target) select 'order', order_id from ops_orders
    where order_id = :order_id and not exists (select from ops_outbox where kind = 'order' and target = :order_id)`,
)

/** The statuses in which the platform has to move an order. */
const PLATFORM_STATUSES = ['submitted', 'validating', 'confirmed'] as const
/** The condition for a stuck order: the platform moves orders within moments, so after a minute something is in the way. */
const STANDS_STILL = `substatus is null and updated_at < :now::timestamptz - interval '1 minute'`

/** SQL: a worker's last report from Temporal: runs of orders that show a stuck reason. At most a few hundred rows. */
const REPORTED = `select r.order_id, r.reason from ops_engine_reports, jsonb_to_recordset(stuck) as r (order_id text, reason text)`

const SHOWN = `order_id, seller, buyer_entity, workflow, status, substatus, last_seq, created_at, updated_at, parked_since, decide_by,
  ${WAITS_ON} as waits_on, ${IS_OVERDUE} as overdue`
const REASON = `coalesce(stuck_reason, (select reason from reported r where r.order_id = o.order_id),
  case when status in (${PLATFORM_STATUSES.map((status) => `'${status}'`).join(', ')}) and ${STANDS_STILL} then 'no_progress' end) as stuck_reason`

/** Reads one order. */
const ONE = statement(
  'ops-order',
  ['order_id', 'now'],
  `with reported as materialized (${REPORTED}) select ${SHOWN}, ${REASON} from ops_orders o where order_id = :order_id`,
)

/** Reads the last events of one order. */
const EVENTS = statement(
  'ops-order-events',
  ['order_id', 'limit'],
  `select * from (
      select seq, occurred_at, status, substatus, gate, decision, error_code from ops_order_events
        where order_id = :order_id order by seq desc limit :limit
    ) last order by seq`,
)

/** Reads a page of open orders, the oldest first: ids rise with time. Reads each status from its own part of the index. */
const OPEN = statement(
  'ops-open-orders',
  ['now', 'after', 'limit'],
  `with reported as materialized (${REPORTED}), page as (
    select own.* from unnest(array['submitted', 'validating', 'needs_confirmation', 'confirmed', 'negotiating', 'seller_review']) as asked (status)
    cross join lateral (select order_id from ops_orders where status = asked.status and ${IS_OPEN} and order_id > :after order by order_id limit :limit) own
    order by order_id limit :limit
  )
  select ${SHOWN}, ${REASON} from page join ops_orders o using (order_id) order by order_id`,
)

/** Reads a page of overdue orders, the longest overdue first. */
const OVERDUE = statement(
  'ops-overdue-orders',
  ['now', 'after_decide_by', 'after_order_id', 'limit'],
  `with reported as materialized (${REPORTED})
  select ${SHOWN}, ${REASON} from ops_orders o
  where status = 'seller_review' and decide_by < :now::timestamptz and (decide_by, order_id) > (:after_decide_by::timestamptz, :after_order_id)
  order by decide_by, order_id limit :limit`,
)

/** Reads up to `limit` stuck orders by id, from three short lists: those with a reason, those that Temporal reports, and unmoved ones. */
const STUCK_IDS = `
  select order_id from (
    (select order_id from ops_orders where stuck_reason is not null and order_id > :after order by order_id limit :limit)
    union
    (select order_id from reported where order_id > :after order by order_id limit :limit)
    union
    (select own.order_id from unnest(array[${PLATFORM_STATUSES.map((status) => `'${status}'`).join(', ')}]) as asked (status)
      cross join lateral (select order_id from ops_orders where status = asked.status and ${IS_OPEN} and ${STANDS_STILL} and order_id > :after
        order by order_id limit :limit) own)
  ) stuck order by order_id limit :limit`

/** Reads a page of stuck orders, the oldest first. A reason is searched for among the first 10,000. */
const STUCK = statement(
  'ops-stuck-orders',
  ['now', 'after', 'limit', 'reason'],
  `with reported as materialized (${REPORTED}), page as (${STUCK_IDS.replaceAll('limit :limit', `limit case when :reason::text is null then :limit::int else ${MAX_COUNTED} end`)})
  select * from (select ${SHOWN}, ${REASON} from page join ops_orders o using (order_id)) shown
  where stuck_reason is not null and (:reason::text is null or stuck_reason = :reason) order by order_id limit :limit`,
)

/** Counts stuck orders by reason. */
const COUNT = statement(
  'ops-count-stuck',
  ['now', 'after', 'limit'],
  `with reported as materialized (${REPORTED}), page as (${STUCK_IDS})
  select stuck_reason as reason, count(*)::int as orders from (select ${REASON} from page join ops_orders o using (order_id)) shown
  where stuck_reason is not null group by 1 order by 2 desc, 1`,
)
