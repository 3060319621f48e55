import { describe, expect, it } from '@jest/globals'
import type { Request } from 'express'
import { authenticator } from '../../api/signIn/auth.ts'
import { isOwnHost } from '../../api/signIn/sessionCookie.ts'
import { sessionSignIn } from '../../api/signIn/sessionSignIn.ts'
import { PersonaList, SessionReply } from '../../src/contract/session.ts'
import { issueCredential, revokeCredential } from '../../src/store/tenants/credentials.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()

const SAME = 'same-origin'
const signIn = (body: object, site = SAME) => market.request.post('/session').set('Sec-Fetch-Site', site).send(body)
/** What the browser and the page of a signed-in person know. */
async function signedIn(body: object) {
  const reply = await signIn(body)
  expect(reply.status).toBe(201)
  const [cookie = ''] = String(reply.headers['set-cookie']).split(';')
  const session = SessionReply.parse(reply.body)
  const send = (method: 'get' | 'post' | 'put' | 'delete', path: string) => {
    const request = market.request[method](path).set('Cookie', cookie).set('Sec-Fetch-Site', SAME)
    return method === 'get' ? request : request.set('X-CSRF-Token', session.csrf)
  }
  return { cookie, session, setCookie: String(reply.headers['set-cookie']), send }
}

