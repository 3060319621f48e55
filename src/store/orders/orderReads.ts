import type pg from 'pg'
import type { OrderStatus, Side } from '../../contract/vocabulary.ts'
import type { OrderHead } from '../../domain/order/head.ts'
import { snapshot } from '../../domain/order/snapshot.ts'
import { allowedActions, isTerminal } from '../../domain/order/transitions.ts'
import { batched } from '../connection/batched.ts'
import type { Database } from '../connection/database.ts'
import { PAGE_BYTES, withinPage } from '../connection/pageBytes.ts'
import { type Statement, statement } from '../connection/statement.ts'
import { HEAD_COLUMNS } from './orderHead.ts'
import type { OrderLog } from './orderLog.ts'
import { spliceReader } from './renderSnapshot.ts'

/** Who reads: a read takes the tenant and its side, never an id alone. */
export interface Reader {
  entity: string
  side: Side
}

export interface OrderFilter {
  status?: readonly OrderStatus[]
  seller?: string
  external_order_id?: string
  /** The position at which the previous page ended, as its cursor states it. */
  after?: readonly string[]
  limit: number
}

type ReadRow = OrderHead & { text: string; updated_at: string }
type Pool = Pick<Database, 'pool'>

/** The stored snapshot as JSON text with the reader's part spliced on, and its last_seq; undefined when the order is not the reader's. */
export async function readOrder(
  { pool }: Pool,
  reader: Reader,
  orderId: string,
  now: string,
): Promise<{ text: string; last_seq: number } | undefined> {
  const row = await ownOrder(pool, { reader, orderId })
  return row && { text: asRead(row, reader, now), last_seq: row.last_seq }
}

/** The text alone. */
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

/**
 * Returns a page of the reader's orders as JSON texts, and the position to continue from. Lists the newest first. A request for only the
 * orders that wait for a seller's decision lists its queue by deadline: orders that arrive meanwhile sort by theirs, and none repeats.
 */
export async function listOrders(
  { pool }: Pool,
  reader: Reader,
  filter: OrderFilter,
  now: string,
): Promise<{ orders: string[]; last?: readonly string[] }> {
  const { limit } = filter
  const isByDeadline = isQueue(reader.side, filter.status)
  const { rows } = await pool.query<ReadRow & { found: string }>(isByDeadline ? queueOf(reader, filter) : listOf(reader, filter))
  const page = rows.slice(0, limit)
  const end = Number(rows[0]?.found ?? 0) > page.length ? page.at(-1) : undefined
  const orders = page.map((row) => asRead(row, reader, now))
  if (end === undefined) return { orders }
  return { orders, last: isByDeadline ? [end.decide_by as string, end.order_id] : [end.order_id] }
}

/** Whether a list is a seller's approval queue: its orders in seller_review, and no others. */
export function isQueue(side: Side, status: readonly OrderStatus[] | undefined): boolean {
  return side === 'seller' && status?.length === 1 && status[0] === 'seller_review'
}

/** Events of one order after a seq, as the text of a JSON array, and the order's last_seq; undefined when the order is not the reader's. */
export async function replayEvents({ pool }: Pool, reader: Reader, ask: ReplayAsk): Promise<Replay | undefined> {
  const replay = await replays(pool, { reader, ...ask })
  return replay && { events: replay.events, last_seq: replay.last_seq }
}

interface ReplayAsk {
  orderId: string
  afterSeq: number
  limit: number
}
type Replay = { events: string; last_seq: number }
interface OwnAsk {
  reader: Reader
  orderId: string
}
type OwnColumns = Readonly<Record<'order_ids' | 'sides' | 'entities', readonly string[]>>

/** What is asked at the same time is one statement: at most a row for each ask, and which ask it is for. */
function ownReads<Ask extends OwnAsk, Row>(bound: (asked: OwnColumns, asks: readonly Ask[]) => pg.QueryConfig) {
  return batched<Ask, Row | undefined>(async (pool, asks) => {
    const asked = {
      order_ids: asks.map(({ orderId }) => orderId),
      sides: asks.map(({ reader }) => reader.side),
      entities: asks.map(({ reader }) => reader.entity),
    }
    const { rows } = await pool.query<Row & { ask: string }>(bound(asked, asks))
    const answers = new Map(rows.map((row) => [Number(row.ask), row]))
    return asks.map((_, index) => answers.get(index + 1))
  })
}

/** What keeps a seller's own API from deciding is the seller's alone to know. */
function asRead({ stuck_reason, ...row }: ReadRow, { side }: Reader, now: string): string {
  const head = side === 'seller' ? { ...row, stuck_reason } : row
  return spliceReader(row.text, head, allowedActions(row.status, row.workflow, side), now)
}

/** The heads and snapshots of orders, each of its own reader. Fenced: a join, in a plan made while the table was empty, would walk all orders. */
const SNAPSHOTS = statement(
  'read-snapshots',
  ['order_ids', 'sides', 'entities'],
  `select ask, own.* from unnest(:order_ids::text[], :sides::text[], :entities::text[]) with ordinality as asked (id, side, entity, ask)
      cross join lateral (select ${HEAD_COLUMNS}, updated_at, snapshot_head || snapshot_lines as text from orders
        where order_id = asked.id and case asked.side when 'buyer' then buyer_entity else seller end = asked.entity offset 0) own`,
)
const ownOrder = ownReads<OwnAsk, ReadRow>((asked) => SNAPSHOTS.bind(asked))

