import type { EventType, OrderStatus } from '../contract/vocabulary.ts'
import type { Database } from './database.ts'

/** A place in a tenant's feed: everything up to it has been read. */
export interface FeedPosition {
  txid: string
  position: string
}

export const FEED_START: FeedPosition = { txid: '0', position: '0' }

export interface FeedFilter {
  events?: readonly EventType[]
  /** Restricts order.status_changed alone (choices, Registrations). */
  statuses?: readonly OrderStatus[]
}

/**
 * A tenant's events after a position, as stored texts. Only rows of transactions below the oldest one still open are read: what is not
 * shown yet can never slip in behind a cursor (laws of the log).
 */
export async function readFeed(
  { pool }: Pick<Database, 'pool'>,
  tenant: string,
  after: FeedPosition,
  { events, statuses }: FeedFilter,
  limit: number,
): Promise<{ events: string[]; last: FeedPosition }> {
  const { rows } = await pool.query<FeedPosition & { body: string }>({
    ...FEED,
    values: [tenant, after.txid, after.position, events ?? null, statuses ?? null, limit],
  })
  const last = rows.at(-1)
  return { events: rows.map(({ body }) => body), last: last === undefined ? after : { txid: last.txid, position: last.position } }
}

const FEED = {
  name: 'read-feed',
  text: `select f.txid::text as txid, f.position::text as position, coalesce(e.body, n.body) as body
    from feed f
      left join order_events e on e.order_id = f.order_id and e.seq = f.seq
      left join notices n on n.event_id = f.event_id and n.tenant = f.tenant
    where f.tenant = $1 and (f.txid, f.position) > ($2::text::xid8, $3::bigint) and f.txid < pg_snapshot_xmin(pg_current_snapshot())
      and ($4::text[] is null or f.event_type = any($4))
      and ($5::text[] is null or f.event_type <> 'order.status_changed' or f.status = any($5))
    order by f.txid, f.position limit $6`,
}
