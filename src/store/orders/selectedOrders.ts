import type pg from 'pg'
import type { Side } from '../../contract/vocabulary/access.ts'
import { ORDER_STATUSES, type OrderStatus } from '../../contract/vocabulary.ts'
import { isTerminal } from '../../domain/order/transitions.ts'
import { PAGE_BYTES, withinPage } from '../connection/pageBytes.ts'
import { statement } from '../connection/statement.ts'
import type { Reader } from './command.ts'
import { isQueue, LISTED_COLUMNS, type ListedRow, type ListedRows, type OrderFilter, OWN, positionOf, SHOWN } from './orderFilter.ts'
import { IS_OPEN, IS_OVERDUE, WAITS_ON } from './waits.ts'

/** Orders scanned per statement, and statements per read: a selective filter must not make a read arbitrarily long. */
const SCAN = 2_000
const SCANS = 5

/**
 * Returns a page of the reader's orders for any filters. Scans at most 10,000 orders: a page may end early, even empty, and its position
 * continues after the last order that was scanned.
 */
export async function listSelected(pool: pg.Pool, reader: Reader, filter: OrderFilter, now: string): Promise<ListedRows> {
  const { limit, q } = filter
  const byDeadline = isQueue(reader.side, filter.status)
  const named = q === undefined ? undefined : await namedOrders(pool, reader, q)
  const rows: ListedRow[] = []
  let { after } = filter
  let bytes = 0
  for (let scans = 0; scans < SCANS; scans++) {
    const room = limit - rows.length
    const asked = {
      ...valuesOf(reader, { ...filter, ...(after && { after }) }, now, named),
      limit: room + 1,
      page_bytes: Math.max(PAGE_BYTES - bytes, 0),
    }
    const { rows: found } = await pool.query<SelectedRow>(selectionOf(reader, asked, byDeadline))
    const [first] = found
    if (first === undefined) return { rows }
    const picked = found.filter(({ order_id }) => order_id !== null)
    const taken = picked.slice(0, room)
    rows.push(...taken)
    const last = taken.at(-1)
    if (last !== undefined && taken.length < Number(last.found)) return { rows, last: positionOf(last, byDeadline) }
    if (first.scanned < SCAN) return { rows }
    after = positionOf({ order_id: first.end_order_id, decide_by: first.end_decide_by }, byDeadline)
    bytes += taken.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
    if (rows.length === limit || bytes >= PAGE_BYTES) break
  }
  return after === undefined ? { rows } : { rows, last: after }
}

/** A row of the page; if there is none, a single row whose order_id is null. Each states where the scan ended. */
type SelectedRow = ListedRow & { found: string; end_order_id: string; end_decide_by: string | null; scanned: number }

/** Up to this many orders that begin with a text are looked up directly; more are found by a scan that skips the others. */
const MAX_NAMED = 1_000

/** Returns the reader's orders whose order_id or external_order_id begins with a text; undefined if there are too many to look up. */
async function namedOrders(pool: pg.Pool, { side, entity }: Reader, q: string): Promise<string[] | undefined> {
  // No text that begins with q sorts after q and the last code point; ids have no character after z.
  const { rows } = await pool.query<{ order_id: string }>(
    NAMED[side].bind({ entity, from: q, to: `${q}\u{10ffff}`, to_id: q + 'z'.repeat(40), max: MAX_NAMED }),
  )
  return rows.length < MAX_NAMED ? rows.map(({ order_id }) => order_id) : undefined
}

/** Reads orders of a tenant by the start of either id. */
const namedOf = (own: string) =>
  statement(
    `named-orders-of-${own}`,
    ['entity', 'from', 'to', 'to_id', 'max'],
    `(select order_id from orders where ${own} = :entity and external_order_id ~>=~ :from and external_order_id ~<~ :to limit :max)
      union (select order_id from orders where ${own} = :entity and order_id >= :from and order_id <= :to_id and starts_with(order_id, :from) limit :max)
      limit :max`,
  )
const NAMED = { buyer: namedOf(OWN.buyer), seller: namedOf(OWN.seller) }

/** SQL: the conditions on scanned rows, by the parameter that requires each. */
const CONDITIONS = {
  statuses: 'status = any(:statuses)',
  seller: 'seller = :seller',
  buyer: 'buyer_entity = :buyer',
  external_order_id: 'external_order_id = :external_order_id',
  advertiser_id: 'advertiser_id = :advertiser_id',
  workflow: 'workflow = any(:workflow)',
  waiting_on: `${WAITS_ON} = :waiting_on`,
  overdue: `${IS_OVERDUE} = :overdue`,
  air_from: 'first_air_date >= :air_from::date',
  air_to: 'first_air_date <= :air_to::date',
  updated_since: 'updated_at >= :updated_since::timestamptz',
  q: '(starts_with(order_id, :q) or starts_with(external_order_id, :q))',
} as const
type Condition = keyof typeof CONDITIONS
type Parameter = 'entity' | 'limit' | 'page_bytes' | 'scan' | 'now' | 'after' | 'after_decide_by' | 'ids' | Condition
const PARAMETERS: readonly Parameter[] = [
  ...(['entity', 'limit', 'page_bytes', 'scan', 'now', 'after', 'after_decide_by', 'ids'] as const),
  ...(Object.keys(CONDITIONS) as Condition[]),
]
type Values = Readonly<Partial<Record<Parameter, unknown>>>

