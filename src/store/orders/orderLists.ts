import type pg from 'pg'
import type { Side } from '../../contract/vocabulary/access.ts'
import { ORDERS_PER_PAGE } from '../../contract/vocabulary/bounds.ts'
import { isTerminal } from '../../domain/order/transitions.ts'
import type { Database } from '../connection/database.ts'
import { PAGE_BYTES, withinPage } from '../connection/pageBytes.ts'
import { type Statement, statement } from '../connection/statement.ts'
import { isQueue, LISTED_COLUMNS, type ListedRow, type ListedRows, type OrderFilter, OWN, positionOf, SHOWN } from './orderFilter.ts'
import { asRead, type Reader } from './orderReads.ts'
import { listSelected } from './selectedOrders.ts'
import { IS_OPEN } from './waits.ts'

/**
 * Returns a page of the reader's orders as JSON texts, and the position to continue from. Lists the newest first. A request for only the
 * orders that wait for a seller's decision lists its queue by deadline: orders that arrive meanwhile sort by theirs, and none repeats.
 */
export async function listOrders(
  { pool }: Pick<Database, 'pool'>,
  reader: Reader,
  filter: OrderFilter,
  now: string,
): Promise<{ orders: string[]; last?: readonly string[] }> {
  const { rows, ...end } = isSimple(filter) ? await listSimple(pool, reader, filter) : await listSelected(pool, reader, filter, now)
  return { orders: rows.map((row) => asRead(row, reader, now)), ...end }
}

const LISTED = `select ${LISTED_COLUMNS}, snapshot_head as text from orders`

/** Whether a list is asked for by status, seller and external_order_id alone: each of these lists has a statement of its own. */
function isSimple({ status, seller, external_order_id, after, limit, ...further }: OrderFilter): boolean {
  return Object.values(further).every((value) => value === undefined)
}

async function listSimple(pool: pg.Pool, reader: Reader, filter: OrderFilter): Promise<ListedRows> {
  const { limit } = filter
  const byDeadline = isQueue(reader.side, filter.status)
  const { rows } = await pool.query<ListedRow & { found: string }>(byDeadline ? queueOf(reader, filter) : listOf(reader, filter))
  const page = rows.slice(0, limit)
  const end = Number(rows[0]?.found ?? 0) > page.length ? page.at(-1) : undefined
  return end === undefined ? { rows: page } : { rows: page, last: positionOf(end, byDeadline) }
}

/** What a simple list may ask by. */
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
    cross join lateral (${LISTED} ${where} and status = asked.status ${ofOpen ? `and ${IS_OPEN}` : ''} ${newestFirst}) own ${newestFirst}`
    : firstOf(`${LISTED} ${where}`, 'order_id desc')
  const page = withinPage(rows, { text: 'text', order: 'order_id desc', bytes: String(PAGE_BYTES) })
  return statement(name, asked, `select ${SHOWN} from ${page} page order by order_id desc`)
}

/**
 * The first rows of a select, in an order. To its plan a page is always the longest one: it would otherwise take a parameter for a tenth of the table,
 * and Postgres would plan every page again. More rows than asked are never read.
 */
function firstOf(rows: string, order: string): string {
  return `select * from (${rows} order by ${order} limit ${ORDERS_PER_PAGE + 1}) listed order by ${order} limit (select :limit::int)`
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
  `select ${SHOWN} from ${withinPage(
    firstOf(
      `${LISTED} where seller = :seller and (:of_seller::text is null or seller = :of_seller) and (:external_order_id::text is null or external_order_id = :external_order_id)
      and status = 'seller_review' and (decide_by, order_id) > (:after_decide_by::timestamptz, :after_order_id)`,
      'decide_by, order_id',
    ),
    { text: 'text', order: 'decide_by, order_id', bytes: String(PAGE_BYTES) },
  )} page order by decide_by, order_id`,
)
