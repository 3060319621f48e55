import { sql as raw } from 'kysely'
import type { DeliveryStatus, DropReason } from '../../contract/vocabulary.ts'
import type { DeliveryAttempt } from '../../contract/webhook.ts'
import type { Database, Tx } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/**
 * The events that endpoints are to be sent, written in the transaction that made them: two members of a WITH. `rows` is a relation of order
 * events: order_id, seq, status, the tenants buyer_entity and seller, and notify_endpoint. Each endpoint that gets one is to be woken.
 */
export function queueOrderEvents(rows: string): string {
  return `queued as (
      insert into deliveries (endpoint_id, event_type, order_id, seq)
      select w.endpoint_id, 'order.status_changed', r.order_id, r.seq
      from (${rows}) r join webhook_endpoints w on w.tenant in (r.buyer_entity, r.seller)
      where w.status = 'active'
        and (w.topics is null or 'order.status_changed:' || r.status = any(w.topics) or (w.endpoint_id = r.notify_endpoint and 'order.status_changed' = any(w.readable)))
      order by r.seq returning endpoint_id
    ), ${WOKEN}`
}

/** The same for notices: `rows` has event_id, event_type, tenant and place. */
export function queueNotices(rows: string): string {
  return `queued as (
      insert into deliveries (endpoint_id, event_type, event_id)
      select w.endpoint_id, r.event_type, r.event_id from (${rows}) r join webhook_endpoints w on w.tenant = r.tenant
      where w.status = 'active' and (w.topics is null or r.event_type = any(w.topics))
      order by r.place returning endpoint_id
    ), ${WOKEN}`
}

const WOKEN = `endpoints_woken as (insert into outbox (kind, target) select distinct 'endpoint', endpoint_id from queued)`

/** A delivery whose time has come, with the bytes to be sent. */
export interface DueDelivery {
  delivery_no: string
  order_id: string | null
  event_id: string
  /** Null when the event is gone, as it may be from a restored database. */
  body: string | null
  /** Attempts so far, and when the first began. */
  made: number
  firstAt: number | undefined
  /** Milliseconds of the last attempt. */
  lastTook: number | undefined
  attempts: string
}

/** What an endpoint is due, oldest first, without those in `held`. */
export async function claimDue(
  { pool }: Pick<Database, 'pool'>,
  endpointId: string,
  held: readonly string[],
  limit: number,
): Promise<DueDelivery[]> {
  const { rows } = await pool.query<Omit<DueDelivery, 'firstAt' | 'lastTook'> & { first_at: string | null }>(
    DUE.bind({ endpoint_id: endpointId, held, limit }),
  )
  return rows.map(({ first_at, ...row }) => ({
    ...row,
    firstAt: first_at === null ? undefined : Date.parse(first_at),
    lastTook: row.made === 0 ? undefined : (JSON.parse(row.attempts) as DeliveryAttempt[]).at(-1)?.latency_ms,
  }))
}

/** The due deliveries of an endpoint with the bytes to be sent, oldest first, without those that are held. */
const DUE = statement(
  'due-deliveries',
  ['endpoint_id', 'held', 'limit'],
  `select d.delivery_no, d.order_id, coalesce(d.event_id, d.order_id || ':' || d.seq) as event_id, d.made, d.first_at, d.attempts,
      case when d.event_id is null then (select body from order_events e where e.order_id = d.order_id and e.seq = d.seq)
        else (select body from notices n where n.event_id = d.event_id
          and n.tenant = (select tenant from webhook_endpoints w where w.endpoint_id = :endpoint_id)) end as body
    from deliveries d
    where d.endpoint_id = :endpoint_id and d.status = 'pending' and d.due_at <= now() and not d.delivery_no = any(:held::bigint[])
    order by d.delivery_no limit :limit`,
)

/** The outcome of a delivery: one more attempt (or none, if it was too late for another), and its new status. */
export interface Written {
  due: DueDelivery
  attempt: DeliveryAttempt | undefined
  status: DeliveryStatus
  /** Why it was dropped, when it was. */
  reason?: DropReason | undefined
  /** Milliseconds since 1970. */
  dueAt: number
}

/**
 * Records attempts. An attempt already recorded by a sender that was presumed dead stays unchanged. The outcome of a delivery that was dropped
 * while in flight is still recorded.
 */
