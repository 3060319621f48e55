import { z } from 'zod'
import { EVENT_TYPES, ORDER_STATUSES } from '../src/contract/vocabulary.ts'
import { FEED_START, readFeed } from '../src/store/feed.ts'
import { listOrders, readSnapshot, replayEvents } from '../src/store/orderReads.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { type Handler, ok } from './endpoint.ts'
import { noSuchOrder } from './ownOrder.ts'

/** Reads of orders and events, of both sides: the stored text with what depends on the reader. */

const list = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z
    .string()
    .transform((text, ctx): Words[number][] => {
      const asked = text.split(',')
      const unknown = asked.find((word) => !words.includes(word))
      if (unknown !== undefined) ctx.addIssue({ code: 'custom', message: `"${unknown}" is none of ${words.join(', ')}` })
      return asked
    })
    .optional()
const pageSize = (standard: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(1).max(most))
    .default(standard)

export const OrderListQuery = z.object({
  status: list(ORDER_STATUSES).meta({ description: 'Comma-separated statuses.' }),
  seller: z.string().optional(),
  external_order_id: z.string().optional(),
  limit: pageSize(50, 200),
  cursor: z.string().optional(),
})
export const ReplayQuery = z.object({
  order: z.string(),
  after_seq: z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .default(0),
  limit: pageSize(100, 500),
})
export const FeedQuery = z.object({
  after: z.string().optional().meta({ description: 'The next_cursor of the page before; omitted: from the beginning.' }),
  events: list(EVENT_TYPES),
  statuses: list(ORDER_STATUSES),
  limit: pageSize(100, 500),
})

export const getOrder: Handler = async ({ db }, { caller, params }) => {
  const text = await readSnapshot(db, caller, params.order_id ?? '', new Date().toISOString())
  if (text === undefined) throw noSuchOrder()
  return ok(text)
}

export const getOrders: Handler<undefined, z.output<typeof OrderListQuery>> = async ({ db, cursorKey }, { caller, query }) => {
  const { cursor, limit, ...filter } = query
  const bound = ['orders', caller.entity, JSON.stringify(filter)]
  const before = cursor === undefined ? undefined : String(readCursor(cursorKey, bound, cursor, 'cursor')[0])
  const { orders, last } = await listOrders(
    db,
    caller,
    { ...defined(filter), ...(before === undefined ? {} : { before }), limit },
    new Date().toISOString(),
  )
  const next_cursor = last === undefined ? null : writeCursor(cursorKey, bound, [last])
  return ok(`{"orders":[${orders.join(',')}],"next_cursor":${JSON.stringify(next_cursor)}}`)
}

export const getEvents: Handler<undefined, z.output<typeof ReplayQuery>> = async ({ db }, { caller, query }) => {
  const replay = await replayEvents(db, caller, { orderId: query.order, afterSeq: query.after_seq, limit: query.limit })
  if (replay === undefined) throw noSuchOrder()
  return ok(`{"events":[${replay.events.join(',')}],"last_seq":${replay.last_seq}}`)
}

export const getFeed: Handler<undefined, z.output<typeof FeedQuery>> = async ({ db, cursorKey }, { caller, query }) => {
  const { after, limit, ...filter } = query
  const bound = ['feed', caller.entity, JSON.stringify(filter)]
  const [txid, position] = after === undefined ? [] : readCursor(cursorKey, bound, after, 'after')
  const start = txid === undefined ? FEED_START : { txid: String(txid), position: String(position) }
  const { events, last } = await readFeed(db, caller.entity, start, defined(filter), limit)
  return ok(`{"events":[${events.join(',')}],"next_cursor":${JSON.stringify(writeCursor(cursorKey, bound, [last.txid, last.position]))}}`)
}

/** Leaves out what was not asked: an absent filter is absent, never undefined. */
function defined<T extends object>(filter: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as never
}