const OWN: Record<Side, string> = { buyer: 'buyer_entity', seller: 'seller' }
const LISTED = `select ${HEAD_COLUMNS}, updated_at, snapshot_head as text from orders`
/** The predicate of the indexes of open orders. A statement can use those indexes only if it contains this exact text. */
const OPEN = "status not in ('placed', 'canceled', 'rejected', 'failed')"

/** What a list may ask by. */
const LIST_PARAMETERS = ['entity', 'limit', 'external_order_id', 'seller', 'after', 'statuses'] as const
type ListParameter = (typeof LIST_PARAMETERS)[number]

/** One statement for each set of filters that may be asked: what is not asked must not keep an index from being used. */
const LISTS = new Map<string, Statement<ListParameter>>()

function listOf({ side, entity }: Reader, { status, seller, external_order_id, after, limit }: OrderFilter): pg.QueryConfig {
  const statuses = status && [...new Set(status)]
  const values = { entity, limit: limit + 1, external_order_id, seller, after: after?.[0], statuses }
  const asked = LIST_PARAMETERS.filter((parameter) => values[parameter] !== undefined)
  const ofOpen = statuses?.every((each) => !isTerminal(each)) === true
  const name = ['orders-of', side, ...asked.slice(2), ...(ofOpen ? ['open'] : [])].join('-')
  const list = LISTS.get(name) ?? listStatement(name, side, asked, ofOpen)
  LISTS.set(name, list)
  return list.bind(values)
}

/** A page of a reader's orders, newest first. */
function listStatement(name: string, side: Side, asked: readonly ListParameter[], ofOpen: boolean): Statement<ListParameter> {
  const by = (parameter: ListParameter, condition: string) => (asked.includes(parameter) ? condition : '')
  // By its key alone: with both columns in reach the planner might walk all orders of the reader.
  const own = by('external_order_id', `external_order_id = :external_order_id and ${OWN[side]} || '' = :entity`) || `${OWN[side]} = :entity`
  const where = `where ${own} ${by('seller', 'and seller = :seller')} ${by('after', 'and order_id < :after')}`
  const newestFirst = 'order by order_id desc limit :limit'
  const rows = asked.includes('statuses')
    ? `select own.* from unnest(:statuses::text[]) as asked (status)
    cross join lateral (${LISTED} ${where} and status = asked.status ${ofOpen ? `and ${OPEN}` : ''} ${newestFirst}) own ${newestFirst}`
    : `${LISTED} ${where} ${newestFirst}`
  const page = withinPage(rows, { text: 'text', order: 'order_id desc', bytes: String(PAGE_BYTES) })
  return statement(name, asked, `select * from ${page} page order by order_id desc`)
}

/** What waits for a seller's decision, by deadline. */
function queueOf({ entity }: Reader, { seller, external_order_id, after, limit }: OrderFilter) {
  const [decideBy, orderId] = after ?? ['-infinity', '']
  return QUEUE.bind({
    seller: entity,
    of_seller: seller ?? null,
    external_order_id: external_order_id ?? null,
    limit: limit + 1,
    after_decide_by: decideBy,
    after_order_id: orderId,
  })
}

/** A page of a seller's approval queue, by deadline. */
const QUEUE = statement(
  'list-queue',
  ['seller', 'of_seller', 'external_order_id', 'limit', 'after_decide_by', 'after_order_id'],
  `select * from ${withinPage(
    `${LISTED} where seller = :seller and (:of_seller::text is null or seller = :of_seller) and (:external_order_id::text is null or external_order_id = :external_order_id)
      and status = 'seller_review' and (decide_by, order_id) > (:after_decide_by::timestamptz, :after_order_id)
    order by decide_by, order_id limit :limit`,
    { text: 'text', order: 'decide_by, order_id', bytes: String(PAGE_BYTES) },
  )} page order by decide_by, order_id`,
)

/** Pages of events of orders, each of its own reader. Fenced as SNAPSHOTS is, for the same plan. */
const REPLAYS = statement(
  'replay-events',
  ['order_ids', 'sides', 'entities', 'after_seqs', 'limits'],
  `select ask, own.* from unnest(:order_ids::text[], :sides::text[], :entities::text[], :after_seqs::int[], :limits::int[]) with ordinality
        as asked (id, side, entity, after_seq, most, ask)
      cross join lateral (select last_seq, (select '[' || coalesce(string_agg(body, ',' order by seq), '') || ']' from ${withinPage(
        'select seq, body from order_events e where e.order_id = o.order_id and seq > asked.after_seq order by seq limit asked.most',
        { text: 'body', order: 'seq', bytes: String(PAGE_BYTES) },
      )} page) as events
        from orders o where order_id = asked.id and case asked.side when 'buyer' then buyer_entity else seller end = asked.entity offset 0) own`,
)
const replays = ownReads<OwnAsk & ReplayAsk, Replay>((asked, asks) =>
  REPLAYS.bind({ ...asked, after_seqs: asks.map(({ afterSeq }) => afterSeq), limits: asks.map(({ limit }) => limit) }),
)
