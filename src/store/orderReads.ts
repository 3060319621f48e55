import type { OrderStatus, Side } from '../contract/vocabulary.ts'
import { snapshot } from '../domain/order/snapshot.ts'
import { allowedActions } from '../domain/order/transitions.ts'
import type { Database } from './database.ts'
import { HEAD_COLUMNS, type OrderHead } from './orderHead.ts'
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
  /** Orders after this one in the list, newest first. */
  before?: string
  limit: number
}

type ReadRow = OrderHead & { text: string; updated_at: string }
type Pool = Pick<Database, 'pool'>

/** The stored snapshot as JSON text with the reader's part spliced on; undefined when the order is not the reader's. */
export async function readSnapshot({ pool }: Pool, reader: Reader, orderId: string, now: string): Promise<string | undefined> {
  const { rows } = await pool.query<ReadRow>({ ...SNAPSHOT[reader.side], values: [orderId, reader.entity] })
  return rows[0] === undefined ? undefined : asRead(rows[0], reader, now)
}

/** The snapshot as it stood after an event, folded anew; undefined when the order is not the reader's. */
export async function readSnapshotAt(
  { pool }: Pool,
  log: Pick<OrderLog, 'load'>,
  reader: Reader,
  orderId: string,
  atSeq: number,
): Promise<string | 'no such seq' | undefined> {
  const { rows } = await pool.query<ReadRow>({ ...SNAPSHOT[reader.side], values: [orderId, reader.entity] })
  const [row] = rows
  if (row === undefined) return undefined
  if (atSeq < 1 || atSeq > row.last_seq) return 'no such seq'
  const order = await log.load(orderId, atSeq)
  return order && JSON.stringify({ ...snapshot(order), allowed_actions: [], waiting_on: null })
}

/** A page of the reader's orders as JSON texts, newest first, and the id to go on from. */
export async function listOrders(
  { pool }: Pool,
  reader: Reader,
  filter: OrderFilter,
  now: string,
): Promise<{ orders: string[]; last?: string }> {
  const { status, seller, external_order_id, before, limit } = filter
  const { rows } = await pool.query<ReadRow>({
    ...LIST[reader.side],
    values: [reader.entity, status ?? null, seller ?? null, external_order_id ?? null, before ?? null, limit + 1],
  })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1)?.order_id : undefined
  return { orders: page.map((row) => asRead(row, reader, now)), ...(last === undefined ? {} : { last }) }
}

/** Events of one order after a seq, as stored texts, and the order's last_seq; undefined when the order is not the reader's. */
export async function replayEvents(
  { pool }: Pool,
  reader: Reader,
  { orderId, afterSeq, limit }: { orderId: string; afterSeq: number; limit: number },
): Promise<{ events: string[]; last_seq: number } | undefined> {
  const { rows } = await pool.query<{ events: string[]; last_seq: number }>({
    ...REPLAY[reader.side],
    values: [orderId, reader.entity, afterSeq, limit],
  })
  return rows[0]
}

function asRead(row: ReadRow, { side }: Reader, now: string): string {
  return spliceReader(row.text, row, allowedActions(row.status, row.workflow, side), now)
}

const OWN: Record<Side, string> = { buyer: 'buyer_entity', seller: 'seller' }
const perSide = (name: string, text: (own: string) => string) =>
  ({ buyer: { name: `${name}-buyer`, text: text(OWN.buyer) }, seller: { name: `${name}-seller`, text: text(OWN.seller) } }) as const

const SNAPSHOT = perSide(
  'read-snapshot',
  (own) => `select ${HEAD_COLUMNS}, updated_at, snapshot_head || snapshot_lines as text from orders where order_id = $1 and ${own} = $2`,
)

const LIST = perSide(
  'list-orders',
  (own) => `select ${HEAD_COLUMNS}, updated_at, snapshot_head as text from orders
    where ${own} = $1 and ($2::text[] is null or status = any($2)) and ($3::text is null or seller = $3)
      and ($4::text is null or external_order_id = $4) and ($5::text is null or order_id < $5)
    order by order_id desc limit $6`,
)

const REPLAY = perSide(
  'replay-events',
  (own) => `select last_seq,
      array(select body from order_events e where e.order_id = o.order_id and seq > $3 order by seq limit $4) as events
    from orders o where order_id = $1 and ${own} = $2`,
)
