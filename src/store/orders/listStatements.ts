import type { Side } from '../../contract/vocabulary/access.ts'
import { ORDERS_PER_PAGE } from '../../contract/vocabulary/bounds.ts'
import { type Statement, statement, unnested } from '../connection/statement.ts'
import { LISTED_COLUMNS, OWN } from './orderFilter.ts'
import { pageOf } from './pageLines.ts'
import { IS_OPEN } from './waits.ts'

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

const LISTED = `select ${LISTED_COLUMNS}, snapshot_head as text from orders`

/** Pages of the orders of readers of a side, newest first. */
export function listStatement(name: string, side: Side, asked: readonly ListParameter[], ofOpen: boolean): Statement<ListParameter> {
  const by = (parameter: ListParameter, condition: string) => (asked.includes(parameter) ? condition : '')
  const further = `${by('seller', 'and seller = asked.seller')} ${by('after', 'and order_id < asked.after')}`
  const after = by('after', 'asked.after') || AFTER_ALL
  const rows = (status: readonly [column: string, value: string] | undefined) => {
    const ofReader = by('external_order_id', BY_KEY[side]) || before(OWN[side], ofOpen ? status : undefined, after)
    return `${LISTED} where ${ofReader} ${further} ${status === undefined ? '' : `and ${status[0]} = ${status[1]} ${ofOpen ? `and ${IS_OPEN}` : ''}`}`
  }
  const newestFirst = 'order by order_id desc limit asked.most'
  const found = asked.includes('statuses')
    ? `select own.* from unnest(string_to_array(asked.statuses, ',')) as one (status)
    cross join lateral (${rows(['status', 'one.status'])} ${newestFirst}) own ${newestFirst}`
    : firstOf(rows(undefined), 'order_id desc')
  return pagesOf(name, asked, LIST_PARAMETERS, pageOf(found, 'order_id desc'))
}

/** In any collation: ids begin with `ord_`. */
const AFTER_ALL = "'p'"

/**
 * By places as the index has them, and twice: to the planner, for whom all tenants are of one size, each bound leaves a third. By a bare order_id it might
 * take the index of that alone, and walk all orders of a large tenant for the few of a small one; by one bound it might sort all orders of a table that is
 * not large.
 */
function before(own: string, status: readonly [column: string, value: string] | undefined, after: string): string {
  const [columns, values] = status === undefined ? [own, 'asked.entity'] : [`${own}, ${status[0]}`, `asked.entity, ${status[1]}`]
  return `${own} = asked.entity and (${columns}, order_id) < (${values}, ${after}) and (${columns}, order_id) <= (${values}, ${after})`
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

/**
 * Pages of sellers' approval queues: what waits for their decision, by deadline. Their places begin with the seller: by deadlines alone the planner, for
 * whom all sellers are of one size, might walk the whole queue of a large one for the few orders of a small one.
 */
export function queueStatement(name: string, asked: readonly QueueParameter[]): Statement<QueueParameter> {
  const own = asked.includes('external_order_id') ? BY_KEY.seller : 'seller = asked.entity'
  const waiting = `${LISTED} where status = 'seller_review' and ${own} ${asked.includes('seller') ? 'and seller = asked.seller' : ''}
    and (seller, decide_by, order_id) > (asked.entity, asked.after_decide_by::timestamptz, asked.after_order_id)`
  const byDeadline = 'decide_by, order_id'
  return pagesOf(name, asked, QUEUE_PARAMETERS, pageOf(firstOf(waiting, byDeadline), byDeadline))
}

/** A page for each place of arrays of parameters, and which place it is for. */
function pagesOf<Parameter extends string>(
  name: string,
  asked: readonly Parameter[],
  types: Readonly<Record<Parameter, 'text' | 'int'>>,
  page: string,
): Statement<Parameter> {
  const arrays = Object.fromEntries(asked.map((parameter) => [parameter, types[parameter]])) as Record<Parameter, 'text' | 'int'>
  return statement(
    name,
    asked,
    `select ask, own.* from ${unnested(arrays)} with ordinality as asked (${[...asked, 'ask'].join(', ')}) cross join lateral (${page}) own`,
  )
}

/**
 * The first rows of a select, in an order. To its plan a page is always the longest one: it would otherwise take a parameter for a tenth of the table,
 * and Postgres would plan every page again. More rows than asked are never read.
 */
function firstOf(rows: string, order: string): string {
  return `select * from (${rows} order by ${order} limit ${ORDERS_PER_PAGE + 1}) listed order by ${order} limit asked.most`
}
