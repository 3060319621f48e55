import { describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import supertest from 'supertest'
import { createApp } from '../../api/app.ts'
import { readConfig } from '../../src/config/index.ts'
import { SIDE_SCOPES } from '../../src/contract/vocabulary/access.ts'
import { listSubjects, restoreSubject, revokeSubject } from '../../src/store/tenants/subjects.ts'
import { aClock } from '../support/clock.ts'
import { signOnBrowser } from '../support/signOn/browser.ts'
import { AUDIENCE, CONSOLE_CLIENT } from '../support/signOn/issuer.ts'
import { useIssuer } from '../support/signOn/useIssuer.ts'
import { useMarket } from '../support/useMarket.ts'

const PUBLIC_URL = 'https://orders.example.com'
const CALLBACK = `${PUBLIC_URL}/session/callback`
const issuer = useIssuer({ callbacks: [CALLBACK] })
const signOn = () =>
  readConfig({
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: AUDIENCE,
    OIDC_CLIENT_ID: CONSOLE_CLIENT,
    OIDC_SCOPES: 'openid profile market',
    PUBLIC_URL,
  }).signOn
const market = useMarket(() => ({ mode: 'production', publicUrl: new URL(PUBLIC_URL), signOn: signOn(), trustedProxies: ['127.0.0.1'] }))
const plain = useMarket()

const SELLER = { name: 'Priya Raman', tenant: 'cable', side: 'seller', scope: SIDE_SCOPES.seller.join(' ') }

let addresses = 0
/** An address of its own for each test: refused sign-ins are counted by address. */
const from = () => ({ 'X-Forwarded-For': `198.51.100.${++addresses}` })

/** The cookies that a reply sets, by name. */
function cookiesOf({ headers }: { headers: Record<string, unknown> }): Map<string, string> {
  const sent = headers['set-cookie'] as string[] | undefined
  return new Map((sent ?? []).map((line) => [line.slice(0, line.indexOf('=')), line]))
}
const pairOf = (line = '') => line.split(';')[0] ?? ''

async function begun(page?: string) {
  const reply = await market.request.get(`/session/oidc${page === undefined ? '' : `?return=${encodeURIComponent(page)}`}`).set(from())
  expect(reply.status).toBe(303)
  return { reply, authorization: new URL(String(reply.headers.location)), cookie: pairOf(cookiesOf(reply).get('__Host-sign-on')) }
}

/** Begins at the marketplace and signs in at the issuer; only the return to the marketplace is left. */
async function returning(login: string, page?: string) {
  const { authorization, cookie } = await begun(page)
  const back = await signOnBrowser(issuer.url).walk(authorization.href, login)
  return { cookie, back, path: back.pathname + back.search }
}
const arrive = (path: string, headers: Record<string, string> = {}) =>
  market.request.get(path).set({ ...from(), 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'document', ...headers })

async function signedIn(login: string, page?: string) {
  const { path, cookie } = await returning(login, page)
  const reply = await arrive(path, { Cookie: cookie })
  expect([reply.status, reply.text]).toEqual([303, expect.any(String)])
  const session = pairOf(cookiesOf(reply).get('__Host-session'))
  return { reply, session, path, cookie }
}
const sessionOf = (cookie: string) => market.request.get('/session').set('Cookie', cookie)

describe('GET /session/oidc: 303', () => {
  it('sends the browser to the issuer with PKCE, state and nonce, to return to PUBLIC_URL regardless of the Host header', async () => {
    const { reply, authorization } = await begun()
    const hosted = await market.request.get('/session/oidc').set({ ...from(), Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' })
    for (const url of [authorization, new URL(String(hosted.headers.location))]) {
      expect(url.origin).toBe(issuer.url)
      expect(Object.fromEntries(url.searchParams)).toEqual({
        client_id: CONSOLE_CLIENT,
        response_type: 'code',
        redirect_uri: CALLBACK,
        scope: 'openid profile market',
        state: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
      })
    }
    expect(cookiesOf(reply).get('__Host-sign-on')).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax; Max-Age=600$/)
    expect(reply.headers['cache-control']).toBe('no-store')
  })
})

describe('GET /session/oidc: 403', () => {
  it.each(['cross-site', 'same-site', ''])('is the answer to a page of another site: Sec-Fetch-Site %j', async (site) => {
    expect((await market.request.get('/session/oidc').set({ ...from(), 'Sec-Fetch-Site': site })).status).toBe(403)
  })
})

describe('GET /session/oidc: 404', () => {
  it('is the answer where no issuer is set up', async () => {
    expect((await plain.request.get('/session/oidc')).status).toBe(404)
  })
})

describe('POST /session/oidc, /session/callback and /session/ways: 405', () => {
  it.each(['/session/oidc', '/session/callback', '/session/ways'])('%s allows only GET', async (path) => {
    const { status, headers } = await market.request.post(path)
    expect([status, headers.allow]).toEqual([405, 'GET'])
  })
})

describe('GET /session/callback: 303', () => {
  it('opens a session with the name, the scopes and the time of the ID token', async () => {
    issuer.people.set('priya', SELLER)
    const { reply, session } = await signedIn('priya', '/console/queue?q=acme#top')
    expect(reply.headers.location).toBe('/console/queue?q=acme#top')
    expect(cookiesOf(reply).get('__Host-sign-on')).toMatch(/^__Host-sign-on=; .*Max-Age=0$/)
    expect(cookiesOf(reply).get('__Host-session')).toMatch(/^__Host-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
    const { body } = await sessionOf(session).expect(200)
    expect(body).toMatchObject({ entity: 'cable', side: 'seller', name: 'Priya Raman', mode: 'production' })
    expect(body.scopes).toContain('orders:approve')
    const minutes = (Date.parse(body.expires_at) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(8)
    expect(minutes).toBeLessThanOrEqual(10.5)
  })

  it('acts as that person, whom decision records and the audit log name together with the subject', async () => {
    issuer.people.set('dana', { ...SELLER, name: 'Dana Whitfield' })
    const { session } = await signedIn('dana')
    const { body } = await sessionOf(session)
    const orderId = await market.parked()
    const write = { Cookie: session, 'X-CSRF-Token': body.csrf, 'Sec-Fetch-Site': 'same-origin' }
    const decided = await market.request
      .post(`/v1/me/orders/${orderId}/decide`)
      .set(write)
      .send({ decision: 'approve', actor: 'Somebody else' })
    expect(decided.body).toMatchObject({ status: 'placed' })
    expect((await market.events(orderId)).at(-1)).toMatchObject({ decision_record: { actor: 'Dana Whitfield', gate: 'console' } })
    const audit = await market.request.get('/v1/me/audit?limit=2').set('Cookie', session)
    // Both come from one request and may share a millisecond, within which ids have no order.
    expect(audit.body.items).toHaveLength(2)
    expect(audit.body.items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'session.opened', via: 'console', person: 'Dana Whitfield', subject: 'dana' }),
        expect.objectContaining({ action: 'subject.admitted', via: 'console', subject: 'dana' }),
      ]),
    )
  })

  it('gives no more than the scopes of the token', async () => {
    issuer.people.set('reader', { ...SELLER, scope: 'orders:read' })
    const { session } = await signedIn('reader')
    const { body } = await sessionOf(session)
    expect(body.scopes).toEqual(['orders:read'])
    const write = market.request.put('/v1/me/capabilities').set({ Cookie: session, 'X-CSRF-Token': body.csrf })
    expect((await write.send({})).status).toBe(403)
  })

  it.each([
    [undefined, '/console/'],
    ['/console/orders', '/console/orders'],
    ['https://evil.example/console/', '/console/'],
    ['//evil.example/console/', '/console/'],
    ['/\\evil.example/console/', '/console/'],
    ['/console/../v1/orders', '/console/'],
    ['/console/%2e%2e/session', '/console/'],
    ['/console/..\\..\\evil', '/console/'],
    ['/consoles', '/console/'],
    ['javascript:alert(1)', '/console/'],
    ['/console/\r\nSet-Cookie: session=x', '/console/Set-Cookie:%20session=x'],
    [`/console/${'x'.repeat(1_000)}`, '/console/'],
  ])('returns only to paths below /console/: %j', async (page, location) => {
    issuer.people.set('priya', SELLER)
    const { reply } = await signedIn('priya', page)
    expect(reply.headers.location).toBe(location)
  })
})