function valuesOf({ side, entity }: Reader, filter: OrderFilter, now: string, ids: readonly string[] | undefined): Values {
  const { status, waiting_on, overdue, after } = filter
  const { limit: _, status: __, after: ___, ...further } = filter
  // An order that waits, or is overdue, is open, so the indexes of open orders find these statuses.
  const implied = overdue === true ? (['seller_review'] as const) : waiting_on === undefined ? ORDER_STATUSES : OPEN_STATUSES
  const statuses = implied.filter((each) => status === undefined || status.includes(each))
  const isAsked = status !== undefined || implied !== ORDER_STATUSES
  const [first, second] = after ?? []
  const byDeadline = isQueue(side, status)
  return {
    ...further,
    entity,
    scan: SCAN,
    ids,
    statuses: isAsked ? statuses : undefined,
    now: waiting_on === undefined && overdue === undefined ? undefined : now,
    after_decide_by: byDeadline ? first : undefined,
    after: byDeadline ? second : first,
  }
}

const OPEN_STATUSES: readonly OrderStatus[] = ORDER_STATUSES.filter((status) => !isTerminal(status))

interface Selection {
  side: Side
  asked: readonly Parameter[]
  ofOpen: boolean
  byDeadline: boolean
}

/**
 * Builds the statement that scans the next orders of a tenant and selects a page of them. It is never prepared: tenants choose the set of
 * filters, and a connection would keep a plan for each of thousands of sets.
 */
function selectionOf({ side }: Reader, values: Values, byDeadline: boolean): pg.QueryConfig {
  const asked = PARAMETERS.filter((parameter) => values[parameter] !== undefined)
  const ofOpen = (values.statuses as readonly OrderStatus[] | undefined)?.every((status) => !isTerminal(status)) === true
  const { name: _, ...unnamed } = statement('selected-orders', asked, selection({ side, asked, ofOpen, byDeadline })).bind(values as never)
  return unnamed
}

function selection({ side, asked, ofOpen, byDeadline }: Selection): string {
  const order = byDeadline ? 'decide_by, order_id' : 'order_id desc'
  const reversed = byDeadline ? 'decide_by desc, order_id desc' : 'order_id'
  const met = (Object.keys(CONDITIONS) as Condition[])
    .filter((condition) => asked.includes(condition))
    .map((condition) => CONDITIONS[condition])
  return `with scanned as materialized (${scanOf({ side, asked, ofOpen, byDeadline }, order)}),
    picked as (
      select scanned.*, (select snapshot_head from orders o where o.order_id = scanned.order_id) as text
      from scanned where ${met.join(' and ')} order by ${order} limit :limit
    ), ending as (
      select order_id as end_order_id, decide_by as end_decide_by, count(*) over ()::int as scanned from scanned order by ${reversed} limit 1
    )
    select ${SHOWN}, ending.* from ending left join ${withinPage('select * from picked', { text: 'text', order, bytes: ':page_bytes::int' })} page on true
    order by ${order}`
}

/** Selects the orders to scan, by the rarest of the requested filters that has an index. */
function scanOf({ side, asked, ofOpen, byDeadline }: Selection, order: string): string {
  const own = OWN[side]
  const after = byDeadline ? '(decide_by, order_id) > (:after_decide_by::timestamptz, :after)' : 'order_id < :after'
  const next = `${asked.includes('after') ? `and ${after}` : ''} order by ${order} limit :scan`
  const scan = (where: string) => `select ${SCANNED} from orders where ${where} ${next}`
  if (asked.includes('ids')) return scan(`${own} = :entity and order_id = any(:ids)`)
  if (byDeadline) return scan(`seller = :entity and status = 'seller_review'`)
  if (asked.includes('external_order_id')) return scan(`external_order_id = :external_order_id and ${own} || '' = :entity`)
  if (asked.includes('advertiser_id'))
    return scan(`${own} || '/' || advertiser_id = :entity || '/' || :advertiser_id and ${own} || '' = :entity`)
  if (side === 'seller' && asked.includes('buyer'))
    return scan(`seller || '/' || buyer_entity = :entity || '/' || :buyer and ${own} || '' = :entity`)
  if (side === 'buyer' && asked.includes('seller'))
    return scan(`seller || '/' || buyer_entity = :seller || '/' || :entity and ${own} || '' = :entity`)
  if (!ofOpen) return scan(`${own} = :entity`)
  const each = scan(`${own} = :entity and status = asked.status and ${IS_OPEN}`)
  return `select own.* from unnest(:statuses::text[]) as asked (status) cross join lateral (${each}) own order by ${order} limit :scan`
}

const SCANNED = `${LISTED_COLUMNS}, seller, buyer_entity, external_order_id, advertiser_id`
