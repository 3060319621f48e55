import type pg from 'pg'
import type { OrderHead } from '../../domain/order/head.ts'
import { snapshot } from '../../domain/order/snapshot.ts'
import { batched } from '../connection/batched.ts'
import type { Database } from '../connection/database.ts'
import { PAGE_BYTES, withinPage } from '../connection/pageBytes.ts'
import { statement, unnested } from '../connection/statement.ts'
import type { Reader } from './command.ts'
import type { OrderLog } from './orderLog.ts'
import { firstLines, readerText } from './renderSnapshot.ts'

/** The columns that a reader's part is made of. */
export type ReadHead = Pick<OrderHead, 'workflow' | 'status' | 'substatus' | 'parked_since' | 'decide_by' | 'stuck_reason'> & {
  updated_at: string
}
export type ReadRow = ReadHead & { text: string }
/** The columns of a read, kept few since each costs as much as any other. */
const READ_COLUMNS = 'workflow, status, substatus, parked_since, decide_by, stuck_reason, updated_at'
type Pool = Pick<Database, 'pool'>

/** Returns the stored snapshot as JSON text with the reader's part added, and its last_seq; undefined if the order is not the reader's. */
export async function readOrder(
  { pool }: Pool,
  reader: Reader,
  orderId: string,
  now: string,
): Promise<{ text: string; last_seq: number } | undefined> {
  const row = await ownOrder(pool, { reader, orderId })
  return row && { text: asRead(withFirstLines(row), reader, now), last_seq: row.last_seq }
}

/** Returns only the text. */
export async function readSnapshot(db: Pool, reader: Reader, orderId: string, now: string): Promise<string | undefined> {
  return (await readOrder(db, reader, orderId, now))?.text
}

/** Folds the log to the snapshot after an event; undefined if the order is not the reader's. */
export async function readSnapshotAt(
  { pool }: Pool,
  log: Pick<OrderLog, 'load'>,
  reader: Reader,
  orderId: string,
  atSeq: number,
): Promise<string | 'no such seq' | undefined> {
  const row = await ownOrder(pool, { reader, orderId })
  if (row === undefined) return undefined
  if (atSeq < 1 || atSeq > row.last_seq) return 'no such seq'
  const order = await log.load(orderId, atSeq)
  return order && JSON.stringify({ ...snapshot(order), allowed_actions: [], waiting_on: null })
}

/** Returns events of one order after a seq, as the text of a JSON array, and its last_seq; undefined if the order is not the reader's. */
export async function replayEvents({ pool }: Pool, reader: Reader, request: ReplayRequest): Promise<Replay | undefined> {
  const replay = await replays(pool, { reader, ...request })
  return replay && { events: replay.events, last_seq: replay.last_seq }
}

interface ReplayRequest {
  orderId: string
  afterSeq: number
  limit: number
}
type Replay = { events: string; last_seq: number }
interface OwnRequest {
  reader: Reader
  orderId: string
}
type OwnColumns = Readonly<Record<'order_ids' | 'sides' | 'entities', readonly string[]>>

/** Batches concurrent requests into one statement: at most a row for each request, and the request that it is for. */
function ownReads<Request extends OwnRequest, Row>(bound: (asked: OwnColumns, requests: readonly Request[]) => pg.QueryConfig) {
  return batched<Request, Row | undefined>(async (pool, requests) => {
    const asked = {
      order_ids: requests.map(({ orderId }) => orderId),
      sides: requests.map(({ reader }) => reader.side),
      entities: requests.map(({ reader }) => reader.entity),
    }
    const { rows } = await pool.query<Row & { place: string }>(bound(asked, requests))
    const answers = new Map(rows.map((row) => [Number(row.place), row]))
    return requests.map((_, index) => answers.get(index + 1))
  })
}

/** Returns the row with the lines of an order that has its first event alone, if they are not stored. */
function withFirstLines(row: OwnRow): OwnRow {
  const { text, request, facts } = row
  return request === null || facts === null ? row : { ...row, text: text + firstLines(request, facts) }
}

/** Returns a stored text as its reader sees it now. */
export function asRead(row: ReadRow, reader: Reader, now: string): string {
  return row.text + readersPart(row, reader, now)
}

/** Returns the text after an order's stored text for a reader now. Only the seller may know what keeps its own API from deciding. */
export function readersPart(row: ReadHead, { side }: Reader, now: string): string {
  const { status, workflow, substatus, updated_at, parked_since, decide_by } = row
  const stuck_reason = side === 'seller' ? row.stuck_reason : null
  return readerText({ status, workflow, substatus, updated_at, parked_since, decide_by, stuck_reason }, side, now)
}

/** Reads heads and snapshots of orders, each for its own reader. Fenced: a join planned while the table was empty would scan all orders. */
const SNAPSHOTS = statement(
  'read-snapshots',
  ['order_ids', 'sides', 'entities'],
  `select place, own.* from ${unnested({ order_ids: 'text', sides: 'text', entities: 'text' })} with ordinality as asked (id, side, entity, place)
      cross join lateral (select ${READ_COLUMNS}, last_seq, snapshot_head || snapshot_lines as text, first.request, first.facts from orders
        left join lateral (select request, facts from order_records r where snapshot_lines = '' and r.order_id = orders.order_id) first on true
        where order_id = asked.id and case asked.side when 'buyer' then buyer_entity else seller end = asked.entity offset 0) own`,
)
/** `request` and `facts` are null once the lines of an order are stored. */
type OwnRow = ReadRow & { last_seq: number; request: string | null; facts: string | null }
const ownOrder = ownReads<OwnRequest, OwnRow>((asked) => SNAPSHOTS.bind(asked))

/** Reads pages of events of orders, each for its own reader. Fenced for the same reason as SNAPSHOTS. */
const REPLAYS = statement(
  'replay-events',
  ['order_ids', 'sides', 'entities', 'after_seqs', 'limits'],
  `select place, own.* from ${unnested({ order_ids: 'text', sides: 'text', entities: 'text', after_seqs: 'int', limits: 'int' })} with ordinality
        as asked (id, side, entity, after_seq, max, place)
      cross join lateral (select last_seq, (select '[' || coalesce(string_agg(body, ',' order by seq), '') || ']' from ${withinPage(
        'select seq, body from order_events e where e.order_id = o.order_id and seq > asked.after_seq order by seq limit asked.max',
        { text: 'body', order: 'seq', bytes: String(PAGE_BYTES) },
      )} page) as events
        from orders o where order_id = asked.id and case asked.side when 'buyer' then buyer_entity else seller end = asked.entity offset 0) own`,
)
const replays = ownReads<OwnRequest & ReplayRequest, Replay>((asked, requests) =>
  REPLAYS.bind({ ...asked, after_seqs: requests.map(({ afterSeq }) => afterSeq), limits: requests.map(({ limit }) => limit) }),
)
