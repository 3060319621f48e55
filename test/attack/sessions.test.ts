import { describe, expect, it } from '@jest/globals'
import { issueCredential } from '../../src/store/tenants/credentials.ts'
import { useMarket } from '../support/useMarket.ts'
import { scale } from './support/scale.ts'
import { report } from './support/table.ts'

const market = useMarket({ trustedProxies: ['127.0.0.1'] })
const production = useMarket({ mode: 'production', tokenSessions: true, publicUrl: new URL('https://orders.example.com') })
const locked = useMarket({ mode: 'production' })
const SIGN_INS = scale(30, 1_000)
const bounded = useMarket({ trustedProxies: ['127.0.0.1'], signInsPerDay: SIGN_INS })

let addresses = 0
/** An address of its own for each test: refused sign-ins are counted by address. */
const from = () => `203.0.113.${++addresses}`

type App = typeof market
const signIn = (app: App, body: object, headers: Record<string, string> = {}) =>
  app.request
    .post('/session')
    .set({ 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': from(), ...headers })
    .send(body)
async function cookieOf(app: App, body: object) {
  const reply = await signIn(app, body)
  expect(reply.status).toBe(201)
  return {
    cookie: String(reply.headers['set-cookie']).split(';')[0] ?? '',
    csrf: reply.body.csrf as string,
    flags: String(reply.headers['set-cookie']),
  }
}

describe('another site', () => {
  it('can write nothing with the cookie of a visitor, and read nothing', async () => {
    const { cookie, csrf } = await cookieOf(market, { persona: 'acme' })
    const { csrf: other } = await cookieOf(market, { persona: 'zenith' })
    const write = (headers: Record<string, string>) =>
      market.request
        .post('/v1/orders/preview')
        .set({ Cookie: cookie, ...headers })
        .send(market.order())
    const attempts: Record<string, string>[] = [
      {},
      { 'Sec-Fetch-Site': 'same-origin' },
      { 'X-CSRF-Token': '' },
      { 'X-CSRF-Token': other },
      { 'X-CSRF-Token': `${csrf}x` },
      ...['cross-site', 'same-site', 'none', ''].map((site) => ({ 'X-CSRF-Token': csrf, 'Sec-Fetch-Site': site })),
    ]
    for (const headers of attempts) expect([headers, (await write(headers)).status]).toEqual([headers, 403])
    for (const site of ['cross-site', 'same-site']) {
      const read = await market.request.get('/v1/orders').set({ Cookie: cookie, 'Sec-Fetch-Site': site })
      expect([read.status, read.headers['access-control-allow-origin']]).toEqual([403, undefined])
    }
    expect((await write({ 'X-CSRF-Token': csrf, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200)
    expect((await write({ 'X-CSRF-Token': csrf })).status).toBe(200)
    expect(
      (await market.request.options('/v1/orders').set({ Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' })).headers,
    ).not.toHaveProperty('access-control-allow-origin')
    report('CSRF', { attempts: attempts.length, served: 0 })
  })

  it('cannot sign a visitor in to an account of its own', async () => {
    for (const site of ['cross-site', 'same-site', ''])
      expect((await signIn(market, { persona: 'acme' }, { 'Sec-Fetch-Site': site })).status).toBe(403)
    expect((await market.request.post('/session').set('X-Forwarded-For', from()).send({ persona: 'acme' })).status).toBe(403)
  })

  it('whose name resolves to this machine cannot sign in as a persona', async () => {
    for (const Host of ['evil.example', 'evil.example:8080', 'localhost.evil.example', '127.0.0.1.evil.example', 'localhost@evil.example'])
      expect([Host, (await signIn(market, { persona: 'acme' }, { Host })).status]).toEqual([Host, 403])
    expect((await signIn(market, { persona: 'acme' }, { Host: 'localhost:1234' })).status).toBe(201)
  })
})

describe('a session that somebody else chose', () => {
  it('is never adopted: a sign-in makes a new secret and ends the session that was sent', async () => {
    const fixed = await cookieOf(market, { persona: 'zenith' })
    const reply = await signIn(market, { persona: 'acme' }, { Cookie: fixed.cookie })
    const [own = ''] = String(reply.headers['set-cookie']).split(';')
    expect(own).not.toBe(fixed.cookie)
    expect((await market.request.get('/session').set('Cookie', fixed.cookie)).status).toBe(401)
    const { body } = await market.request.get('/session').set('Cookie', own).expect(200)
    expect(body.entity).toBe('acme')
  })

  it('is not read from a cookie that is sent twice, nor from another form', async () => {
    const [mine, theirs] = [await cookieOf(market, { persona: 'acme' }), await cookieOf(market, { persona: 'zenith' })]
    const secret = mine.cookie.slice('session='.length)
    for (const cookie of [
      `${mine.cookie}; ${theirs.cookie}`,
      `__Host-${mine.cookie}`,
      `session=${secret}x`,
      `session="${secret}"`,
      `session=' or 1=1 --`,
      'session=',
      '=session',
    ])
      expect([cookie, (await market.request.get('/session').set('Cookie', cookie)).status]).toEqual([cookie, 401])
  })
})

describe('a person of one tenant', () => {
  it("reaches nothing of another's", async () => {
    const orderId = await market.parked()
    for (const [persona, path] of [
      ['zenith', `/v1/orders/${orderId}`],
      ['station', `/v1/me/orders/${orderId}`],
    ] as const) {
      const { cookie, csrf } = await cookieOf(market, { persona })
      expect((await market.request.get(path).set('Cookie', cookie)).status).toBe(404)
      const write = market.request
        .post(`${path}/${persona === 'zenith' ? 'cancel' : 'decide'}`)
        .set({ Cookie: cookie, 'X-CSRF-Token': csrf })
      expect((await write.send(persona === 'zenith' ? {} : { decision: 'approve' })).status).toBe(404)
    }
    const { cookie } = await cookieOf(market, { persona: 'acme' })
    expect((await market.request.get('/v1/me/orders').set('Cookie', cookie)).status).toBe(403)
  })

  it('has no more scopes than the credential that it signed in with', async () => {
    const { token } = await issueCredential(market.deps.db, { entity: 'reader', side: 'seller', kind: 'test', scopes: ['orders:read'] })
    const { cookie, csrf } = await cookieOf(market, { token })
    expect((await market.request.get('/v1/me/orders').set('Cookie', cookie)).status).toBe(200)
    const write = market.request.put('/v1/me/capabilities').set({ Cookie: cookie, 'X-CSRF-Token': csrf })
    expect((await write.send({})).status).toBe(403)
  })
})

describe('a production service', () => {
  it('sends its cookie only over TLS, bound to its host, and has no personas', async () => {
    const { flags, cookie } = await cookieOf(production, { token: production.tokens.buyers.acme })
    expect(flags).toMatch(/^__Host-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
    expect((await production.request.get('/session').set('Cookie', cookie)).status).toBe(200)
    expect((await production.request.get('/session').set('Cookie', cookie.replace('__Host-', ''))).status).toBe(401)
    expect((await signIn(production, { persona: 'acme' })).status).toBe(403)
    expect((await production.request.get('/session/personas')).status).toBe(404)
  })

  it('accepts no token unless its operator enables that', async () => {
    expect((await signIn(locked, { token: locked.tokens.buyers.acme })).status).toBe(403)
  })
})

describe('a flood of sign-ins', () => {
  it('is limited by credential and address, and lets a right credential in', async () => {
    const address = from()
    const guess = (token: string) => signIn(market, { token }, { 'X-Forwarded-For': address })
    const guessed = (at: number) => `omp_test_${String(at).padStart(36, '0')}`
    const statusesOf = async (tokens: string[]) => (await Promise.all(tokens.map(guess))).map(({ status }) => status)
    for (let n = 0; n < 15; n++) expect((await signIn(market, { persona: 'acme' }, { 'X-Forwarded-For': address })).status).toBe(201)
    const times = 30 // fewer than the limit of the address
    const guesses = scale(120, 500)
    const same = await statusesOf(Array.from({ length: times }, () => guessed(0)))
    expect(same.filter((status) => status === 401)).toHaveLength(10)
    expect(same.filter((status) => status === 429)).toHaveLength(times - 10)
    const held = await guess(guessed(0))
    expect([held.status, Number(held.headers['retry-after'])]).toEqual([429, expect.any(Number)])
    expect(held.body.details).toEqual({ limit: 'refused sign-ins', most: 10, window_s: 60, retry_after: expect.any(Number) })
    expect((await guess(guessed(1))).status).toBe(401)
    const others = await statusesOf(Array.from({ length: guesses }, (_, at) => guessed(2 + at)))
    expect(others.filter((status) => status === 401).length).toBeLessThanOrEqual(100)
    expect(others.filter((status) => status === 429).length).toBeGreaterThanOrEqual(guesses - 100)
    expect((await guess(guessed(2 + guesses))).status).toBe(429)
    expect((await guess(market.tokens.buyers.acme)).status).toBe(201)
    expect((await signIn(market, { persona: 'acme' }, { 'X-Forwarded-For': address })).status).toBe(201)
    report('guessed tokens at sign-in', { guesses: times + others.length, refused: 429 })
  })

  it('with one token ends at its daily limit, and does not affect others', async () => {
    const statuses: number[] = []
    for (let sent = 0; sent < SIGN_INS + 20; sent += 10)
      statuses.push(
        ...(await Promise.all(Array.from({ length: 10 }, () => signIn(bounded, { persona: 'acme' })))).map(({ status }) => status),
      )
    expect([statuses.filter((status) => status === 201).length, statuses.filter((status) => status === 429).length]).toEqual([SIGN_INS, 20])
    const held = await signIn(bounded, { persona: 'acme' })
    expect([held.status, Number(held.headers['retry-after']) > 3_600]).toEqual([429, true])
    expect((await signIn(bounded, { persona: 'zenith' })).status).toBe(201)
    const { rows } = await bounded
      .owner()
      .query(`select count(*)::int as acts from security_events where action = 'session.opened' and entity = 'acme'`)
    expect(rows).toEqual([{ acts: SIGN_INS }])
    report('sign-ins with one token', { sent: statuses.length, served: SIGN_INS })
  })

  it('leaves a bounded number of sessions', async () => {
    for (let n = 0; n < scale(105, 400); n++) await cookieOf(market, { persona: 'station' })
    const { rows } = await market
      .owner()
      .query(`select count(*)::int as sessions from sessions join credentials using (credential_id) where entity = 'station'`)
    expect(rows).toEqual([{ sessions: 100 }])
  })
})
