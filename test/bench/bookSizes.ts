import { place } from '../e2e/market.ts'
import { allSettled, carryOrders } from './carryOrders.ts'
import { counted } from './counters.ts'
import type { Engines } from './engines.ts'
import { fillBook, tablesOfOrders } from './fillBook.ts'
import { type FeedFollower, followFeed } from './followFeed.ts'
import type { Bench, Run } from './orderIntake.ts'
import { type Counters, comparePairs, type Row, type Sample } from './pairs.ts'
import { type Program, startProgram } from './program.ts'
import { openStage, type Stage } from './stage.ts'
import { makeNamespace } from './temporalNamespace.ts'

const SMALL = 10_000
/**
 * A book is vacuumed with each twentieth that it grows, as autovacuum does (`CHANGING` in migrations), so that the pages of books of any size have the
 * same free space when orders are written beside them.
 */
const VACUUMS = 20
/** Carried in one run. */
const ORDERS = 240
/** One in so many is parked with its seller, without a run. */
const PARKED_EACH = 10

/** A marketplace of its own, with a book that has been filled. */
interface Book extends Stage {
  readonly worker: Program
  readonly feed: FeedFollower
}

/** P13: what a whole order costs with few and with many others in the book; two marketplaces on the same engines by turns. */
export const bookSizes: Bench = async (engines, run) => {
  const open: Book[] = []
  try {
    for (const size of [SMALL, run.sizes.book]) {
      const book = await openBook(engines, size)
      open.push(book)
      await fill(book, run, size)
    }
    const [small, large] = open as [Book, Book]
    const [pool, { pid: temporal }] = [large.pool, await engines.temporal()]
    await pool.query('checkpoint') // after it the first change of each page is written whole: the run that nobody counts makes those changes
    const measure = async (book: Book): Promise<Sample> => {
      const cpu = { api: book.api.pid, worker: book.worker.pid, temporal, postgres: engines.postgres.pid }
      const counters = await counted({ pool: book.pool, cpu }, ORDERS, () => carryOrders(book, book.feed, { orders: ORDERS, atOnce: 32 }))
      return { value: costOf(counters), counters }
    }
    const paired = await comparePairs({ ...run, ours: () => measure(large), limit: () => measure(small) })
    const stored = { ...(await storedPerOrder(large, run.sizes.book)) }
    const counters = { ours: { ...paired.counters.ours, ...stored }, limit: paired.counters.limit }
    const work = `a whole order with ${run.sizes.book} orders in the book: CPU of API, worker and Postgres`
    const shared = { id: 'P13', work, against: `itself with ${SMALL} in the book`, unit: 'us an order', goal: 'ratio <= 1.15' }
    return [{ ...shared, met: paired.ratio <= 1.15, ...paired, counters }, walRow(shared, paired)]
  } finally {
    for (const { worker, feed, close } of open) {
      await feed.stop()
      await worker.stop()
      await close()
    }
  }
}

/** Temporal's share is left out: it knows nothing of the book. */
function costOf({ cpu_us_api = 0, cpu_us_worker = 0, cpu_us_postgres = 0 }: Counters): number {
  return cpu_us_api + cpu_us_worker + cpu_us_postgres
}

function walRow(shared: Pick<Row, 'id' | 'against' | 'goal' | 'work'>, { pairs, counters }: Pick<Row, 'pairs' | 'counters'>): Row {
  const [ours, limit] = [counters.ours.wal_bytes ?? Number.NaN, counters.limit.wal_bytes ?? Number.NaN]
  const ratio = ours / limit
  const work = shared.work.replace('CPU of API, worker and Postgres', 'WAL')
  return { ...shared, work, unit: 'bytes an order', ours, limit, ratio, spread: null, pairs, met: ratio <= 1.15, counters }
}

async function openBook(engines: Engines, size: number): Promise<Book> {
  const stage = await openStage(engines)
  const { address } = await engines.temporal()
  // Two workers on one namespace would take each other's runs.
  const namespace = `book-${size}`
  await makeNamespace(address, namespace)
  const env = { DATABASE_URL: stage.databaseUrl, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, PORT: '' }
  const worker = await startProgram('worker/main', env)
  const feed = await followFeed(stage)
  return { ...stage, worker, feed }
}

/** Nine in ten are placed and closed, one waits for its seller: copies of two that the product has carried there. */
async function fill(book: Book, run: Run, size: number): Promise<void> {
  const placed = await place(book.buyer, book.nextOrder())
  const parked = await place(book.buyer, book.nextOrder())
  for (const { order_id } of [placed, parked]) await book.feed.reviews(order_id)
  await book.seller.decideOrder({ path: { order_id: placed.order_id }, body: { decision: 'approve', actor: 'traffic desk' } })
  await allSettled(book, [placed.order_id])
  const waiting = Math.floor(size / PARKED_EACH)
  const told = (filled: number) => run.onProgress(`P13: ${filled} of a book of ${size} are filled`)
  await fillBook(book.pool, { orderId: parked.order_id, from: 0, to: waiting }, told)
  const step = Math.ceil(size / VACUUMS)
  for (let from = waiting; from < size; from += step) {
    const to = Math.min(from + step, size)
    await fillBook(book.pool, { orderId: placed.order_id, from, to }, (filled) => told(from + filled))
    await book.pool.query('vacuum')
  }
  await book.pool.query('analyze')
}

/** What an order keeps in the database: rows, and bytes of tables and of indexes. */
async function storedPerOrder({ pool }: Stage, orders: number): Promise<Counters> {
  const { rows } = await pool.query<{ rows: number; tables: number; indexes: number }>(
    `select sum(greatest(reltuples, 0))::float8 as rows, sum(pg_table_size(oid))::float8 as tables, sum(pg_indexes_size(oid))::float8 as indexes
     from pg_class where relnamespace = 'public'::regnamespace and relname = any($1)`,
    [await tablesOfOrders(pool)],
  )
  const [stored = { rows: 0, tables: 0, indexes: 0 }] = rows
  return { rows: stored.rows / orders, table_bytes: stored.tables / orders, index_bytes: stored.indexes / orders }
}
