import type { DropReason } from '../../contract/vocabulary.ts'
import type { DeliveryAttempt } from '../../contract/webhook.ts'
import { isTraced } from '../../metrics/tracing.ts'
import { DELIVERIES_DROPPED } from '../../metrics/work.ts'
import { batched } from '../connection/batched.ts'
import type { Database, Tx } from '../connection/database.ts'
import { statement, unnested } from '../connection/statement.ts'
import { runOn } from '../connection/txOn.ts'

/**
 * SQL: queues the events that endpoints must receive, in the transaction that made them: two members of a WITH. `rows` is a relation of
 * order events: order_id, seq, status, the tenants buyer_entity and seller, and notify_endpoint. Wakes each endpoint that gets one, and the
 * runs of the orders in `woken`: order_id, and the command that its run is told, or null.
 */
export function queueOrderEvents(rows: string, woken: string): string {
  return `queued as (
      insert into deliveries (endpoint_id, event_type, order_id, seq)
      select w.endpoint_id, 'order.status_changed', r.order_id, r.seq
      from (${rows}) r join webhook_endpoints w on w.tenant in (r.buyer_entity, r.seller)
      where w.status = 'active'
        and (w.topics is null or 'order.status_changed:' || r.status = any(w.topics) or (w.endpoint_id = r.notify_endpoint and 'order.status_changed' = any(w.readable)))
      order by r.seq returning endpoint_id
    ), woken as (
      insert into outbox (kind, target, command) select 'order', order_id, command from (${woken}) as orders
        union all select distinct 'endpoint', endpoint_id, null::jsonb from queued
    )`
}

/** SQL: does the same for notices: `rows` has event_id, event_type, tenant and place. */
export function queueNotices(rows: string): string {
  return `queued as (
      insert into deliveries (endpoint_id, event_type, event_id)
      select w.endpoint_id, r.event_type, r.event_id from (${rows}) r join webhook_endpoints w on w.tenant = r.tenant
      where w.status = 'active' and (w.topics is null or r.event_type = any(w.topics))
      order by r.place returning endpoint_id
    ), woken as (
      insert into outbox (kind, target) select distinct 'endpoint', endpoint_id from queued
    )`
}

/** A delivery that is due, with the bytes to send. */
export interface DueDelivery {
  delivery_no: string
  order_id: string | null
  event_id: string
  /** Null if the event is missing, as it may be in a restored database. */
  body: string | null
  /** The number of attempts so far, and the start of the first. */
  made: number
  firstAt: number | undefined
  /** The duration of the last attempt in milliseconds. */
  lastTook: number | undefined
  attempts: string
  /** The trace of the order's event; read only if traces are enabled. */
  traceparent?: string | null
}

/** Asks for up to `max` deliveries; of those never tried, only the ones after `after`. */
export interface DueRequest {
  readonly endpointId: string
  readonly after: string
  readonly max: number
}

/** Returns an endpoint's due deliveries, oldest first. Concurrent requests of a process's senders share one statement. */
export const claimDue = batched<DueRequest, DueDelivery[]>(async (pool, requests) => {
  const asked = {
    endpoint_ids: requests.map(({ endpointId }) => endpointId),
    afters: requests.map(({ after }) => after),
    maxima: requests.map(({ max }) => max),
  }
  const { rows } = await pool.query<Omit<DueDelivery, 'firstAt' | 'lastTook'> & { place: string; first_at: string | null }>(
    (isTraced() ? DUE_TRACED : DUE).bind(asked),
  )
  const found = requests.map((): DueDelivery[] => [])
  for (const { place, first_at, ...row } of rows) {
    const firstAt = first_at === null ? undefined : Date.parse(first_at)
    const lastTook = row.made === 0 ? undefined : (JSON.parse(row.attempts) as DeliveryAttempt[]).at(-1)?.latency_ms
    found[Number(place) - 1]?.push({ ...row, firstAt, lastTook })
  }
  return found
})

