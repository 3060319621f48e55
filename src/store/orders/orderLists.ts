import type pg from 'pg'
import { isTerminal } from '../../domain/order/transitions.ts'
import { batched } from '../connection/batched.ts'
import { namesOf } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import type { Statement } from '../connection/statement.ts'
import type { Reader } from './command.ts'
import { LIST_PARAMETERS, listStatement, QUEUE_PARAMETERS, queueStatement } from './listStatements.ts'
import { isQueue, type OrderFilter } from './orderFilter.ts'
import { asRead } from './orderReads.ts'
import { type PageLines, readLines } from './pageLines.ts'
import { listSelected } from './selectedOrders.ts'

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
  if (isSimple(filter)) {
    const byDeadline = isQueue(reader.side, filter.status)
    const page = await (byDeadline ? queueOf : listOf)(pool, reader, filter)
    return readLines(page, { reader, limit: filter.limit, byDeadline, now })
  }
  const { rows, ...end } = await listSelected(pool, reader, filter, now)
  return { orders: rows.map((row) => asRead(row, reader, now)), ...end }
}

/**
 * Returns true if a list is filtered by status, seller and external_order_id only. Each of these lists has its own statement, which reads
 * all concurrently requested pages of it.
 */
export function isSimple({ status, seller, external_order_id, after, limit, ...further }: OrderFilter): boolean {
  return Object.values(further).every((value) => value === undefined)
}

function listOf(pool: pg.Pool, { side, entity }: Reader, filter: OrderFilter): Promise<PageLines> {
  const { status, seller, external_order_id, after, limit } = filter
  const statuses = status && [...new Set(status)]
  const ofOpen = statuses?.every((each) => !isTerminal(each)) === true
  const request = { entity, max: limit + 1, external_order_id, seller, after: after?.[0], statuses: statuses?.join() }
  const kind = { name: `orders-of-${side}`, end: ofOpen ? '-open' : '', parameters: namesOf(LIST_PARAMETERS) }
  return pageBy(pool, request, { ...kind, make: (name, asked) => listStatement(name, side, asked, ofOpen) })
}

function queueOf(pool: pg.Pool, { entity }: Reader, { seller, external_order_id, after, limit }: OrderFilter): Promise<PageLines> {
  const [after_decide_by = '-infinity', after_order_id = ''] = after ?? []
  const request = { entity, max: limit + 1, after_decide_by, after_order_id, external_order_id, seller }
  return pageBy(pool, request, { name: 'list-queue', end: '', parameters: namesOf(QUEUE_PARAMETERS), make: queueStatement })
}

interface Kind<Parameter extends string> {
  name: string
  end: string
  parameters: readonly Parameter[]
  make(name: string, asked: readonly Parameter[]): Statement<Parameter>
}
type Pages = (pool: pg.Pool, request: object) => Promise<PageLines>

/** One statement per set of parameters: a parameter that is not used must not keep an index from being used. */
const PAGES = new Map<string, Pages>()

function pageBy<Parameter extends string>(
  pool: pg.Pool,
  request: Readonly<Partial<Record<Parameter, unknown>>>,
  { name, end, parameters, make }: Kind<Parameter>,
): Promise<PageLines> {
  const asked = parameters.filter((parameter) => request[parameter] !== undefined)
  const full = [name, ...asked.filter((parameter) => !OF_EVERY_PAGE.has(parameter))].join('-') + end
  const pages = PAGES.get(full) ?? pagesBy(make(full, asked), asked)
  PAGES.set(full, pages)
  return pages(pool, request)
}

const OF_EVERY_PAGE = new Set(['entity', 'max', 'after_decide_by', 'after_order_id'])

/** A small batch, since each page may have a megabyte. */
const TOGETHER = { max: 8, inFlight: 2 }

/** Reads concurrently requested pages with one statement, which takes an array for each parameter. */
function pagesBy<Parameter extends string>(list: Statement<Parameter>, parameters: readonly Parameter[]): Pages {
  return batched<object, PageLines>(async (pool, requests) => {
    const arrays = parameters.map((parameter) => [parameter, requests.map((request) => (request as Record<Parameter, unknown>)[parameter])])
    const { rows } = await pool.query<PageLines & { place: string }>(list.bind(Object.fromEntries(arrays) as Record<Parameter, unknown[]>))
    const pages = new Map(rows.map((row) => [Number(row.place), row]))
    return requests.map((_, index) => pages.get(index + 1) as PageLines)
  }, TOGETHER)
}
