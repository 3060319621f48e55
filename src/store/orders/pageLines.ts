import type { OrderStatus, Substatus, Workflow } from '../../contract/vocabulary.ts'
import { isoInstant } from '../connection/database.ts'
import { measured, PAGE_BYTES, withinBytes } from '../connection/pageBytes.ts'
import type { Reader } from './command.ts'
import { ITEM, positionOf } from './orderFilter.ts'
import { readersPart } from './orderReads.ts'
import { IS_OPEN } from './waits.ts'

/**
 * A page of orders as one text, with two lines per order: the data of its reader's part, and its item as stored. A row per order with a
 * column per member would cost the driver and Postgres several times as much.
 */
export interface PageLines {
  /** Null if there are no orders. */
  readonly lines: string | null
  /** The number of orders found; those beyond the byte limit are not in `lines`. */
  readonly found: number
}

/** A separator, since no JSON text contains a line break or a tab, nor does any word of the vocabulary. */
const LINE_BREAK = 'chr(10)'
const TAB = 'chr(9)'

/** SQL: the members of a head in their order. An ended order waits for nobody, so that only the first three matter. */
const HEAD = `case when ${IS_OPEN} or substatus is not null
  then concat_ws(${TAB}, order_id, workflow, status, ${['substatus', 'updated_at', 'parked_since', 'decide_by', 'stuck_reason'].map((column) => `coalesce(${column}::text, '')`).join(', ')})
  else order_id || ${TAB} || workflow || ${TAB} || status end`

/**
 * SQL: one row, the page of `rows` in their order. The aggregated rows come in the order of the window, and are not sorted again.
 * Concatenates the long parts of a text last, since each step copies what it has so far.
 */
export function pageOf(rows: string, order: string): string {
  return `select count(*)::int as found, string_agg((${HEAD} || ${LINE_BREAK}) || (${ITEM}), ${LINE_BREAK}) filter (where ${IS_WITHIN_PAGE}) as lines
    from (${measured(rows, { text: 'text', order })}) page`
}

const IS_WITHIN_PAGE = withinBytes('text', String(PAGE_BYTES))

interface Reading {
  reader: Reader
  limit: number
  byDeadline: boolean
  now: string
}

/** Returns the orders of a page as their reader sees them now, and the position to continue from if there may be more. */
export function readLines({ lines, found }: PageLines, reading: Reading): { orders: string[]; last?: readonly string[] } {
  if (lines === null) return { orders: [] }
  const { reader, limit, byDeadline, now } = reading
  const parts = lines.split('\n')
  const orders: string[] = []
  // Caches the texts: ended orders differ only in their ids, so that a page has few different ones.
  const readersParts = new Map<string, string>()
  let head = ''
  for (let at = 0; at < parts.length && orders.length < limit; at += 2) {
    head = parts[at] as string
    const waits = head.slice(head.indexOf('\t'))
    const part = readersParts.get(waits) ?? readersPart(rowOf(head), reader, now)
    readersParts.set(waits, part)
    orders.push(`${parts[at + 1]}${part}`)
  }
  if (found === orders.length) return { orders }
  return { orders, last: positionOf(rowOf(head), byDeadline) }
}

function rowOf(head: string) {
  const [order_id = '', workflow, status, substatus, updated_at, parked_since, decide_by, stuck_reason] = head.split('\t')
  return {
    order_id,
    workflow: workflow as Workflow,
    status: status as OrderStatus,
    substatus: (substatus || null) as Substatus | null,
    updated_at: instant(updated_at) ?? '',
    parked_since: instant(parked_since),
    decide_by: instant(decide_by),
    stuck_reason: stuck_reason || null,
  }
}

function instant(text: string | undefined): string | null {
  return text ? isoInstant(text) : null
}
