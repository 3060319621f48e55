import type { Side } from '../../contract/vocabulary/access.ts'
import { ORDERS_PER_PAGE } from '../../contract/vocabulary/bounds.ts'
import { type Statement, statement, unnested } from '../connection/statement.ts'
import { LISTED_COLUMNS, OWN } from './orderFilter.ts'
import { pageOf } from './pageLines.ts'
import { IS_OPEN } from './waits.ts'

/**
 * Lists and queues are read by places that begin with the tenant, of which a list says no equality. By the bare place and an equality the planner, for
 * whom all tenants are of one size, may take the index of places alone, and walk all orders of a large tenant for the few of a small one.
 */

/** What a page of a list is asked by, each in an array of all that are asked for at the same time. */
export const LIST_PARAMETERS = {
  entity: 'text',
  most: 'int',
  external_order_id: 'text',
  seller: 'text',
  after: 'text',
  /** Separated by commas. */
  statuses: 'text',
} as const
export type ListParameter = keyof typeof LIST_PARAMETERS

const LISTED = `select ${LISTED_COLUMNS}, seller, buyer_entity, snapshot_head as text from orders`

/** Pages of the orders of readers of a side, newest first. */
export function listStatement(name: string, side: Side, asked: readonly ListParameter[], ofOpen: boolean): Statement<ListParameter> {
  const by = (parameter: ListParameter, condition: string) => (asked.includes(parameter) ? condition : '')
  const further = by('seller', 'and seller = asked.seller')
  const arrays = Object.fromEntries(asked.map((parameter) => [parameter, LIST_PARAMETERS[parameter]]))
  const list = (rows: string, order: string) => statement(name, asked, pagesOf(arrays, pageOf(rows, order)))
  const own = OWN[side]
  const after = by('after', 'and order_id < asked.after')
  const newestFirst = 'order_id desc'
  if (asked.includes('statuses')) {
    const ofReader = by('external_order_id', BY_KEY[side]) || `${own} = asked.entity`
    const each = `${LISTED} where ${ofReader} ${further} ${after} and status = one.status ${ofOpen ? `and ${IS_OPEN}` : ''}`
    const end = `order by ${newestFirst} limit asked.most`
    return list(
      `select own.* from unnest(string_to_array(asked.statuses, ',')) as one (status) cross join lateral (${each} ${end}) own ${end}`,
      newestFirst,
    )
  }
  if (asked.includes('external_order_id'))
    return list(firstOf(`${LISTED} where ${BY_KEY[side]} ${further} ${after}`, newestFirst), newestFirst)
  const ofReader = `${own} >= asked.entity and ${by('after', `(${own}, order_id) < (asked.entity, asked.after)`) || `${own} <= asked.entity`}`
  const order = `${own} desc, ${newestFirst}`
  return list(firstOf(`${LISTED} where ${ofReader} ${further}`, order), order)
}

/** By its key alone: with both columns in reach the planner might walk all orders of the reader. */
const byKey = (own: string) => `external_order_id = asked.external_order_id and ${own} || '' = asked.entity`
const BY_KEY: Record<Side, string> = { buyer: byKey(OWN.buyer), seller: byKey(OWN.seller) }

/** What a page of an approval queue is asked by. */
export const QUEUE_PARAMETERS = {
  entity: 'text',
  most: 'int',
  after_decide_by: 'text',
  after_order_id: 'text',
  external_order_id: 'text',
  seller: 'text',
} as const
export type QueueParameter = keyof typeof QUEUE_PARAMETERS

/** Pages of sellers' approval queues: what waits for their decision, by deadline. */
export function queueStatement(name: string, asked: readonly QueueParameter[]): Statement<QueueParameter> {
  const ofReader = asked.includes('external_order_id') ? BY_KEY.seller : 'seller = asked.entity'
  const waiting = `${LISTED} where status = 'seller_review' and ${ofReader} ${asked.includes('seller') ? 'and seller = asked.seller' : ''}
    and (seller, decide_by, order_id) > (asked.entity, asked.after_decide_by::timestamptz, asked.after_order_id)`
  const byDeadline = 'decide_by, order_id'
  const arrays = Object.fromEntries(asked.map((parameter) => [parameter, QUEUE_PARAMETERS[parameter]]))
  return statement(name, asked, pagesOf(arrays, pageOf(firstOf(waiting, byDeadline), byDeadline)))
}

/** A page for each place of arrays of parameters, and which place it is for. */
function pagesOf(arrays: Readonly<Record<string, 'text' | 'int'>>, page: string): string {
  return `select ask, own.* from ${unnested(arrays)} with ordinality as asked (${[...Object.keys(arrays), 'ask'].join(', ')})
    cross join lateral (${page}) own`
}

/**
 * The first rows of a select, in an order. To its plan a page is always the longest one: it would otherwise take a parameter for a tenth of the table,
 * and Postgres would plan every page again. More rows than asked are never read.
 */
function firstOf(rows: string, order: string): string {
  return `select * from (${rows} order by ${order} limit ${ORDERS_PER_PAGE + 1}) listed order by ${order} limit asked.most`
}