export async function writeAttempts({ pool }: Pick<Database, 'pool'>, endpointId: string, written: readonly Written[]): Promise<void> {
  await pool.query(
    WRITE.bind({
      endpoint_id: endpointId,
      delivery_nos: written.map(({ due }) => due.delivery_no),
      made_before: written.map(({ due }) => due.made),
      made: written.map(({ due, attempt }) => due.made + (attempt === undefined ? 0 : 1)),
      attempts: written.map(({ due, attempt }) => withAttempt(due.attempts, attempt)),
      statuses: written.map(({ status }) => status),
      due_ats: written.map(({ dueAt }) => new Date(dueAt).toISOString()),
      first_ats: written.map(({ due, attempt }) =>
        due.firstAt === undefined ? (attempt?.at ?? null) : new Date(due.firstAt).toISOString(),
      ),
      reasons: written.map(({ reason }) => reason ?? null),
    }),
  )
}

function withAttempt(attempts: string, attempt: DeliveryAttempt | undefined): string {
  if (attempt === undefined) return attempts
  return `${attempts.slice(0, -1)}${attempts === '[]' ? '' : ','}${JSON.stringify(attempt)}]`
}

/**
 * Writes attempts that no other sender has written. Returns nothing. This is the only write that a machine failure may lose: the delivery is
 * then posted once more, as it may be in any case.
 */
const WRITE = statement(
  'write-attempts',
  ['endpoint_id', 'delivery_nos', 'made_before', 'made', 'attempts', 'statuses', 'due_ats', 'first_ats', 'reasons'],
  `with relaxed as materialized (select set_config('synchronous_commit', 'off', true))
    update deliveries d set made = r.made, attempts = r.attempts, due_at = r.due_at, first_at = r.first_at,
      status = case when d.status = 'dropped' and r.status = 'pending' then 'dropped' else r.status end,
      dropped_reason = case r.status when 'pending' then d.dropped_reason when 'dropped' then r.reason end
    from relaxed, unnest(:delivery_nos::bigint[], :made_before::int[], :made::int[], :attempts::text[], :statuses::text[], :due_ats::timestamptz[], :first_ats::timestamptz[], :reasons::text[])
      as r (delivery_no, before, made, attempts, status, due_at, first_at, reason)
    where d.endpoint_id = :endpoint_id and d.delivery_no = r.delivery_no and d.status <> 'delivered' and d.made = r.before`,
)

/** Drops the pending deliveries of an endpoint that is no longer active. Returns true if there were any. */
export async function dropPending({ sql }: Pick<Database, 'sql'>, endpointId: string, reason: DropReason): Promise<boolean> {
  const { numAffectedRows = 0n } = await raw`
    update deliveries set status = 'dropped', dropped_reason = ${reason} where endpoint_id = ${endpointId} and status = 'pending'`.execute(
    sql,
  )
  return numAffectedRows > 0n
}

/** Wakes the sender of an endpoint when the transaction commits. */
export async function wakeSender(tx: Tx, endpointId: string): Promise<void> {
  await raw`insert into outbox (kind, target) values ('endpoint', ${endpointId})`.execute(tx)
}

/** Wakes every endpoint with a delivery overdue by a minute, which replaces lost runs. Returns how many. */
export async function sweepDeliveries(pool: Database['pool']): Promise<number> {
  return (await pool.query(SWEEP)).rowCount ?? 0
}

/** Gives those endpoints an outbox row each; its row count is how many. */
const SWEEP = {
  name: 'sweep-deliveries',
  text: `insert into outbox (kind, target) select 'endpoint', endpoint_id from webhook_endpoints w
    where exists (select from deliveries d
        where d.endpoint_id = w.endpoint_id and d.status = 'pending' and d.due_at < now() - interval '1 minute')
      and endpoint_id not in (select target from outbox where kind = 'endpoint')`,
}

/** How long the log of deliveries is kept. */
const KEPT = '30 days'

/** Deletes deliveries that ended long ago. Returns how many. */
export async function forgetDeliveries({ pool }: Pick<Database, 'pool'>, limit: number): Promise<number> {
  return (await pool.query(FORGET.bind({ limit }))).rowCount ?? 0
}

/** Deletes some deliveries that are done with and older than the log is kept; its row count is how many. */
const FORGET = statement(
  'forget-deliveries',
  ['limit'],
  `delete from deliveries d using (
      select endpoint_id, delivery_no from deliveries where status <> 'pending' and created_at < now() - interval '${KEPT}' limit :limit
    ) old where d.endpoint_id = old.endpoint_id and d.delivery_no = old.delivery_no`,
)
