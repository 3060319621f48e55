import { randomUUID } from 'node:crypto'
import compression from 'compression'
import express from 'express'
import helmet from 'helmet'
import pg from 'pg'

/**
 * The limit of an intake: the product's Express setup and pool, one route, no checks, one prepared statement that inserts two rows. Beside it a
 * constant, the limit of a read, stored texts in pages, the limit of the feed, and a page by OFFSET. NULL_PLAIN=1 leaves the setup away: Express
 * alone.
 */
async function main(): Promise<void> {
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 })
  await pool.query('create table if not exists null_orders (order_id text primary key, body text not null)')
  await pool.query('create table if not exists null_events (order_id text primary key, body text not null)')
  await pool.query(`create table if not exists null_texts
    (place bigint generated always as identity primary key, body text not null)`)
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  if (process.env.NULL_PLAIN === undefined) app.use(helmet(), compression())
  app.post('/v1/orders', express.raw({ type: () => true, limit: 1 << 20, inflate: false }), async (req, res) => {
    const orderId = randomUUID()
    const text = (req.body as Buffer).toString()
    await pool.query({ ...INSERT, values: [orderId, text] })
    res
      .status(201)
      .type('application/json')
      .send(JSON.stringify({ order_id: orderId, status: 'submitted' }))
  })
  app.get('/texts', async (req, res) => {
    const { limit = '', after = '0' } = req.query as Record<string, string>
    const { rows } = await pool.query<{ place: string; body: string }>({ ...TEXTS, values: [after, limit] })
    const next = rows.at(-1)?.place ?? after
    res
      .set('Cache-Control', 'no-store')
      .type('application/json')
      .send(`{"events":[${rows.map(({ body }) => body).join(',')}],"next_cursor":"${next}"}`)
  })
  let constant = ''
  app.get('/constant', (_req, res) => void res.set('Cache-Control', 'no-store').type('application/json').send(constant))
  let page: unknown[] = []
  app.get('/offset', async (_req, res) => {
    const { rows } = await pool.query<{ text: string }>({ ...OFFSET, values: page })
    res.type('application/json').send(`{"orders":[${rows.map(({ text }) => text).join(',')}]}`)
  })
  process.on('message', ({ constant: text, offset }: { constant?: string; offset?: { seller: string; from: number; limit: number } }) => {
    constant = text ?? constant
    if (offset !== undefined) page = [offset.seller, offset.from, offset.limit]
    process.send?.({ done: true })
  })
  const server = app.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.({ ready: true }))
  process.on('SIGTERM', () => {
    server.closeAllConnections()
    process.exit(0)
  })
}

const INSERT = {
  name: 'null-insert',
  text: `with head as (insert into null_orders (order_id, body) values ($1, $2) returning order_id)
    insert into null_events (order_id, body) select order_id, $2 from head`,
}

const TEXTS = {
  name: 'null-texts',
  // The table's name keeps the order that of the number: the name alone would be the text's.
  text: 'select place::text as place, body from null_texts where place > $1::bigint order by null_texts.place limit $2',
}

const OFFSET = {
  name: 'page-by-offset',
  text: `select snapshot_head || '}' as text from orders where seller = $1 and status = 'seller_review' order by decide_by, order_id offset $2 limit $3`,
}

main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})
