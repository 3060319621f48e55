import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import supertest from 'supertest'
import { createApp } from '../../api/app.ts'
import { rateLimiter } from '../../api/http/rateLimit.ts'
import type { RateLimits } from '../../src/config/index.ts'
import { ROOT } from '../../src/config/root.ts'
import type { Refusal } from '../../src/domain/refusal.ts'
import { useApp } from '../support/useApp.ts'

const plenty = { perSecond: 1_000, burst: 1_000 }
const app = useApp()

function limited(limits: Partial<RateLimits>) {
  const rateLimits = { requests: plenty, orders: plenty, previews: plenty, feed: plenty, bytes: plenty, ...limits }
  const request = supertest(createApp({ ...app.deps, rateLimits }, pino({ level: 'silent' })))
  // All at once, so that a busy machine does not spread them over several seconds, each of which allows more.
  return (count: number, path = '/v1/orders', token = app.tokens.buyers.acme) =>
    Promise.all(Array.from({ length: count }, () => request.get(path).auth(token, { type: 'bearer' })))
}
const refused = (replies: { status: number }[]) => replies.filter(({ status }) => status === 429).length

describe('429 (contract, Rate limits; choices, Limits)', () => {
  it('comes with Retry-After once the burst is used up', async () => {
    const ask = limited({ requests: { perSecond: 1, burst: 5 } })
    expect(refused(await ask(5))).toBe(0)
    const replies = await ask(25)
    expect(refused(replies)).toBeGreaterThanOrEqual(10)
    const last = replies.find(({ status }) => status === 429)
    expect(Number(last?.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(last?.body).toMatchObject({ error_code: 'RATE_LIMITED', stage: 'request', recoverable: true })
    expect(last?.body.details).toEqual({ limit: 'requests', most: 1, window_s: 1, burst: 5, retry_after: expect.any(Number) })
    expect(last?.body.error_message).toMatch(
      /^Too many requests with this credential: there may be 1 a second, 5 in a burst; try again in \d+ s\.$/,
    )
  })

  it('is made in one place, so that every one names its limit', () => {
    const rooms = ['api', 'src', 'sftp', 'worker', 'activities']
    const sources = rooms.flatMap((room) =>
      readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' }).map((name) => `${room}/${name}`),
    )
    const makes = (name: string) => name.endsWith('.ts') && /new Refusal\(\s*'RATE_LIMITED'/.test(readFileSync(join(ROOT, name), 'utf8'))
    expect(sources.filter(makes)).toEqual(['src/domain/overLimit.ts'])
  })

  it('counts each credential by itself', async () => {
    const ask = limited({ requests: { perSecond: 1, burst: 2 } })
    expect(refused(await ask(20))).toBeGreaterThanOrEqual(5)
    expect(refused(await ask(2, '/v1/orders', app.tokens.buyers.zenith))).toBe(0)
  })

  it('is told before it comes: every reply names the quotas, and what is left of them', async () => {
    const ask = limited({ requests: { perSecond: 1, burst: 5 } })
    const [first] = await ask(1)
    expect(first?.headers).toMatchObject({ 'ratelimit-policy': '"requests";q=5;w=5', ratelimit: '"requests";r=4;t=1' })
    const replies = await ask(10)
    const refusal = replies.find(({ status }) => status === 429)
    expect(refusal?.headers.ratelimit).toBe('"requests";r=0;t=5')
    const [read] = await limited({})(1, '/v1/events/feed')
    expect(read?.headers['ratelimit-policy']).toBe('"requests";q=1000;w=1, "feed";q=1000;w=1')
    expect((await limited({})(1, '/v1/orders', 'invalid'))[0]?.headers).not.toHaveProperty('ratelimit')
  })

  it('counts previews and dry runs apart from creates', async () => {
    const rateLimits = { requests: plenty, orders: plenty, feed: plenty, bytes: plenty, previews: { perSecond: 1, burst: 2 } }
    const request = supertest(createApp({ ...app.deps, rateLimits }, pino({ level: 'silent' })))
    const post = (path: string) => request.post(path).auth(app.tokens.buyers.acme, { type: 'bearer' }).send({})
    const paths = ['/v1/orders/preview', '/v1/orders?dry_run=true', '/v1/orders/preview', '/v1/orders?dry_run=true', '/v1/orders/preview']
    const replies = await Promise.all(paths.map(post))
    expect(refused(replies)).toBeGreaterThanOrEqual(2)
    const refusal = replies.find(({ status }) => status === 429)
    expect(refusal?.body.details).toMatchObject({ limit: 'previews', most: 1, burst: 2 })
    expect(refusal?.body.error_message).toMatch(/^Too many previews and dry runs with this credential/)
    expect((await post('/v1/orders')).status).toBe(422)
  })

  it('limits the feed separately', async () => {
    const ask = limited({ feed: { perSecond: 1, burst: 2 } })
    const replies = await ask(20, '/v1/events/feed')
    expect(refused(replies)).toBeGreaterThanOrEqual(5)
    expect(replies.find(({ status }) => status === 429)?.body.details).toMatchObject({ limit: 'feed', most: 1, burst: 2 })
    expect(refused(await ask(6))).toBe(0)
  })

  it('is delayed for a credential that continues after many, and for no other', async () => {
    const limits = rateLimiter({ requests: { perSecond: 1, burst: 1 }, orders: plenty, previews: plenty, feed: plenty, bytes: plenty })
    const ask = (credential: string) =>
      limits.request(undefined, credential).then(
        () => 'allowed',
        ({ code }: Refusal) => code,
      )
    const began = performance.now()
    const flood = Promise.all(Array.from({ length: 300 }, () => ask('flooding')))
    expect(await Promise.race([flood, ask('other')])).toBe('allowed')
    expect((await flood).filter((answer) => answer === 'RATE_LIMITED').length).toBeGreaterThanOrEqual(290)
    expect(performance.now() - began).toBeGreaterThanOrEqual(240)
  })

  it('is not given to senders of invalid tokens, whose 401 is delayed after many from one source', async () => {
    const ask = limited({})
    const began = performance.now()
    const first = await ask(50, '/v1/orders', 'invalid')
    const unhurried = performance.now() - began
    const more = await ask(150, '/v1/orders', 'invalid')
    expect(new Set([...first, ...more].map(({ status }) => status))).toEqual(new Set([401]))
    expect(performance.now() - began - unhurried).toBeGreaterThanOrEqual(240)
    expect((await ask(1))[0]?.status).toBe(200)
  })

  it('is not what delays strangers: a pause of one source delays no other', async () => {
    const { stranger } = rateLimiter({ requests: plenty, orders: plenty, previews: plenty, feed: plenty, bytes: plenty })
    const flood = Promise.all(Array.from({ length: 300 }, () => stranger('192.0.2.1'))).then(() => 'flood')
    expect(await Promise.race([flood, stranger('192.0.2.2').then(() => 'other')])).toBe('other')
    await flood
  })

  it('counts nothing where limits are off', async () => {
    const replies = await Promise.all(
      Array.from({ length: 150 }, () => app.request.get('/v1/orders').auth(app.tokens.buyers.acme, { type: 'bearer' })),
    )
    expect(refused(replies)).toBe(0)
  })
})

describe('GET /v1/changelog.json: 200', () => {
  it('is machine-readable, and says that nothing is sunset in the preview', async () => {
    const { body, headers } = await app.request.get('/v1/changelog.json').expect(200)
    expect(body).toMatchObject({ version: 'v1', status: 'preview', sunset: null })
    expect(body.corrections[0]).toMatchObject({ date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/), change: expect.any(String) })
    expect(headers.sunset).toBeUndefined()
  })
})
