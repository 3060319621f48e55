import { Pool } from 'undici'
import { freePort } from '../../src/local/embedded/ports.ts'
import { validateOrder } from '../../src/operations/orders/validateOrder.ts'
import { openDatabase } from '../../src/store/connection/database.ts'
import { newId } from '../../src/store/connection/newId.ts'
import { openOrderLog } from '../../src/store/orders/orderLog.ts'
import { place } from '../e2e/market.ts'
import { counted } from './counters.ts'
import type { Bench } from './orderIntake.ts'
import { comparePairs, type Sample } from './pairs.ts'
import { startProgram } from './program.ts'
import { openStage, type Stage } from './stage.ts'

const PAGE = 500
const PAGES = 60
const READERS = 4

/** P8: the feed in pages of 500 against the same texts, read in the order of a key and passed through by the product's Express setup. */
export const feedPages: Bench = async (engines, run) => {
  const stage = await openStage(engines)
  const port = await freePort()
  const nothing = await startProgram('test/bench/nullServer', {
    DATABASE_URL: stage.databaseUrl,
    PORT: String(port),
    NULL_TENANT: 'northlight-media',
  })
  try {
    const bytes = await fillFeed(stage)
    const measure = async (baseUrl: string, path: string, server: number): Promise<Sample> => {
      let value = 0
      const watched = { pool: stage.pool, cpu: { server, postgres: engines.postgres.pid } }
      const counters = await counted(watched, READERS * PAGES * PAGE, async () => {
        value = await walk(baseUrl, path, stage.tokens.buyer)
      })
      return { value, counters }
    }
    const paired = await comparePairs({
      ...run,
      ours: () => measure(stage.baseUrl, `/v1/events/feed?limit=${PAGE}`, stage.api.pid),
      limit: () => measure(`http://127.0.0.1:${port}`, `/texts?limit=${PAGE}`, nothing.pid),
    })
    const work = `the feed, ${READERS} readers, pages of ${PAGE}, events of ${bytes} bytes`
    const against = 'the same texts from one table, passed through'
    return [{ id: 'P8', work, against, unit: 'events/s', goal: 'ratio >= 0.80', met: paired.ratio >= 0.8, ...paired }]
  } finally {
    await nothing.stop()
    await stage.close()
  }
}

/** The events of one order, told of thousands; the same texts for the limit. Answers their mean length. */
async function fillFeed(stage: Stage): Promise<number> {
  const { pool } = stage
  const order_id = await placed(stage)
  const [{ events = 0 } = {}] = (
    await pool.query<{ events: number }>('select count(*)::int as events from order_events where order_id = $1', [order_id])
  ).rows
  const orders = Math.ceil((PAGES * PAGE) / events)
  await pool.query(
    `insert into order_events (order_id, order_seller, order_buyer, seq, command_id, ordinal, occurred_at, body, hash)
      select order_id || '_' || copy, order_seller, order_buyer, seq, command_id, ordinal, occurred_at, body, hash
        from order_events, generate_series(1, $2::int) as copy where order_id = $1`,
    [order_id, orders],
  )
  await pool.query(
    `insert into feed (tenant, event_type, status, order_id, seq)
      select tenant, event_type, status, f.order_id || '_' || copy, seq from feed f, generate_series(1, $2::int) as copy
      where f.order_id = $1 order by copy, seq`,
    [order_id, orders],
  )
  await pool.query(`insert into null_texts (body)
    select e.body from feed f join order_events e on e.order_id = f.order_id and e.seq = f.seq
    where f.tenant = 'northlight-media' order by f.txid, f.position`)
  await pool.query('vacuum analyze')
  const { rows } = await pool.query<{ bytes: number }>('select avg(octet_length(body))::int as bytes from null_texts')
  return rows[0]?.bytes ?? 0
}

/** The walk of an order with its four events, without a worker. */
async function placed({ buyer, seller, nextOrder, databaseUrl }: Stage): Promise<string> {
  const { order_id } = await place(buyer, nextOrder())
  const db = openDatabase(databaseUrl, { max: 1 })
  await validateOrder(
    openOrderLog(db, () => undefined),
    order_id,
    newId('cmd_'),
  )
  await db.close()
  await seller.decideOrder({ path: { order_id }, body: { decision: 'approve', actor: 'Ada' } })
  return order_id
}

/** Every reader walks from the beginning, by the cursors that it is given; events a second, of all together. Fails on an empty page. */
async function walk(baseUrl: string, path: string, token: string): Promise<number> {
  const pool = new Pool(baseUrl, { connections: READERS, pipelining: 1 })
  const headers = { authorization: `Bearer ${token}` }
  const reader = async () => {
    let after = ''
    for (let page = 0; page < PAGES; page += 1) {
      const { statusCode, body } = await pool.request({ method: 'GET', path: path + after, headers })
      const text = await body.text()
      const cursor = /"next_cursor":"([^"]+)"\}$/.exec(text)?.[1]
      if (statusCode !== 200 || cursor === undefined) throw new Error(`GET ${path + after}: ${statusCode} ${text.slice(0, 500)}`)
      if (text.startsWith('{"events":[]')) throw new Error(`GET ${path + after} answered no event`)
      after = `&after=${encodeURIComponent(cursor)}`
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: READERS }, reader))
  const seconds = (performance.now() - began) / 1_000
  await pool.close()
  return (READERS * PAGES * PAGE) / seconds
}