describe('POST /session: 201', () => {
  it('signs a persona of the sandbox in, with a cookie that no script reads and no other site sends', async () => {
    const { session, setCookie } = await signedIn({ persona: 'cable' })
    expect(session).toMatchObject({ entity: 'cable', side: 'seller', name: 'cable', mode: 'sandbox' })
    expect(session.scopes).toContain('orders:approve')
    expect(setCookie).toMatch(/^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
    const hours = (Date.parse(session.expires_at) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(7.9)
    expect(hours).toBeLessThanOrEqual(8)
  })

  it('signs in with a token, and says so in the audit log of the tenant', async () => {
    const { send, session } = await signedIn({ token: market.tokens.buyers.acme })
    expect(session).toMatchObject({ entity: 'acme', side: 'buyer', name: 'acme' })
    const { body } = await send('get', '/v1/audit?action=session.opened')
    expect(body.items[0]).toMatchObject({ action: 'session.opened', via: 'console', person: 'acme', source_ip: '127.0.0.1' })
  })

  it('shows only operators where the Temporal UI shows runs', async () => {
    const { session } = await signedIn({ persona: 'operations' })
    expect(session).toMatchObject({ side: 'operator', temporal_ui: 'http://temporal.example/namespaces/default/workflows/' })
    expect((await signedIn({ persona: 'cable' })).session.temporal_ui).toBeUndefined()
  })

  it('reads and writes as that person, whom decision records and the audit log name regardless of the body', async () => {
    const { send } = await signedIn({ persona: 'cable' })
    const orderId = await market.parked()
    const decided = await send('post', `/v1/me/orders/${orderId}/decide`).send({ decision: 'approve', actor: 'Somebody else' })
    expect(decided.body).toMatchObject({ status: 'placed' })
    const events = await market.events(orderId)
    expect(events.at(-1)).toMatchObject({ decision_record: { actor: 'cable', gate: 'console' } })
    expect((await send('get', `/v1/me/orders/${orderId}`)).status).toBe(200)
    await send('put', '/v1/me/buyers/zenith').send({ status: 'suspended' })
    const { body } = await send('get', '/v1/me/audit?action=buyer.changed')
    expect(body.items[0]).toMatchObject({ via: 'console', person: 'cable', target: 'zenith' })
    await send('put', '/v1/me/buyers/zenith').send({ status: 'active' })
  })
})

describe('who may sign in as a persona', () => {
  const from = (host: string, remoteAddress: string) => ({ headers: { host }, socket: { remoteAddress } }) as unknown as Request
  const nowhere = { publicUrl: undefined }

  it.each([
    ['localhost:8080', '127.0.0.1', true],
    ['127.0.0.1:8080', '::ffff:127.0.0.1', true],
    ['[::1]:8080', '::1', true],
    ['localhost', '192.168.1.20', false],
    ['rebound.example', '127.0.0.1', false],
  ])('at %s from %s: %s', (host, address, may) => {
    expect(isOwnHost(nowhere, from(host, address))).toBe(may)
  })

  it('is anybody at the public address', () => {
    const publicUrl = new URL('https://orders.example')
    expect(isOwnHost({ publicUrl }, from('orders.example', '192.168.1.20'))).toBe(true)
    expect(isOwnHost({ publicUrl }, from('localhost', '127.0.0.1'))).toBe(false)
  })
})

describe('GET /session: 200', () => {
  it('returns what the sign-in returned', async () => {
    const { send, session } = await signedIn({ persona: 'acme' })
    const { body } = await send('get', '/session')
    expect(body).toEqual({ ...session, expires_at: expect.any(String) })
  })
})

describe('GET /session/personas: 200', () => {
  it('lists the tenants of the sandbox', async () => {
    const { body } = await market.request.get('/session/personas').expect(200)
    expect(
      PersonaList.parse(body)
        .personas.map(({ persona }) => persona)
        .sort(),
    ).toEqual(['acme', 'cable', 'operations', 'station', 'zenith'])
  })
})

describe('DELETE /session: 204', () => {
  it('ends the session immediately and deletes the cookie', async () => {
    const { send } = await signedIn({ persona: 'acme' })
    expect((await send('get', '/v1/orders')).status).toBe(200)
    const ended = await send('delete', '/session')
    expect([ended.status, String(ended.headers['set-cookie'])]).toEqual([204, expect.stringMatching(/^session=; .*Max-Age=0$/)])
    expect((await send('get', '/v1/orders')).status).toBe(401)
    expect((await send('get', '/session')).status).toBe(401)
  })
})

describe('a session', () => {
  it('ends within five seconds of the revocation of its credential', async () => {
    const { db, refusedSignIns } = market.deps
    const { token, credential_id } = await issueCredential(db, { entity: 'brief', side: 'buyer', kind: 'test' })
    const { cookie } = await signedIn({ token })
    let at = Date.now()
    const authenticate = authenticator([sessionSignIn({ db, publicUrl: undefined })], refusedSignIns, () => at)
    const request = { method: 'GET', protocol: 'http', headers: { host: 'localhost', cookie } } as Request
    expect(await authenticate(request)).toMatchObject({ entity: 'brief', credential_id })
    await revokeCredential(db, credential_id)
    at += 5_000
    await expect(authenticate(request)).rejects.toMatchObject({ code: 'UNAUTHENTICATED', message: 'The session is over: sign in again.' })
    expect((await signIn({ token })).status).toBe(401)
  })

  it('ends after eight hours without use and after twelve in any case', async () => {
    const [idle, old] = [await signedIn({ persona: 'acme' }), await signedIn({ persona: 'acme' })]
    const age = (cookie: string, change: string) =>
      market.owner().query(`update sessions set ${change} where session_sha256 = sha256($1)`, [cookie.split('=')[1]])
    await age(idle.cookie, `used_at = now() - interval '8 hours 1 second'`)
    await age(old.cookie, `ends_at = now() - interval '1 second'`)
    for (const { send } of [idle, old]) expect((await send('get', '/v1/orders')).status).toBe(401)
  })

  it('is extended by use, and does not limit the webhooks it sets up, which keep the authority of its credential', async () => {
    const { send, cookie } = await signedIn({ persona: 'acme' })
    await market
      .owner()
      .query(`update sessions set used_at = now() - interval '7 hours' where session_sha256 = sha256($1)`, [cookie.split('=')[1]])
    const { body: session } = await send('get', '/session')
    expect(Date.parse(session.expires_at) - Date.now()).toBeGreaterThan(7.9 * 3_600_000)
    const { body } = await send('post', '/v1/webhooks/endpoints').send({ url: 'https://receiver.example/hook' })
    const { rows } = await market.owner().query('select authorized_until from webhook_endpoints where endpoint_id = $1', [body.endpoint_id])
    expect(rows).toEqual([{ authorized_until: null }])
  })

  it('is ignored when a bearer token is sent with it', async () => {
    const { send } = await signedIn({ persona: 'acme' })
    const { status } = await send('get', '/v1/me/orders').auth(market.tokens.sellers.cable, { type: 'bearer' })
    expect(status).toBe(200)
    expect((await send('get', '/v1/orders').set('Authorization', 'Bearer omp_test_nonsense')).status).toBe(401)
  })
})

describe('POST /session: 401', () => {
  it.each([{ persona: 'nobody' }, { token: 'omp_test_nonsense' }])('is the answer to %j', async (body) => {
    const reply = await signIn(body)
    expect([reply.status, reply.body.error_code, reply.headers['set-cookie']]).toEqual([401, 'UNAUTHENTICATED', undefined])
  })
})

describe('POST /session: 403', () => {
  it.each(['cross-site', 'same-site', ''])('is the answer to a page of another site: Sec-Fetch-Site %j', async (site) => {
    const reply = await signIn({ persona: 'acme' }, site)
    expect([reply.status, reply.body.error_code, reply.headers['set-cookie']]).toEqual([403, 'FORBIDDEN', undefined])
  })
})

describe('POST /session: 415', () => {
  it('is the answer to a form', async () => {
    expect((await market.request.post('/session').set('Sec-Fetch-Site', SAME).type('form').send('persona=acme')).status).toBe(415)
  })
})

describe('POST /session: 422', () => {
  it.each([{}, { persona: 'acme', token: 'x' }, { persona: 7 }, { persona: 'acme', remember: true }])(
    'is the answer to %j',
    async (body) => {
      const reply = await signIn(body)
      expect([reply.status, reply.body.error_code]).toEqual([422, 'INVALID_INPUT'])
    },
  )
})

describe('GET /session: 401', () => {
  it('is the answer where there is no session', async () => {
    expect((await market.request.get('/session')).status).toBe(401)
  })
})

describe('PUT /session: 405', () => {
  it('names the methods that are served', async () => {
    const reply = await market.request.put('/session')
    expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, POST, DELETE'])
  })
})
