import { sql as raw } from 'kysely'
import type pg from 'pg'
import type { EventType, OrderStatus, QueueFailure } from '../../contract/vocabulary.ts'
import type { Database } from '../connection/database.ts'
import { type Actor, recordAct } from '../tenants/securityEvents.ts'
import type { Authority } from './eventAuthority.ts'
import { type FeedPosition, HORIZON } from './feed.ts'

/** What a tenant asked for. */
interface Wish {
  readonly events: EventType[] | null
  readonly statuses: OrderStatus[] | null
  /** The types that its credential may read. */
  readonly readable: EventType[]
}

export interface StandingDelivery extends Wish {
  readonly credential_id: string | null
  readonly created_at: string
  readonly up_to_date: boolean
  readonly failing_since: string | null
  readonly failure: QueueFailure | null
}

/** Sets a tenant's delivery up, or changes it: from `after` on; without it a new one begins with what is not readable yet, a standing one goes on. */
export async function putQueueDelivery(
  { sql }: Pick<Database, 'sql'>,
  actor: Actor,
  authority: Authority,
  { events, statuses }: Omit<Wish, 'readable'>,
  after: FeedPosition | undefined,
): Promise<void> {
  const tenant = actor.entity
  const { credential_id, authorized_until, readable } = authority
  const [txid, position] = [after?.txid ?? null, after?.position ?? null]
  await sql.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('queue_deliveries')
      .select(['events', 'statuses', 'credential_id'])
      .where('tenant', '=', tenant)
      .forUpdate()
      .executeTakeFirst()
    await raw`insert into queue_deliveries as q (tenant, events, statuses, credential_id, authorized_until, readable, txid, position)
      values (${tenant}, ${events}, ${statuses}, ${credential_id}, ${authorized_until}, ${readable}, coalesce(${txid}::text::xid8, ${raw.raw(HORIZON)}), coalesce(${position}::bigint, 0))
      on conflict (tenant) do update set events = excluded.events, statuses = excluded.statuses,
        credential_id = excluded.credential_id, authorized_until = excluded.authorized_until, readable = excluded.readable, txid = coalesce(${txid}::text::xid8, q.txid),
        position = coalesce(${position}::bigint, q.position), failing_since = null, failure = null`.execute(tx)
    await recordAct(tx, actor, {
      action: 'queue.changed',
      before: before ?? null,
      after: { events, statuses, credential_id, ...(after && { after }) },
    })
  })
}

export async function readQueueDelivery(pool: pg.Pool, tenant: string): Promise<StandingDelivery | undefined> {
  const { rows } = await pool.query<StandingDelivery>(
    `select events, statuses, credential_id, readable, created_at, failing_since, failure, not (${IS_BEHIND}) as up_to_date from queue_deliveries q where tenant = $1`,
    [tenant],
  )
  return rows[0]
}

export async function deleteQueueDelivery({ sql }: Pick<Database, 'sql'>, actor: Actor): Promise<boolean> {
  return sql.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx.deleteFrom('queue_deliveries').where('tenant', '=', actor.entity).executeTakeFirst()
    if (numDeletedRows === 0n) return false
    await recordAct(tx, actor, { action: 'queue.deleted' })
    return true
  })
}

/** A delivery with something to look at, and from where. */
export interface DueQueue extends Wish {
  readonly tenant: string
  readonly at: FeedPosition
}

/** Something that was committed is not confirmed by the broker, though it may not be readable yet. */
const IS_BEHIND = 'exists (select from feed f where f.tenant = q.tenant and (f.txid, f.position) > (q.txid, q.position))'

/** Whose credential lives: nothing is published for another. */
const IS_AUTHORIZED = 'q.credential_id is not null and (q.authorized_until is null or q.authorized_until > now())'

const HAS_WORK = `exists (select from feed f where f.tenant = q.tenant and (f.txid, f.position) > (q.txid, q.position) and f.txid < ${HORIZON})`

/** The deliveries that are not up to date, but for those `apart`. */
export async function dueQueues(pool: pg.Pool, apart: readonly string[]): Promise<DueQueue[]> {
  const { rows } = await pool.query<DueQueue>({
    name: 'due-queue-deliveries',
    text: `select tenant, events, statuses, readable, json_build_object('txid', txid::text, 'position', position::text) as at
      from queue_deliveries q where tenant <> all($1::text[]) and ${IS_AUTHORIZED} and ${HAS_WORK}`,
    values: [apart],
  })
  return rows
}

/** The broker has confirmed what lies between. False when the tenant has changed where its delivery stands: then the rest is not to be published. */
export async function advanceDelivery(pool: pg.Pool, tenant: string, from: FeedPosition, to: FeedPosition): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'advance-queue-delivery',
    text: `update queue_deliveries q set txid = $4::text::xid8, position = $5::bigint, failing_since = null, failure = null
      where tenant = $1 and txid = $2::text::xid8 and position = $3::bigint and ${IS_AUTHORIZED}`,
    values: [tenant, from.txid, from.position, to.txid, to.position],
  })
  return rowCount === 1
}

/** Nothing can be published, to one tenant or to any: told to those who wait for something. */
export async function noteFailure(pool: pg.Pool, failure: QueueFailure, tenant: string | null = null): Promise<void> {
  await pool.query(
    `update queue_deliveries q set failing_since = coalesce(failing_since, now()), failure = $1
     where ($2::text is null or tenant = $2) and failure is distinct from $1 and ${IS_AUTHORIZED} and ${HAS_WORK}`,
    [failure, tenant],
  )
}
