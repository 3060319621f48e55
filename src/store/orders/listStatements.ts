import type { Side } from '../../contract/vocabulary/access.ts'
import { ORDERS_PER_PAGE } from '../../contract/vocabulary/bounds.ts'
import { type Statement, statement, unnested } from '../connection/statement.ts'
import { LISTED_COLUMNS, OWN } from './orderFilter.ts'
import { pageOf } from './pageLines.ts'
import { IS_OPEN } from './waits.ts'

/** The parameters of a page of a list, each an array over all concurrent requests. */
export const LIST_PARAMETERS = {
  entity: 'text',
  max: 'int',
  external_order_id: 'text',
  seller: 'text',
  after: 'text',
  /** Statuses separated by commas. */
  statuses: 'text',
} as const
export type ListParameter = keyof typeof LIST_PARAMETERS

const LISTED = `select ${LISTED_COLUMNS}, snapshot_head as text from orders`

/** Builds the statement for pages of readers' orders on one side, newest first. */
export function listStatement(name: string, side: Side, asked: readonly ListParameter[], ofOpen: boolean): Statement<ListParameter> {
  const by = (parameter: ListParameter, condition: string) => (asked.includes(parameter) ? condition : '')
  const further = `${by('seller', 'and seller = asked.seller')} ${by('after', 'and order_id < asked.after')}`
  const after = by('after', 'asked.after') || AFTER_ALL
  const rows = (status: readonly [column: string, value: string] | undefined) => {
    const ofReader = by('external_order_id', BY_KEY[side]) || before(OWN[side], ofOpen ? status : undefined, after)
    return `${LISTED} where ${ofReader} ${further} ${status === undefined ? '' : `and ${status[0]} = ${status[1]} ${ofOpen ? `and ${IS_OPEN}` : ''}`}`
  }
  const newestFirst = 'order by order_id desc limit asked.max'
  const found = asked.includes('statuses')
    ? `select own.* from unnest(string_to_array(asked.statuses, ',')) as one (status)
    cross join lateral (${rows(['status', 'one.status'])} ${newestFirst}) own ${newestFirst}`
    : firstOf(rows(undefined), 'order_id desc')
  return pagesOf(name, asked, LIST_PARAMETERS, pageOf(found, 'order_id desc'))
}

/** Sorts after every id in any collation, since ids begin with `ord_`. */
const AFTER_ALL = "'p'"

/**
 * Bounds rows by their place in the index, twice: the planner takes all tenants as equally large, and each bound leaves it a third. With a
 * bare order_id it might use the index on that column alone, and scan all orders of a large tenant for the few of a small one; with a
 * single bound it might sort all orders of a table that is not large.
 */
function before(own: string, status: readonly [column: string, value: string] | undefined, after: string): string {
  const [columns, values] = status === undefined ? [own, 'asked.entity'] : [`${own}, ${status[0]}`, `asked.entity, ${status[1]}`]
  return `${own} = asked.entity and (${columns}, order_id) < (${values}, ${after}) and (${columns}, order_id) <= (${values}, ${after})`
}

/** Finds an order by its key alone: if both columns could use an index, the planner might scan all orders of the reader. */
const byKey = (own: string) => `external_order_id = asked.external_order_id and ${own} || '' = asked.entity`
const BY_KEY: Record<Side, string> = { buyer: byKey(OWN.buyer), seller: byKey(OWN.seller) }

/** The parameters of a page of an approval queue. */
export const QUEUE_PARAMETERS = {
  entity: 'text',
  max: 'int',
  after_decide_by: 'text',
  after_order_id: 'text',
  external_order_id: 'text',
  seller: 'text',
} as const
export type QueueParameter = keyof typeof QUEUE_PARAMETERS

/**
 * Builds the statement for pages of sellers' approval queues: orders that wait for their decision, by deadline. Places begin with the
 * seller: with deadlines alone the planner, which takes all sellers as equally large, might scan a large seller's queue for a small one's.
 */
export function queueStatement(name: string, asked: readonly QueueParameter[]): Statement<QueueParameter> {
  const own = asked.includes('external_order_id') ? BY_KEY.seller : 'seller = asked.entity'
  const waiting = `${LISTED} where status = 'seller_review' and ${own} ${asked.includes('seller') ? 'and seller = asked.seller' : ''}
    and (seller, decide_by, order_id) > (asked.entity, asked.after_decide_by::timestamptz, asked.after_order_id)`
  const byDeadline = 'decide_by, order_id'
  return pagesOf(name, asked, QUEUE_PARAMETERS, pageOf(firstOf(waiting, byDeadline), byDeadline))
}

/** Selects a page for each place of arrays of parameters, and the place that it belongs to. */
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
    `select place, own.* from ${unnested(arrays)} with ordinality as asked (${[...asked, 'place'].join(', ')}) cross join lateral (${page}) own`,
  )
}

/**
 * Selects the first rows in an order. The plan always uses the longest page: it would otherwise assume a tenth of the table for a
 * parameter, and Postgres would plan every page again. Never reads more rows than asked for.
 */
function firstOf(rows: string, order: string): string {
  return `select * from (${rows} order by ${order} limit ${ORDERS_PER_PAGE + 1}) listed order by ${order} limit asked.max`
}