/** Reads due deliveries with the bytes to send, each endpoint's oldest first. Fenced, so that no search covers all deliveries. */
const dueOf = (name: string, trace = '') =>
  statement(
    name,
    ['endpoint_ids', 'afters', 'maxima'],
    `select place, ${trace} d.delivery_no, d.order_id, coalesce(d.event_id, d.order_id || ':' || d.seq) as event_id, d.made, d.first_at, d.attempts,
      case when d.event_id is null then (select body from order_events e where e.order_id = d.order_id and e.seq = d.seq)
        else (select body from notices n where n.event_id = d.event_id
          and n.tenant = (select tenant from webhook_endpoints w where w.endpoint_id = asked.endpoint_id)) end as body
    from ${unnested({ endpoint_ids: 'text', afters: 'bigint', maxima: 'int' })} with ordinality as asked (endpoint_id, after, max, place)
      cross join lateral (
        select * from deliveries p
        where p.endpoint_id = asked.endpoint_id and p.status = 'pending' and p.due_at <= now() and (p.delivery_no > asked.after or p.made > 0)
        order by p.delivery_no limit asked.max
      ) d
    order by place, d.delivery_no`,
  )

const DUE = dueOf('due-deliveries')

/** Adds the trace of each order event. Notices have none, since what a client sends goes only to the parties of its order. */
const DUE_TRACED = dueOf(
  'due-deliveries-traced',
  '(select traceparent from order_events e where d.event_id is null and e.order_id = d.order_id and e.seq = d.seq) as traceparent,',
)

/** Drops the pending deliveries of an endpoint that is no longer active. Returns true if there were any. */
export async function dropPending({ sql }: Pick<Database, 'sql'>, endpointId: string, reason: DropReason): Promise<boolean> {
  const { numAffectedRows = 0n } = await runOn(sql, DROP.bind({ endpoint_id: endpointId, reason }))
  DELIVERIES_DROPPED.inc({ reason }, Number(numAffectedRows))
  return numAffectedRows > 0n
}

/** Drops the pending deliveries of one endpoint. */
const DROP = statement(
  'drop-pending-deliveries',
  ['endpoint_id', 'reason'],
  `update deliveries set status = 'dropped', dropped_reason = :reason where endpoint_id = :endpoint_id and status = 'pending'`,
)

/** Wakes the sender of an endpoint when the transaction commits. */
export async function wakeSender(tx: Tx, endpointId: string): Promise<void> {
  await runOn(tx, WAKE.bind({ endpoint_id: endpointId }))
}

/** Requests a wake-up of one endpoint's sender. */
const WAKE = statement('wake-sender', ['endpoint_id'], `insert into outbox (kind, target) values ('endpoint', :endpoint_id)`)

/** Wakes every endpoint with a delivery overdue by a minute, which replaces lost runs. Returns the number of endpoints. */
export async function sweepDeliveries(pool: Database['pool']): Promise<number> {
  return (await pool.query(SWEEP)).rowCount ?? 0
}

/** Gives each of those endpoints an outbox row; the row count is their number. */
const SWEEP = {
  name: 'sweep-deliveries',
  text: `insert into outbox (kind, target) select 'endpoint', endpoint_id from webhook_endpoints w
    where exists (select from deliveries d
        where d.endpoint_id = w.endpoint_id and d.status = 'pending' and d.due_at < now() - interval '1 minute')
      and endpoint_id not in (select target from outbox where kind = 'endpoint')`,
}

/** SQL: selects the endpoints that have deliveries to send, at whatever time. */
export const OPEN_ENDPOINTS = `select endpoint_id as target from webhook_endpoints w
    where exists (select from deliveries d where d.endpoint_id = w.endpoint_id and d.status = 'pending')`

/** How long the log of deliveries is kept. */
const KEPT = '30 days'

/** Deletes deliveries that ended long ago. Returns the number of deliveries. */
export async function deleteOldDeliveries({ pool }: Pick<Database, 'pool'>, limit: number): Promise<number> {
  return (await pool.query(FORGET.bind({ limit }))).rowCount ?? 0
}

/** Deletes some ended deliveries that are older than the log is kept; the row count is their number. */
const FORGET = statement(
  'forget-deliveries',
  ['limit'],
  `delete from deliveries d using (
      select endpoint_id, delivery_no from deliveries where status <> 'pending' and created_at < now() - interval '${KEPT}' limit :limit
    ) old where d.endpoint_id = old.endpoint_id and d.delivery_no = old.delivery_no`,
)
