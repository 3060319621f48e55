import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { REGISTRY } from '../../../src/metrics/registry.ts'
import { issueCredential, revokeCredential } from '../../../src/store/tenants/credentials.ts'
import { aClock } from '../../support/clock.ts'
import { useLoggedServer } from '../../support/http/useLoggedServer.ts'
import { seriesOf } from '../../support/metrics/scrape.ts'
import { manyAvails, WEEKS_EACH } from '../../support/orders/manyAvails.ts'
import { until } from '../../support/until.ts'
import { useApp } from '../../support/useApp.ts'

/** Some 25 MB: more than what the sockets of a connection hold on the way. */
const PRODUCTS = 400

const app = useApp()
const clock = aClock()
/** The same API by a clock that a test advances. */
const ahead = useLoggedServer(app, clock)
let owner: pg.Client
beforeAll(async () => {
  owner = new pg.Client({ connectionString: app.databaseUrl })
  await owner.connect()
  await manyAvails(app, app.tokens.sellers.cable, 'cable', PRODUCTS)
}, 60_000)
app.beforeStop(async () => {
  await owner.end()
})

/** The reply when its head is there; nothing of its body is read. */
async function ask(
  query = '',
  { method = 'GET', headers = {}, token = app.tokens.buyers.acme, path = '/sellers/cable/avails', baseUrl = app.baseUrl } = {},
): Promise<IncomingMessage> {
  const sent = request(`${baseUrl}${path}${query}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    agent: false,
  }).end()
  const [reply] = (await once(sent, 'response')) as [IncomingMessage]
  return reply
}

/** Asked as the owner of the database, who sees the transactions of others. */
const openTransactions = async () =>
  (
    await owner.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and xact_start is not null and backend_type = 'client backend'`,
    )
  ).rows

type Read = { avails: { product_id: string; period: { start: string }; spots: { available: number } }[] }

describe('GET /sellers/{seller}/avails: 200, large', () => {
  it('is sent in parts, compressed on request, and has what the pages have', async () => {
    const plain = await ask()
    expect([plain.statusCode, plain.headers['content-length'], plain.headers['transfer-encoding']]).toEqual([200, undefined, 'chunked'])
    expect(plain.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    const sent = await text(plain)
    const whole = JSON.parse(sent) as Read
    expect(whole.avails.length).toBe(PRODUCTS * WEEKS_EACH)
    const sorted = whole.avails.map(({ product_id, period }) => `${product_id} ${period.start}`)
    expect(sorted).toEqual([...new Set(sorted)].sort())
    const page = JSON.parse(await text(await ask('?limit=5000'))) as Read
    expect(JSON.stringify(page.avails) === JSON.stringify(whole.avails.slice(0, 5_000))).toBe(true) // too many to compare each
    const packed = await ask('', { headers: { 'accept-encoding': 'gzip' } })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect((await text(packed.pipe(createGunzip()))) === sent).toBe(true)
  }, 60_000)

  it('is sent with its length when it is small', async () => {
    const small = await ask('?product_id=bulk-00000')
    expect(Number(small.headers['content-length'])).toBe((await text(small)).length)
  })

  it('has no body for HEAD, and the connection stays usable', async () => {
    const head = await ask('', { method: 'HEAD' })
    expect([head.statusCode, await text(head)]).toEqual([200, ''])
    await until(async () => (await openTransactions()).length === 0, 20)
  })
})

describe('GET /sellers/{seller}/avails: a reader that stalls', () => {
  it('soon holds no database connection, and still reads the state at the time of its request', async () => {
    const reply = await ask()
    expect((await openTransactions()).length).toBeGreaterThan(0)
    await until(async () => (await openTransactions()).length === 0, 20)
    await app.deps.db.pool.query(
      `update avails set body = jsonb_set(body::jsonb, '{spots,available}', '99')::json where seller = 'cable' and product_id like 'bulk-%'`,
    )
    const { avails } = JSON.parse(await text(reply)) as Read
    expect(avails.length).toBe(PRODUCTS * WEEKS_EACH)
    expect(new Set(avails.map(({ spots }) => spots.available))).toEqual(new Set([12]))
  }, 60_000)

  it('is disconnected when its credential is revoked', async () => {
    const { db } = app.deps
    const { credential_id, token } = await issueCredential(db, { entity: 'acme', side: 'buyer', kind: 'test' })
    const reply = await ask('', { token, baseUrl: ahead.baseUrl })
    await revokeCredential(db, credential_id)
    const inFlight = async () => seriesOf(await REGISTRY.metrics()).get('http_requests_in_flight')
    expect(await inFlight()).toBe(1)
    clock.advance(4_000) // for which a credential is remembered
    await until(async () => (await inFlight()) === 0, 20)
    await expect(text(reply).then(({ length }) => length)).rejects.toMatchObject({ code: 'ECONNRESET' })
  }, 30_000)
})

describe('GET /sellers/{seller}/avails: a database that goes away in the middle', () => {
  it('closes the connection, so that what arrived is not valid JSON', async () => {
    const reply = await ask()
    const [open] = await openTransactions()
    await owner.query('select pg_terminate_backend($1)', [open?.pid])
    let came = ''
    reply.setEncoding('utf8').on('data', (part) => {
      came += part
    })
    const [error] = await Promise.race([once(reply, 'error'), once(reply, 'end').then(() => ['it ended'])])
    expect(error).toMatchObject({ code: 'ECONNRESET' })
    expect(came.startsWith('{"avails":[')).toBe(true)
    expect(() => JSON.parse(came)).toThrow()
    expect((await text(await ask('?product_id=bulk-00000'))).endsWith(']}')).toBe(true)
  }, 30_000)
})

describe('GET /sellers/{seller}/catalog and GET /me/catalog: 200, large', () => {
  it.each([
    ['/sellers/cable/catalog', () => app.tokens.buyers.acme],
    ['/me/catalog', () => app.tokens.sellers.cable],
  ])('%s is sent in parts, with every product', async (path, token) => {
    const reply = await ask('', { path, token: token() })
    expect([reply.statusCode, reply.headers['transfer-encoding']]).toEqual([200, 'chunked'])
    const catalog = JSON.parse(await text(reply))
    expect(Object.keys(catalog)).toEqual(['seller', 'taxonomy_version', 'rate_version', 'products', 'buy_types', 'rate_classes'])
    const ids = catalog.products.map(({ product_id }: { product_id: string }) => product_id)
    expect(ids).toEqual(Array.from({ length: PRODUCTS }, (_, index) => `bulk-${String(index).padStart(5, '0')}`))
    expect(catalog.products[0].unpriced.length).toBeGreaterThan(0)
    expect(catalog.buy_types).toEqual(['preemptible'])
  })
})
