import type { Side } from '../../contract/vocabulary/access.ts'
import type { OrderStatus, Party, Workflow } from '../../contract/vocabulary.ts'
import type { ReadRow } from './orderReads.ts'

/** The filters of a list of orders. */
export interface OrderFilter {
  status?: readonly OrderStatus[]
  seller?: string
  buyer?: string
  external_order_id?: string
  advertiser_id?: string
  workflow?: readonly Workflow[]
  waiting_on?: Party
  overdue?: boolean
  /** The bounds of the first air date. */
  air_from?: string
  air_to?: string
  /** The earliest time of the last change. */
  updated_since?: string
  /** The start of an order_id or external_order_id. */
  q?: string
  /** The position at which the previous page ended, as its cursor encodes it. */
  after?: readonly string[]
  limit: number
}

export type ListedRow = ReadRow & { order_id: string }

/** The rows of a page, and the position to continue from if there may be more. */
export interface ListedRows {
  readonly rows: readonly ListedRow[]
  readonly last?: readonly string[]
}

/** Returns true if a list is a seller's approval queue: its orders in seller_review, and no others. */
export function isQueue(side: Side, status: readonly OrderStatus[] | undefined): boolean {
  return side === 'seller' && status?.length === 1 && status[0] === 'seller_review'
}

/** Returns the position from which the reader continues after a row. */
export function positionOf({ decide_by, order_id }: Pick<ListedRow, 'decide_by' | 'order_id'>, byDeadline: boolean): readonly string[] {
  return byDeadline ? [decide_by as string, order_id] : [order_id]
}

export const OWN: Record<Side, string> = { buyer: 'buyer_entity', seller: 'seller' }
export const LISTED_COLUMNS =
  'order_id, workflow, status, substatus, parked_since, decide_by, stuck_reason, updated_at, line_count, units, first_air_date'

/** SQL: an item as it is stored, with the data of the lines that it does not show. */
export const ITEM = `text || (',"line_count":' || line_count || ',"units":' || units || ',"first_air_date":' || coalesce('"' || first_air_date::text || '"', 'null'))`

/** The columns of a page, from which items, positions and the readers' part are made. */
export const SHOWN = `order_id, workflow, status, substatus, parked_since, decide_by, stuck_reason, updated_at, found, ${ITEM} as text`