describe('GET /session/callback: 403', () => {
  it('is the answer where the claims are wrong, as a page for a browser', async () => {
    issuer.people.set('lost', { ...SELLER, tenant: 'nowhere' })
    const { path, cookie } = await returning('lost')
    const reply = await arrive(path, { Cookie: cookie, Accept: 'text/html,*/*;q=0.8' })
    expect([reply.status, reply.type]).toEqual([403, 'text/html'])
    expect(reply.text).toMatch(/names the tenant nowhere, which does not exist here/)
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
    expect(cookiesOf(reply).has('__Host-session')).toBe(false)
  })
})

describe('GET /session/callback: 401', () => {
  it('is the answer to a person who was revoked, whose sessions have ended', async () => {
    issuer.people.set('leaver', SELLER)
    const { session } = await signedIn('leaver')
    const clock = aClock()
    const ahead = supertest(createApp(market.deps, pino({ level: 'silent' }), clock.now))
    const sessionThere = () => ahead.get('/session').set('Cookie', session)
    await sessionThere().expect(200)
    const subject = (await listSubjects(market.deps.db)).find((one) => one.subject === 'leaver')?.subject_id ?? ''
    await revokeSubject(market.deps.db, subject)
    clock.advance(4_000) // for which a session is remembered
    await sessionThere().expect(401)
    const { path, cookie } = await returning('leaver')
    const refused = await arrive(path, { Cookie: cookie })
    expect([refused.status, refused.body.error_message]).toEqual([401, 'You may not sign in: the operator has revoked you here.'])
    await restoreSubject(market.deps.db, subject)
  })

  it('is the answer where no issuer is set up', async () => {
    expect((await plain.request.get('/session/callback?code=x&state=y')).status).toBe(401)
  })

  it('is the answer where the issuer refused', async () => {
    const { cookie, authorization } = await begun()
    const state = authorization.searchParams.get('state')
    const path = `/session/callback?error=access_denied&error_description=%3Cscript%3E&state=${state}&iss=${encodeURIComponent(issuer.url)}`
    const { status, body } = await arrive(path, { Cookie: cookie })
    expect([status, body.error_message]).toEqual([401, 'The issuer refused the sign-in: access_denied.'])
  })
})

describe('a session of the issuer', () => {
  it('ends with its token', async () => {
    issuer.people.set('priya', SELLER)
    const { session } = await signedIn('priya')
    const secret = session.split('=')[1]
    await market.owner().query(`update sessions set ends_at = now() - interval '1 second' where session_sha256 = sha256($1)`, [secret])
    expect((await sessionOf(session)).status).toBe(401)
  })
})

describe('GET /session/ways: 200', () => {
  it('says how a person signs in', async () => {
    expect((await market.request.get('/session/ways')).body).toEqual({ personas: false, token: false, issuer: new URL(issuer.url).host })
    expect((await plain.request.get('/session/ways')).body).toEqual({ personas: true, token: true, issuer: null })
  })
})
