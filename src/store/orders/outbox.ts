import type pg from 'pg'
import type { OrderHead } from '../../domain/order/head.ts'
import type { CommandName, ToldCommand } from '../../domain/order/toldCommand.ts'
import { isTraced } from '../../metrics/tracing.ts'
import { listen } from '../connection/listen.ts'
import { statement } from '../connection/statement.ts'
import { sharedPool } from '../connection/tenantScope.ts'
import { HEAD_COLUMNS } from './orderHead.ts'

/** A row that a commit left for Temporal. A claim is a lease: a row that is neither finished nor released can be claimed again later. */
export interface OutboxRow {
  outbox_id: string
  /** How often the row has been claimed, including this time. */
  attempts: number
  /** The kind of run to wake: a row of worker/runs.ts. */
  kind: string
  /** The id of what the run is about. */
  target: string
  /** The command that left the row, of which the order's run is told; null if it only has to look. */
  command: (ToldCommand & { name: CommandName }) | null
  /** The order to wake, as of the claim; undefined for rows of other kinds, or if the log has no such order. */
  head: OrderHead | undefined
  /** The trace of the order's newest event; read only if traces are enabled. */
  traceparent?: string | null | undefined
}

/** Claims up to `limit` rows for three seconds, the longest waiting first. Two relays never get the same row. */
export async function claimOutbox(pool: pg.Pool, limit: number): Promise<OutboxRow[]> {
  const claim = isTraced() ? CLAIM_TRACED : CLAIM
  const { rows } = await pool.query<OrderHead & Omit<OutboxRow, 'head'> & { order_id: string | null }>(claim.bind({ limit }))
  return rows.map(({ outbox_id, attempts, kind, target, command, traceparent, ...head }) => {
    return { outbox_id, attempts, kind, target, command, traceparent, head: head.order_id === null ? undefined : head }
  })
}

/** Short, since the claims of a killed relay last this long; a running one renews them. Delivering a row twice does no harm. */
const LEASE = `interval '3 s'`

/**
 * Claims rows for a lease, with their orders' heads. Materialized: a plan that ran the limited select twice would
 * exceed its limit. Uses an array and a fence: a plan with joins, made while the tables were empty, would scan all orders at each claim.
 */
const claimOf = (name: string, trace = '') =>
  statement(
    name,
    ['limit'],
    `
    with due as materialized (
      select outbox_id from outbox where claimable_at <= now() order by claimable_at, outbox_id limit :limit for update skip locked
    ), claimed as (
      update outbox set claimable_at = now() + ${LEASE}, attempts = attempts + 1 where outbox_id = any(array(select outbox_id from due))
      returning outbox_id, attempts, kind, target, command
    )
    select c.outbox_id, c.attempts, c.kind, c.target, c.command, ${trace} o.* from claimed c
      left join lateral (select ${HEAD_COLUMNS} from orders where c.kind = 'order' and order_id = c.target offset 0) o on true order by c.outbox_id`,
  )
const CLAIM = claimOf('claim-outbox')
/** Adds the trace of each order's newest event. */
const CLAIM_TRACED = claimOf(
  'claim-outbox-traced',
  `(select e.traceparent from order_events e where c.kind = 'order' and e.order_id = c.target order by e.seq desc limit 1) as traceparent,`,
)

/** Renews claims. Call it more often than a lease lasts. */
export async function renewOutbox(pool: pg.Pool, ids: readonly string[]): Promise<void> {
  await pool.query(RENEW.bind({ ids }))
}

/** Sets claims to end one lease from now. */
const RENEW = statement('renew-outbox', ['ids'], `update outbox set claimable_at = now() + ${LEASE} where outbox_id = any(:ids::bigint[])`)

/** Deletes delivered rows. */
export async function finishOutbox(pool: pg.Pool, ids: readonly string[]): Promise<void> {
  await pool.query(FINISH.bind({ ids }))
}

/** Deletes rows by their ids. */
const FINISH = statement('finish-outbox', ['ids'], 'delete from outbox where outbox_id = any(:ids::bigint[])')

/** Releases rows that could not be delivered; they may be claimed again after `delay` milliseconds. */
export async function releaseOutbox(pool: pg.Pool, ids: readonly string[], delay: number): Promise<void> {
  await pool.query(RELEASE.bind({ ids, delay_ms: Math.round(delay) }))
}

/** Makes rows claimable again after a delay. */
const RELEASE = statement(
  'release-outbox',
  ['ids', 'delay_ms'],
  `update outbox set claimable_at = now() + :delay_ms * interval '1 ms' where outbox_id = any(:ids::bigint[])`,
)

/**
 * Adds an outbox row for every open order that should have moved a minute ago, unless one is waiting. Returns the number (at most `limit`).
 * This recovers from lost runs, lost timers and a Temporal server with an empty disk. The interval between checks of an order that does not
 * move equals the time since it last moved, between a minute and a day.
 */
export async function sweepDue(pool: pg.Pool, limit = 1_000): Promise<number> {
  const { rowCount } = await pool.query(SWEEP.bind({ limit }))
  return rowCount ?? 0
}

/**
 * Gives due orders an outbox row each; the row count is their number. A row lock without the order's advisory lock suffices here: nothing
 * goes to the feed, so no order of events can be inverted.
 */
const SWEEP = statement(
  'sweep-due',
  ['limit'],
  `
  with due as materialized (
    select order_id from orders
    where due_at < now() - interval '1 minute' and not closed
      and order_id not in (select target from outbox where kind = 'order') -- hashed once, where an anti join may walk it for each order
    order by due_at limit :limit for update skip locked
  ), postponed as (
    update orders set due_at = now() + least(greatest(now() - updated_at, interval '1 minute'), interval '1 day')
    from due where orders.order_id = due.order_id
  )
  insert into outbox (kind, target) select 'order', order_id from due`,
)

/** SQL: selects the orders whose runs have work left. */
export const OPEN_ORDERS = 'select order_id as target from orders where not closed'

const CHANNEL = 'outbox'

/** Tells the relays of other processes that rows wait for them. */
export interface OutboxNotifier {
  notify(): void
}

/** The pause between notifications. Each wakes this process, the database and every relay, so successive orders must share a few. */
const RESTS_MS = 20

/**
 * Sends the first notification immediately and then at most one per pause: one in every transaction would halve the commits. Ignores
 * failures, since relays also check by themselves.
 */
export function outboxNotifier(pool: pg.Pool): OutboxNotifier {
  const notifying = sharedPool(pool) // a notification reads no rows and needs no scope
  let resting = false
  let missed = false
  const notify = () => {
    if (resting) {
      missed = true
      return
    }
    resting = true
    notifying.query({ name: 'notify-outbox', text: `select pg_notify('${CHANNEL}', '')` }).catch(() => undefined)
    setTimeout(() => {
      resting = false
      if (!missed) return
      missed = false
      notify()
    }, RESTS_MS).unref()
  }
  return { notify }
}

/** Listens to the notifications of all processes. */
export function listenOutbox(databaseUrl: string, onNotify: () => void): { close(): Promise<void> } {
  return listen(databaseUrl, CHANNEL, () => onNotify())
}
