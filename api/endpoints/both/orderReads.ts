import type { AuditQuery, FeedQuery, OrderListQuery, OrderQuery, ReplayQuery } from '../../../src/contract/orderQueries.ts'
import type { Subscription } from '../../../src/domain/events/subscription.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { FEED_START, type FeedPosition, feedEnd, readFeed } from '../../../src/store/delivery/feed.ts'
import type { Reader } from '../../../src/store/orders/command.ts'
import { readAudit } from '../../../src/store/orders/orderAudit.ts'
import { countOrders } from '../../../src/store/orders/orderCounts.ts'
import { isQueue } from '../../../src/store/orders/orderFilter.ts'
import { isSimple, listOrders } from '../../../src/store/orders/orderLists.ts'
import { readOrder, readSnapshotAt, replayEvents } from '../../../src/store/orders/orderReads.ts'
import type { Call } from '../../http/call.ts'
import { readCursor, writeCursor } from '../../http/cursor.ts'
import type { Deps, Handler } from '../../http/handler.ts'
import { type Page, positionOf } from '../../http/page.ts'
import { ok } from '../../http/reply.ts'
import { requireAuthority } from '../../signIn/authority.ts'
import { noSuchOrder } from './ownOrder.ts'

/** Reads of orders and events, for both sides: the stored text, adapted to its reader. */

export const getOrder: Handler<undefined, OrderQuery> = async (deps, { caller, params, query }) => {
  const orderId = params.order_id ?? ''
  if (query.at_seq !== undefined) return orderAt(deps, caller, orderId, query.at_seq)
  const order = await readOrder(deps.db, caller, orderId, new Date().toISOString())
  if (order === undefined) throw noSuchOrder()
  return ok(order.text, { ETag: `"${order.last_seq}"` })
}

/** Returns a past state, the fold of the log up to a seq. A past state allows no actions and waits on nobody. */
async function orderAt({ db, orders }: Deps, reader: Reader, orderId: string, atSeq: number) {
  const text = await readSnapshotAt(db, orders, reader, orderId, atSeq)
  if (text === undefined) throw noSuchOrder()
  if (text === 'no such seq') throw new Refusal('INVALID_INPUT', `The order has no event ${atSeq}.`, { field: 'at_seq' })
  return ok(text)
}

export const getOrders: Handler<undefined, OrderListQuery> = async (deps, { caller, query }) => {
  const { cursor, limit, ...filter } = query
  const page: Page = { bound: boundTo(isQueue(caller.side, filter.status) ? 'queue' : 'orders', caller, filter), cursor, limit }
  const after = positionOf(deps, page)
  const asked = { ...defined(filter), ...(after === undefined ? {} : { after }), limit }
  const turns = isSimple(asked) ? deps.batches : deps.pages
  const { orders, last } = await turns.inTurn(caller.entity, () => listOrders(deps.db, caller, asked, new Date().toISOString()))
  const next_cursor = last === undefined ? null : writeCursor(deps.cursorKey, page.bound, last)
  return ok(`{"orders":[${orders.join(',')}],"next_cursor":${JSON.stringify(next_cursor)}}`)
}

/** Counts the caller's open orders. */
export const getCounts: Handler = async (deps, { caller }) =>
  ok(await deps.pages.inTurn(caller.entity, () => countOrders(deps.db, caller, new Date().toISOString())))

export const getEvents: Handler<undefined, ReplayQuery> = async ({ db, batches }, { caller, query }) => {
  const asked = { orderId: query.order, afterSeq: query.after_seq, limit: query.limit }
  const replay = await batches.inTurn(caller.entity, () => replayEvents(db, caller, asked))
  if (replay === undefined) throw noSuchOrder()
  return ok(`{"events":${replay.events},"last_seq":${replay.last_seq}}`)
}

export const getAudit: Handler<undefined, AuditQuery> = async ({ db, pages }, { caller, params, query }) => {
  const audit = await pages.inTurn(caller.entity, () => readAudit(db, caller, params.order_id ?? '', query.after_seq))
  if (audit === undefined) throw noSuchOrder()
  return ok(audit)
}

export const getFeed: Handler<undefined, FeedQuery> = async (deps, { caller, query, disconnectSignal }) => {
  const { after, limit, wait_s, ...filter } = query
  const cursorOf = ({ txid, position }: FeedPosition) => writeCursor(deps.cursorKey, feedOf(caller, filter), [txid, position])
  const start = after === undefined || after === FEED_END ? FEED_START : feedPosition(deps, caller, after, filter)
  const { readable } = requireAuthority(caller, filter.events)
  if (after === FEED_END) return ok({ events: [], next_cursor: cursorOf(await feedEnd(deps.db)) })
  const read = (from: FeedPosition) =>
    deps.pages.inTurn(caller.entity, () => readFeed(deps.db, caller.entity, from, { ...defined(filter), readable }, limit))
  let page = await read(start)
  const until = Date.now() + wait_s * 1_000
  const leaving = wait_s > 0 && page.events.length === 0 ? disconnectSignal() : undefined
  while (leaving && page.events.length === 0 && (await deps.feedWatch.next(caller.entity, page.last, until - Date.now(), leaving)))
    page = await read(page.last)
  return ok(`{"events":[${page.events.join(',')}],"next_cursor":${JSON.stringify(cursorOf(page.last))}}`)
}

/** Sent instead of a cursor to get the current end of the feed. Every cursor contains a dot, so none equals this word. */
const FEED_END = 'now'

/** Returns the position in the caller's feed that a cursor names. INVALID_INPUT `details.field: after` unless it was issued for these filters. */
export function feedPosition({ cursorKey }: Deps, caller: Call['caller'], after: string, filter: Subscription): FeedPosition {
  const [txid, position] = readCursor(cursorKey, feedOf(caller, filter), after, 'after')
  return { txid: String(txid), position: String(position) }
}

function feedOf(caller: Call['caller'], { events, statuses }: Subscription): string[] {
  return boundTo('feed', caller, { events: events ?? undefined, statuses: statuses ?? undefined })
}

/** Ties a cursor to one list, one tenant and one set of filters; the order of the filters does not matter. */
function boundTo(name: string, { entity }: Call['caller'], filter: object): string[] {
  return [name, entity, JSON.stringify(filter, (_, value) => (Array.isArray(value) ? [...new Set(value)].sort() : value))]
}

/** Omits filters that were not sent, so that none is undefined. */
function defined<T extends object>(filter: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as never
}
