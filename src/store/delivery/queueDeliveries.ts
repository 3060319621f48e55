import type pg from 'pg'
import type { EventType, OrderStatus, QueueFailure } from '../../contract/vocabulary.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { runOn } from '../connection/txOn.ts'
import { type Actor, recordAct } from '../tenants/securityEvents.ts'
import type { Authority } from './eventAuthority.ts'
import { type FeedPosition, HORIZON } from './feed.ts'

/** The filters that a tenant has set. */
interface Filters {
  readonly events: EventType[] | null
  readonly statuses: OrderStatus[] | null
  /** The types that its credential may read. */
  readonly readable: EventType[]
}

export interface OpenDelivery extends Filters {
  readonly credential_id: string | null
  readonly created_at: string
  readonly up_to_date: boolean
  readonly failing_since: string | null
  readonly failure: QueueFailure | null
}

/** Sets up or changes a tenant's delivery, from `after` on. By default a new one starts at the feed's end; an existing one continues. */
export async function putQueueDelivery(
  { sql }: Pick<Database, 'sql'>,
  actor: Actor,
  authority: Authority,
  { events, statuses }: Omit<Filters, 'readable'>,
  after: FeedPosition | undefined,
): Promise<void> {
  const tenant = actor.entity
  const { credential_id, authorized_until, readable } = authority
  const place = { txid: after?.txid ?? null, position: after?.position ?? null }
  await sql.transaction().execute(async (tx) => {
    const { rows } = await runOn<Pick<OpenDelivery, 'events' | 'statuses' | 'credential_id'>>(tx, LOCK.bind({ tenant }))
    const [before] = rows
    await runOn(tx, PUT.bind({ tenant, events, statuses, credential_id, authorized_until, readable, ...place }))
    await recordAct(tx, actor, {
      action: 'queue.changed',
      before: before ?? null,
      after: { events, statuses, credential_id, ...(after && { after }) },
    })
  })
}

export async function readQueueDelivery(pool: pg.Pool, tenant: string): Promise<OpenDelivery | undefined> {
  const { rows } = await pool.query<OpenDelivery>(READ.bind({ tenant }))
  return rows[0]
}

export async function deleteQueueDelivery({ sql }: Pick<Database, 'sql'>, actor: Actor): Promise<boolean> {
  return sql.transaction().execute(async (tx) => {
    const { numAffectedRows } = await runOn(tx, DELETE.bind({ tenant: actor.entity }))
    if (numAffectedRows === 0n) return false
    await recordAct(tx, actor, { action: 'queue.deleted' })
    return true
  })
}

/** A delivery with unpublished events, and its position. */
export interface DueQueue extends Filters {
  readonly tenant: string
  readonly at: FeedPosition
}

/** SQL: true if the broker has not confirmed everything that was committed, though some of it may not be readable yet. */
const IS_BEHIND = 'exists (select from feed f where f.tenant = q.tenant and (f.txid, f.position) > (q.txid, q.position))'

/** SQL: true if a delivery has a valid credential; nothing is published for others. */
const IS_AUTHORIZED = 'q.credential_id is not null and (q.authorized_until is null or q.authorized_until > now())'

const HAS_WORK = `exists (select from feed f where f.tenant = q.tenant and (f.txid, f.position) > (q.txid, q.position) and f.txid < ${HORIZON})`

/** Returns the deliveries that are not up to date, except those in `apart`. */
export async function dueQueues(pool: pg.Pool, apart: readonly string[]): Promise<DueQueue[]> {
  const { rows } = await pool.query<DueQueue>(DUE.bind({ apart }))
  return rows
}

/**
 * Moves a queue forward after the broker has confirmed the events in between. Returns false if the tenant has changed the delivery's
 * position; the rest must then not be published.
 */
export async function advanceDelivery(pool: pg.Pool, tenant: string, from: FeedPosition, to: FeedPosition): Promise<boolean> {
  const { rowCount } = await pool.query(
    ADVANCE.bind({ tenant, from_txid: from.txid, from_position: from.position, to_txid: to.txid, to_position: to.position }),
  )
  return rowCount === 1
}

/** Records why nothing can be published, to one tenant or to anyone, on the deliveries that have events waiting. */
export async function noteFailure(pool: pg.Pool, failure: QueueFailure, tenant: string | null = null): Promise<void> {
  await pool.query(NOTE_FAILURE.bind({ failure, tenant }))
}

/** Locks a tenant's delivery, and returns its filters and credential. */
const LOCK = statement(
  'lock-queue-delivery',
  ['tenant'],
  'select events, statuses, credential_id from queue_deliveries where tenant = :tenant for update',
)

/** Writes a tenant's delivery. Without a position, a new one starts at the feed's end, and an existing one keeps its position. */
const PUT = statement(
  'put-queue-delivery',
  ['tenant', 'events', 'statuses', 'credential_id', 'authorized_until', 'readable', 'txid', 'position'],
  `insert into queue_deliveries as q (tenant, events, statuses, credential_id, authorized_until, readable, txid, position)
    values (:tenant, :events, :statuses, :credential_id, :authorized_until, :readable,
      coalesce(:txid::text::xid8, ${HORIZON}), coalesce(:position::bigint, 0))
    on conflict (tenant) do update set events = excluded.events, statuses = excluded.statuses,
      credential_id = excluded.credential_id, authorized_until = excluded.authorized_until, readable = excluded.readable,
      txid = coalesce(:txid::text::xid8, q.txid), position = coalesce(:position::bigint, q.position), failing_since = null, failure = null`,
)

/** Deletes a tenant's delivery: one row or none. */
const DELETE = statement('delete-queue-delivery', ['tenant'], 'delete from queue_deliveries where tenant = :tenant')

/** Reads a tenant's delivery, and whether everything that was committed is confirmed. */
const READ = statement(
  'read-queue-delivery',
  ['tenant'],
  `select events, statuses, credential_id, readable, created_at, failing_since, failure, not (${IS_BEHIND}) as up_to_date
    from queue_deliveries q where tenant = :tenant`,
)

/** Reads the authorized deliveries with readable events, except those of some tenants. */
const DUE = statement(
  'due-queue-deliveries',
  ['apart'],
  `select tenant, events, statuses, readable, json_build_object('txid', txid::text, 'position', position::text) as at
    from queue_deliveries q where tenant <> all(:apart::text[]) and ${IS_AUTHORIZED} and ${HAS_WORK}`,
)

/** Moves a delivery from one position to another. Changes no row if the delivery has left that position. */
const ADVANCE = statement(
  'advance-queue-delivery',
  ['tenant', 'from_txid', 'from_position', 'to_txid', 'to_position'],
  `update queue_deliveries q set txid = :to_txid::text::xid8, position = :to_position::bigint, failing_since = null, failure = null
    where tenant = :tenant and txid = :from_txid::text::xid8 and position = :from_position::bigint and ${IS_AUTHORIZED}`,
)

/** Records why deliveries with events left are not published: those of one tenant, or of all if it is null. */
const NOTE_FAILURE = statement(
  'note-queue-failure',
  ['failure', 'tenant'],
  `update queue_deliveries q set failing_since = coalesce(failing_since, now()), failure = :failure
    where (:tenant::text is null or tenant = :tenant) and failure is distinct from :failure and ${IS_AUTHORIZED} and ${HAS_WORK}`,
)
