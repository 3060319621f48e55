import { createServer as createTcpServer } from 'node:net'
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { pino } from 'pino'
import supertest from 'supertest'
import { createApp } from '../../api/app.ts'
import { NO_BODY } from '../../src/contract/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints/groups.ts'
import { type Database, openDatabase } from '../../src/store/connection/database.ts'
import { openOrderLog } from '../../src/store/orders/orderLog.ts'
import { newToken } from '../../src/store/tenants/token.ts'
import { checkReply } from '../support/http/contract.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
let owner: pg.Client
const opened: Database[] = []
beforeAll(async () => {
  owner = new pg.Client({ connectionString: market.databaseUrl })
  await owner.connect()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.close()))
})
market.beforeStop(async () => {
  await owner.end()
})

/** The API over another pool than the market's. */
function apiOver(db: Database, lines: string[] = []) {
  opened.push(db)
  const deps = { ...market.deps, db, orders: openOrderLog(db, () => undefined) }
  return supertest(createApp(deps, pino({ level: 'error' }, { write: (line: string) => lines.push(line) })))
}

/** The URL of the market's database on a port where nobody listens. */
async function deadUrl(): Promise<string> {
  const server = createTcpServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return Object.assign(new URL(market.databaseUrl), { port: String(port) }).href
}

type Reply = Awaited<ReturnType<ReturnType<typeof apiOver>['get']>>
const isUnavailable = (method: string, path: string, reply: Reply) => {
  expect([path, reply.status]).toEqual([path, 503])
  checkReply(method, path, reply)
  expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/)
  expect(reply.body).toMatchObject({ error_code: 'UNAVAILABLE', stage: 'platform', recoverable: true, details: {} })
  expect(reply.text).not.toMatch(/postgres|connect |127\.0\.0\.1|terminat|statement|timeout/i)
}

describe('a database that is down: 503', () => {
  it('is what every endpoint answers a credential, with a Retry-After', async () => {
    const lines: string[] = []
    const api = apiOver(openDatabase(await deadUrl()), lines)
    for (const { method, path, body } of ENDPOINTS) {
      const asked = api[method](`/v1${path.replaceAll(/:\w+/g, 'x')}`).auth(newToken('test'), { type: 'bearer' })
      isUnavailable(method, path.replaceAll(/:\w+/g, 'x'), await (body === NO_BODY ? asked : asked.send({})))
    }
    expect(lines).toHaveLength(ENDPOINTS.length)
    expect(lines.join('')).not.toMatch(/omp_test_/)
    expect(lines.filter((line) => /\\n|"stack"/.test(line))).toEqual([])
  })

  it('is not the answer to junk tokens and unknown paths, which keep their own statuses', async () => {
    const api = apiOver(openDatabase(await deadUrl()))
    expect((await api.get('/v1/orders')).status).toBe(401)
    expect((await api.get('/v1/orders').auth('omp_test_junk', { type: 'bearer' })).status).toBe(401)
    expect((await api.get('/v1/nothing')).status).toBe(404)
    expect((await api.delete('/v1/orders')).status).toBe(405)
  })

  it('is logged in one line with its reason', async () => {
    const lines: string[] = []
    const api = apiOver(openDatabase(await deadUrl()), lines)
    await api.get('/v1/orders').auth(newToken('test'), { type: 'bearer' })
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ msg: 'answered 503', reason: expect.stringMatching(/^connect ECONNREFUSED \S+$/) }),
    ])
  })

  it('leaves the service alive and ready, so that a balancer lets it answer', async () => {
    const api = apiOver(openDatabase(await deadUrl()))
    expect((await api.get('/healthz')).status).toBe(200)
    expect(await api.get('/readyz')).toMatchObject({ status: 200, body: { status: 'ready', database: 'away' } })
    expect(await market.request.get('/readyz')).toMatchObject({ status: 200, body: { status: 'ready', database: 'answers' } })
  })
})

describe('a database that hangs: 503', () => {
  it('gives up on a command that waits for a lock, and leaves the order alone', async () => {
    const orderId = await market.parked()
    const api = apiOver(openDatabase(market.databaseUrl, { statementTimeout: 200 }))
    await owner.query('begin')
    await owner.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [orderId])
    const path = `/me/orders/${orderId}/decide`
    const decide = () => api.post(`/v1${path}`).auth(market.cable.token, { type: 'bearer' }).send({ decision: 'approve', actor: 'Ada' })
    try {
      const reply = await decide()
      isUnavailable('post', path, reply)
      expect(reply.body.error_message).toMatch(/^The request took longer than one may take in the database/)
    } finally {
      await owner.query('rollback')
    }
    expect(await market.snapshot(orderId)).toMatchObject({ status: 'seller_review', last_seq: 3 })
    expect((await decide()).status).toBe(202)
  })
})

const DROP = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'

describe('a database that drops its connections', () => {
  it('causes 503s after which a retry with the same bytes creates one order per key', async () => {
    const api = apiOver(openDatabase(market.databaseUrl, { max: 4 }))
    const statuses: number[] = []
    const create = async (text: string): Promise<string> => {
      for (;;) {
        const reply = await api.post('/v1/orders').auth(market.acme.token, { type: 'bearer' }).type('application/json').send(text)
        statuses.push(reply.status)
        if (reply.status === 201) return reply.body.order_id
        isUnavailable('post', '/orders', reply)
      }
    }
    const since = Date.now()
    const isEnough = () => statuses.includes(503) && Date.now() - since > 300
    const dropping = (async () => {
      while (!isEnough()) {
        await owner.query(DROP)
        await new Promise((resolve) => setTimeout(resolve, 15))
      }
    })()
    const texts: string[] = []
    const orderIds: string[] = []
    do {
      const batch = Array.from({ length: 20 }, () => JSON.stringify(market.order()))
      texts.push(...batch)
      orderIds.push(...(await Promise.all(batch.map(create))))
    } while (!isEnough())
    await dropping
    expect(new Set(statuses)).toEqual(new Set([201, 503]))
    expect(new Set(orderIds).size).toBe(texts.length)
    const keys = texts.map((text) => JSON.parse(text).external_order_id)
    const { rows } = await owner.query('select order_id from orders where external_order_id = any($1)', [keys])
    expect(rows.map(({ order_id }) => order_id).sort()).toEqual([...orderIds].sort())
    const events = await owner.query('select from order_events where order_id = any($1)', [orderIds])
    expect(events.rowCount).toBe(texts.length)
  })
})
