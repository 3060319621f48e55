import { type Subscription, topicsOf } from '../../domain/events/subscription.ts'
import type { Database } from '../connection/database.ts'
import { measured, PAGE_BYTES, withinBytes, withinPage } from '../connection/pageBytes.ts'
import { statement } from '../connection/statement.ts'

/** A position in a tenant's feed: everything up to it has been read. */
export interface FeedPosition {
  txid: string
  position: string
}

export const FEED_START: FeedPosition = { txid: '0', position: '0' }

/** Returns the current end of every feed: later commits come after it, and so do events that an open transaction still hides. */
export async function feedEnd({ pool }: Pick<Database, 'pool'>): Promise<FeedPosition> {
  const { rows } = await pool.query<FeedPosition>(END.bind({}))
  return rows[0] as FeedPosition
}

/** A page of stored texts, and the reader's next position: past every row that was scanned, selected or not. */
export interface FeedPage {
  events: string[]
  last: FeedPosition
}

/**
 * Reads a tenant's events after a position. Reads only rows of transactions below the oldest open one, so that nothing can appear later
 * behind a cursor (architecture, Gap-free feed). A page ends before it exceeds PAGE_BYTES; if a filter skips many rows, it may end before
 * it is full, or even empty.
 */
export async function readFeed(
  db: Pick<Database, 'pool'>,
  tenant: string,
  after: FeedPosition,
  subscription: Subscription,
  limit: number,
): Promise<FeedPage> {
  const topics = topicsOf(subscription)
  if (topics === null) return readAll(db, tenant, after, limit)
  const page: FeedPage = { events: [], last: after }
  const deadline = Date.now() + SCAN_MS
  let bytes = 0
  for (let more = true; more && Date.now() < deadline; ) {
    const room = { events: limit - page.events.length, bytes: PAGE_BYTES - bytes }
    const { events, last, isFull, isLast } = await readSelected(db, tenant, page.last, topics, room)
    page.events.push(...events)
    page.last = last
    bytes += events.reduce((sum, body) => sum + Buffer.byteLength(body), 0)
    more = !isFull && !isLast && bytes < PAGE_BYTES
  }
  return page
}

type Row = FeedPosition & { body: string }

async function readAll({ pool }: Pick<Database, 'pool'>, tenant: string, after: FeedPosition, limit: number): Promise<FeedPage> {
  const { rows } = await pool.query<Row>(FEED.bind({ tenant, ...after, limit, page_bytes: PAGE_BYTES }))
  return { events: rows.map(({ body }) => body), last: positionOf(rows.at(-1)) ?? after }
}

/** Limits of one scan, in rows and in milliseconds, so that a selective filter cannot make a read arbitrarily long. */
const SCAN = 10_000
const SCAN_MS = 2_000

type SelectedRow = Row & { body: string | null; found: number; end_txid: string; end_position: string; scanned: number }

/** `isFull`: the selected rows fill the page; `isLast`: the scan reached the end. */
async function readSelected(
  { pool }: Pick<Database, 'pool'>,
  tenant: string,
  after: FeedPosition,
  topics: readonly string[],
  room: { events: number; bytes: number },
): Promise<FeedPage & { isFull: boolean; isLast: boolean }> {
  const { rows } = await pool.query<SelectedRow>(
    SELECTED.bind({ tenant, ...after, limit: room.events, page_bytes: room.bytes, topics, scan: SCAN }),
  )
  const [first] = rows
  if (first === undefined) return { events: [], last: after, isFull: false, isLast: true }
  const picked = rows.filter(({ body }) => body !== null)
  const isFull = picked.length === room.events || picked.length < first.found
  const last = (isFull ? positionOf(picked.at(-1)) : undefined) ?? { txid: first.end_txid, position: first.end_position }
  return { events: picked.map(({ body }) => body), last, isFull, isLast: first.scanned < SCAN }
}

function positionOf(row: FeedPosition | undefined): FeedPosition | undefined {
  return row && { txid: row.txid, position: row.position }
}

/** SQL: the horizon below which every row is committed or never will be (migration 0007). */
export const HORIZON = 'feed_horizon()'

/** Returns the first position that may still be written to. */
const END = statement('feed-end', [], `select ${HORIZON}::text as txid, '0' as position`)

const AFTER = `tenant = :tenant and (txid, position) > (:txid::text::xid8, :position::bigint) and txid < ${HORIZON}`

/**
 * SQL: rows of the feed with their bodies. Looks for a notice only where there is no event, since nearly every row has one. Fenced, with one
 * lookup per row: a plan that is kept does not know how few rows a page has, and might read all events for them.
 */
const withBodies = (rows: string) => `select f.txid, f.position,
        coalesce(e.body, (select n.body from notices n where n.event_id = f.event_id and n.tenant = :tenant)) as body
      from ${rows} f left join lateral (select body from order_events where order_id = f.order_id and seq = f.seq offset 0) e on true`

/** Reads a page of a tenant's feed after a position, in the feed's order. Hides the limit, since Postgres would plan every call for its sake. */
const FEED = statement(
  'read-feed',
  ['tenant', 'txid', 'position', 'limit', 'page_bytes'],
  `select txid::text as txid, position::text as position, body
    from (${measured(withBodies(`(select * from feed where ${AFTER} order by txid, position limit (select :limit::bigint))`), {
      ...{ text: 'body', order: 'txid, position' },
    })}) page
    where ${withinBytes('body', ':page_bytes::int')}
    order by page.txid, page.position`,
)

/** Reads a page of the events of some topics, from the next `scan` rows, with the scan's end: a single row without a body if none is selected. */
const SELECTED = statement(
  'read-selected-feed',
  ['tenant', 'txid', 'position', 'limit', 'page_bytes', 'topics', 'scan'],
  `with scanned as materialized (
      select * from feed where ${AFTER} order by txid, position limit :scan
    ), picked as (
      ${withBodies("(select * from scanned where event_type || coalesce(':' || status, '') = any(:topics) order by txid, position limit :limit)")}
    ), ending as (
      select txid, position, count(*) over ()::int as scanned from scanned order by txid desc, position desc limit 1
    )
    select page.txid::text as txid, page.position::text as position, body, found::int as found,
      ending.txid::text as end_txid, ending.position::text as end_position, scanned
    from ending left join ${withinPage('select * from picked', { text: 'body', order: 'txid, position', bytes: ':page_bytes::int' })} page on true
    order by page.txid, page.position`,
)
