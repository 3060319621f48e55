import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { freePort } from '../../../src/local/embedded/ports.ts'
import { openDatabase } from '../../../src/store/connection/database.ts'
import { issueCredential, revokeCredential } from '../../../src/store/tenants/credentials.ts'
import { startProgram } from '../../bench/program.ts'
import { aClock } from '../../support/clock.ts'
import { cloneDatabase } from '../../support/engines/database.ts'
import { temporaryFolder } from '../../support/files/temporaryFolder.ts'
import { useLoggedServer } from '../../support/http/useLoggedServer.ts'
import { until } from '../../support/until.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const clock = aClock()
/** The same API by a clock that a test advances. */
const ahead = useLoggedServer(market, clock)
let cursor: string
beforeAll(async () => {
  // Behind the events of the market's own making.
  cursor = (await seen(await market.created())).next_cursor
})

interface Page {
  events: { order_id?: string; status?: string }[]
  next_cursor: string
}
const ask = async (query: string): Promise<Page> => {
  const reply = await market.acme.get(`/events/feed?${query}`)
  expect(reply.status).toBe(200)
  return reply.body as Page
}
/** The page that ends with this order's create. */
async function seen(orderId: string): Promise<Page> {
  for (;;) {
    const page = await ask('limit=500&wait_s=1')
    if (page.events.at(-1)?.order_id === orderId) return page
  }
}
const timed = async <T>(work: Promise<T>): Promise<{ result: T; ms: number }> => {
  const began = performance.now()
  return { result: await work, ms: performance.now() - began }
}

/** Resolves when this number of requests have begun to wait since the call of `waits`. */
function waits(): (count: number) => Promise<void> {
  const next = jest.spyOn(market.deps.feedWatch, 'next')
  return (count) => until(() => next.mock.calls.length >= count)
}
afterEach(() => {
  jest.restoreAllMocks()
})

describe('GET /events/feed?wait_s: 422', () => {
  it.each(['31', '-1', '1.5', 'x', ''])('refuses ?wait_s=%s', async (wait) => {
    const reply = await market.acme.get(`/events/feed?wait_s=${wait}`)
    expect(reply.status).toBe(422)
    expect(reply.body).toMatchObject({ error_code: 'INVALID_INPUT', details: { field: 'wait_s' } })
  })
})

describe('GET /events/feed?wait_s: 401', () => {
  it('ends within five seconds of the revocation of its credential', async () => {
    const { token, credential_id } = await issueCredential(market.deps.db, { entity: 'acme', side: 'buyer', kind: 'test' })
    const get = async (query: string) => {
      const reply = await fetch(`${ahead.baseUrl}/events/feed?${query}`, { headers: { authorization: `Bearer ${token}` } })
      return { status: reply.status, body: (await reply.json()) as { error_code?: string } }
    }
    expect((await get(`after=${cursor}&limit=500`)).status).toBe(200) // the credential is remembered
    const begun = waits()
    const waiting = get(`after=${(await ask('limit=500')).next_cursor}&wait_s=30`)
    await begun(1)
    await revokeCredential(market.deps.db, credential_id)
    clock.advance(4_500) // half a second of five is left
    const { result, ms } = await timed(waiting)
    expect([result.status, result.body.error_code]).toEqual([401, 'UNAUTHENTICATED'])
    expect(ms).toBeLessThan(20_000) // half a second plus what a busy machine adds; without the revocation it waits for thirty
  })
})

