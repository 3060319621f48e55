import { freePort } from '../../src/local/embedded/ports.ts'
import { place } from '../e2e/market.ts'
import { exchange } from '../support/http/exchange.ts'
import { counted } from './counters.ts'
import { sendLoad } from './load.ts'
import type { Bench } from './orderIntake.ts'
import { comparePairs, type Row, type Sample } from './pairs.ts'
import { startProgram } from './program.ts'
import { openStage, type Stage } from './stage.ts'

const ORDERS = Number(process.env.BENCH_ORDERS ?? 1_000_000)
const PARKED = ORDERS / 10
/** Pages of one run: a page by OFFSET takes 25 ms. */
const PAGES = 4_000
const PAGES_BY_OFFSET = 600
const BATCH = 32
const LIMIT = 50

/** P9: a page of the order book, and of a long approval queue, from its middle. */
export const orderBook: Bench = async (engines, run) => {
  const stage = await openStage(engines)
  run.onProgress(`seeding ${ORDERS} orders`)
  await seed(stage)
  const port = await freePort()
  const nothing = await startProgram('test/bench/nullServer', { DATABASE_URL: stage.databaseUrl, PORT: String(port) })
  const limitUrl = `http://127.0.0.1:${port}`
  const measure = async (baseUrl: string, path: string, requests: number, server: number): Promise<Sample> => {
    let value = 0
    const watched = { pool: stage.pool, cpu: { server, postgres: engines.postgres.pid } }
    const load = { baseUrl, path, token: stage.tokens.seller, method: 'GET' as const, requests, atOnce: BATCH, status: 200 }
    const counters = await counted(watched, requests, async () => {
      value = (await sendLoad(load)).perSecond
    })
    return { value, counters }
  }
  const compare = (path: string, limitPath: string, requests: number) =>
    comparePairs({
      ...run,
      ours: () => measure(stage.baseUrl, `/v1${path}`, requests, stage.api.pid),
      limit: () => measure(limitUrl, limitPath, requests, nothing.pid),
    })
  const unit = `pages of ${LIMIT}/s`
  const rows: Row[] = []
  try {
    const book = await middleOf(stage, {}, 20)
    const { text } = await exchange({ baseUrl: `${stage.baseUrl}/v1`, token: stage.tokens.seller }, { method: 'GET', path: book })
    await nothing.ask({ constant: text })
    const page = await compare(book, '/constant', PAGES)
    const against = `Express sending ${Buffer.byteLength(text)} constant bytes`
    const work = `page of the order book at ${ORDERS} orders, ${BATCH} at once`
    rows.push({ id: 'P9', work, against, unit, goal: 'ratio >= 0.55', met: page.ratio >= 0.55, ...page })

    const queue = await middleOf(stage, { status: 'seller_review' }, Math.floor(PARKED / 2 / 200))
    await nothing.ask({ offset: { seller: stage.market.seller, from: PARKED / 2, limit: LIMIT } })
    const parked = await compare(queue, '/offset', PAGES_BY_OFFSET)
    const deep = `page from the middle of a queue of ${PARKED} parked orders, ${BATCH} at once`
    rows.push({ id: 'P9', work: deep, against: 'the same page by OFFSET', unit, goal: 'ratio >= 10', met: parked.ratio >= 10, ...parked })
  } finally {
    await nothing.stop()
    await stage.close()
  }
  return rows
}

/** The path of a page so many pages of 200 into the seller's list of orders. */
async function middleOf({ seller }: Stage, filter: { status?: string }, pages: number): Promise<string> {
  let from: { cursor?: string } = {}
  for (let page = 0; page < pages; page += 1) {
    const { body } = await seller.listReceivedOrders({ query: { ...filter, limit: 200, ...from } })
    if (body.next_cursor === null) break
    from = { cursor: body.next_cursor }
  }
  return `/me/orders?${new URLSearchParams({ ...filter, limit: String(LIMIT), ...from })}`
}

/** Copies of one order, by one statement: one in ten waits for its seller, and the others are placed. */
async function seed({ pool, buyer, nextOrder }: Stage): Promise<void> {
  const { order_id } = await place(buyer, nextOrder())
  await pool.query(
    `insert into orders (order_id, seller, buyer_entity, external_order_id, workflow, status, last_seq, created_at, updated_at, parked_since, decide_by,
       due_at, closed, snapshot_head, snapshot_lines, gross, advertiser_id, line_count, units, first_air_date)
     select id, seller, buyer_entity, 'seed-' || n, workflow, case when parked then 'seller_review' else 'placed' end, 3, created_at, updated_at,
       case when parked then created_at end, case when parked then created_at + n * interval '1 s' end, null, not parked,
       replace(snapshot_head, order_id, id), snapshot_lines, gross, advertiser_id, line_count, units, first_air_date
     from orders, generate_series(1, $2::int) n, lateral (select 'ord_0' || lpad(n::text, 25, '0') as id, n % 10 = 0 as parked) made
     where order_id = $1`,
    [order_id, ORDERS],
  )
  await pool.query('vacuum analyze orders')
}