describe('GET /events/feed?wait_s: 200', () => {
  it('answers without waiting when there are events', async () => {
    const next = jest.spyOn(market.deps.feedWatch, 'next')
    expect((await ask('wait_s=30')).events.length).toBeGreaterThan(0)
    expect(next).not.toHaveBeenCalled()
  })

  it('answers when the next event comes, and no sooner', async () => {
    const begun = waits()
    let isAnswered = false
    const waiting = timed(ask(`after=${cursor}&wait_s=30`)).finally(() => {
      isAnswered = true
    })
    await begun(1)
    await sleep(300)
    expect(isAnswered).toBe(false)
    const orderId = await market.created()
    const { result, ms } = await waiting
    expect(result.events.map(({ order_id }) => order_id)).toEqual([orderId])
    expect(ms).toBeLessThan(20_000)
    cursor = result.next_cursor
  })

  it('keeps waiting past events that its filter leaves out', async () => {
    const { next_cursor } = await ask('events=order.status_changed&statuses=placed&limit=500')
    const waiting = ask(`events=order.status_changed&statuses=placed&after=${next_cursor}&wait_s=30`)
    await market.created()
    const orderId = await market.placed()
    expect((await waiting).events).toEqual([expect.objectContaining({ order_id: orderId, status: 'placed' })])
    cursor = (await seen(await market.created())).next_cursor
  })

  it('answers an empty page when the time is up, with a cursor that continues', async () => {
    const { result, ms } = await timed(ask(`after=${cursor}&wait_s=1`))
    expect(result).toEqual({ events: [], next_cursor: cursor })
    expect(ms).toBeGreaterThan(900)
    const orderId = await market.created()
    expect((await ask(`after=${result.next_cursor}&wait_s=30`)).events.map(({ order_id }) => order_id)).toEqual([orderId])
    cursor = (await seen(await market.created())).next_cursor
  })

  it('holds no database connection per waiter: hundreds wait with eight connections, and requests are served', async () => {
    const begun = waits()
    const waiting = Array.from({ length: 200 }, () => ask(`after=${cursor}&wait_s=30`))
    await begun(200)
    const { rows } = await market
      .owner()
      .query(`select count(*)::int as connections from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`)
    expect(rows[0].connections).toBeLessThanOrEqual(17) // eight of the API, eight of the test, and the one that listens
    const orderId = await market.created()
    for (const { events } of await Promise.all(waiting)) expect(events.map(({ order_id }) => order_id)).toEqual([orderId])
  })

  it('does not read for clients that have gone away', async () => {
    const gone = new AbortController()
    const { next } = market.deps.feedWatch
    const waits = next('acme', { txid: '9000000000000000000', position: '0' }, 60_000, gone.signal)
    gone.abort()
    expect(await waits).toBe(false)
    expect(await next('acme', { txid: '0', position: '0' }, 60_000, gone.signal)).toBe(false)
  })

  it('ends every wait immediately when the service stops, and starts no new one', async () => {
    const { next_cursor } = await ask('limit=500')
    const begun = waits()
    const waiting = timed(ask(`after=${next_cursor}&wait_s=30`))
    await begun(1)
    market.deps.feedWatch.close()
    const { result, ms } = await waiting
    expect(result).toEqual({ events: [], next_cursor })
    expect(ms).toBeLessThan(10_000)
    expect((await timed(ask(`after=${next_cursor}&wait_s=30`))).ms).toBeLessThan(10_000)
  })

  it('is answered by a process that is asked to stop, which then ends', async () => {
    const [database, folder] = [await cloneDatabase(), await temporaryFolder()]
    const db = openDatabase(database.url, { max: 1 })
    const { token } = await issueCredential(db, { entity: 'acme', side: 'buyer', kind: 'test' })
    await db.close()
    const port = await freePort()
    const env = { DATABASE_URL: database.url, PORT: String(port), HOST: '127.0.0.1', MODE: 'sandbox', DATA_DIR: folder.path }
    const api = await startProgram('api/main', env)
    const waiting = fetch(`http://127.0.0.1:${port}/v1/events/feed?wait_s=30`, { headers: { authorization: `Bearer ${token}` } })
    await fetch(`http://127.0.0.1:${port}/readyz`) // the service has received what was sent before
    const { ms } = await timed(api.stop())
    expect(ms).toBeLessThan(20_000)
    expect(await (await waiting).json()).toEqual({ events: [], next_cursor: expect.any(String) })
    await database.drop()
    await folder.remove()
  })
})
