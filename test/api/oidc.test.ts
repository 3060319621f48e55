import { describe, expect, it } from '@jest/globals'
import type { Request } from 'express'
import { SignJWT } from 'jose'
import { authenticator } from '../../api/signIn/auth.ts'
import { oidcSignIn } from '../../api/signIn/oidcSignIn.ts'
import { readConfig } from '../../src/config/index.ts'
import { SIDE_SCOPES, type Side } from '../../src/contract/vocabulary/access.ts'
import { listSubjects, restoreSubject, revokeSubject } from '../../src/store/tenants/subjects.ts'
import { AUDIENCE } from '../support/signOn/issuer.ts'
import { useIssuer } from '../support/signOn/useIssuer.ts'
import { useMarket } from '../support/useMarket.ts'

const issuer = useIssuer()
const settings = (more: NodeJS.ProcessEnv = {}) => readConfig({ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE, ...more }).signOn
const market = useMarket(() => ({ signOn: settings() }))

const BUYER = { tenant: 'acme', side: 'buyer', scope: SIDE_SCOPES.buyer.join(' ') }
const SELLER = { tenant: 'cable', side: 'seller', scope: SIDE_SCOPES.seller.join(' ') }
const get = (token: string, path = '/orders') => market.request.get(`/v1${path}`).auth(token, { type: 'bearer' })
const now = () => Math.floor(Date.now() / 1_000)

describe('a token of the issuer: 200', () => {
  it('reads and writes for its tenant with its scopes, as a token of the service does', async () => {
    const buyer = await issuer.token(BUYER)
    const created = await market.request.post('/v1/orders').auth(buyer, { type: 'bearer' }).send(market.order())
    expect(created.status).toBe(201)
    expect((await get(market.tokens.buyers.acme, `/orders/${created.body.order_id}`)).status).toBe(200)
    expect((await get(buyer, `/orders/${created.body.order_id}`)).status).toBe(200)
    expect((await get(await issuer.token({ ...BUYER, tenant: 'zenith' }), `/orders/${created.body.order_id}`)).status).toBe(404)
  })

  it.each(['RS256', 'ES256', 'EdDSA'] as const)('is accepted under %s, within 30 s of its times', async (alg) => {
    const token = await issuer.signed({ ...BUYER, exp: now() - 10, nbf: now() + 10 }, { alg })
    expect((await get(token)).status).toBe(200)
  })

  it('may name its scopes in a list, beside scopes of others', async () => {
    const token = await issuer.signed({ ...BUYER, scope: ['openid', 'orders:read'] })
    expect((await get(token)).status).toBe(200)
    const { status, body } = await get(token, '/audit')
    expect([status, body.details]).toEqual([403, { required_scope: 'audit:read' }])
  })

  it('may name several audiences', async () => {
    expect((await get(await issuer.signed({ ...BUYER, aud: ['https://other.example', AUDIENCE] }))).status).toBe(200)
  })
})

describe('a token of the issuer: 401', () => {
  const refused = async (token: string, message: RegExp) => {
    const { status, body, headers } = await get(token)
    expect([status, body.error_code, body.error_message]).toEqual([401, 'UNAUTHENTICATED', expect.stringMatching(message)])
    expect(headers['www-authenticate']).toBe('Bearer')
  }
  const parts = (header: object, claims: object) =>
    [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')

  it('for another audience, another issuer, a token that has expired or is not valid yet', async () => {
    await refused(await issuer.signed({ ...BUYER, aud: 'https://other.example' }), /its aud must name https:\/\/orders\.example\.com/)
    await refused(await issuer.signed({ ...BUYER, iss: 'https://other.example' }), /its iss must be/)
    await refused(await issuer.signed({ ...BUYER, iss: `${issuer.url}/` }), /its iss must be/)
    await refused(await issuer.signed({ ...BUYER, exp: now() - 40 }), /has expired/)
    await refused(await issuer.signed({ ...BUYER, nbf: now() + 600 }), /not valid yet/)
    await refused(await issuer.signed({ ...BUYER, exp: undefined }), /its claim exp is missing/)
    await refused(await issuer.signed({ ...BUYER, sub: undefined }), /its claim sub is missing/)
    await refused(await issuer.signed({ ...BUYER, nbf: 'soon' as unknown as number }), /its claim nbf is missing or wrong/)
  })

  it('without a signature, with the public key as the secret of HS256, with an algorithm that is not on the list', async () => {
    const claims = { iss: issuer.url, aud: AUDIENCE, sub: 'ada', exp: now() + 600, ...BUYER }
    const { kid } = issuer.publicKey()
    for (const alg of ['none', 'None', 'NONE'])
      await refused(`${parts({ alg, kid }, claims)}.`, /its alg must be RS256, ES256, EdDSA|not a signed token/)
    for (const secret of [JSON.stringify(issuer.publicKey()), String(issuer.publicKey().n)]) {
      const forged = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: String(kid) }).sign(Buffer.from(secret.padEnd(32)))
      await refused(forged, /its alg must be/)
    }
  })

  it('with a signature over other claims, another algorithm, or none at all', async () => {
    const [own, other] = [await issuer.signed(BUYER), await issuer.signed({ ...BUYER, tenant: 'zenith' })]
    const [header, claims] = other.split('.')
    const signature = own.split('.')[2]
    await refused(`${header}.${claims}.${signature}`, /its signature is wrong/)
    await refused(`${header}.${claims}.`, /its signature is wrong|not a signed token/)
    await refused(
      `${parts({ alg: 'RS256', kid: issuer.publicKey().kid, jwk: issuer.publicKey() }, {})}.${signature}`,
      /its signature is wrong/,
    )
    await refused('e30.e30.e30', /not a signed token|its alg/)
    await refused('a.b.c', /not a signed token/)
  })

  it('repeats no part of the token', async () => {
    const token = await issuer.signed({ ...BUYER, exp: now() - 40 })
    const { text, headers } = await get(token)
    for (const part of token.split('.')) expect(text + JSON.stringify(headers)).not.toContain(part)
  })
})

describe('a token of the issuer: 403', () => {
  it.each<[string, object, string | undefined, RegExp]>([
    ['no tenant', { tenant: undefined }, 'tenant', /The claim tenant of the token must be 1 to 100 letters.*; it is missing\./],
    ['a tenant that is not a string', { tenant: ['acme'] }, 'tenant', /it is \["acme"\]/],
    ['a tenant of another form', { tenant: "acme' or 1=1" }, 'tenant', /must be 1 to 100/],
    ['an unknown tenant', { tenant: 'nobody' }, undefined, /names the tenant nobody, which does not exist here/],
    ['the other side', { side: 'seller', scope: 'orders:approve' }, undefined, /says that acme is a seller; it is a buyer/],
    ['no side', { side: undefined }, 'side', /The claim side of the token must be buyer or seller.*; it is missing\./],
    ['an unknown side', { side: 'constructor' }, 'side', /it is "constructor"/],
    [
      'the side of operators',
      { tenant: 'operations', side: 'operator', scope: 'ops:read' },
      'side',
      /must be buyer or seller; it is "operator"/,
    ],
    ['no scope', { scope: undefined }, 'scope', /must be a text of scopes.*; it is missing\./],
    ['a scope that is not a string', { scope: { all: true } }, 'scope', /it is \{"all":true\}/],
    ['no scope of ours', { scope: 'openid profile' }, 'scope', /has no scope of a buyer; it can hold orders:write/],
    ['a scope of the other side', { scope: 'orders:read orders:approve' }, 'scope', /has orders:approve, which a buyer cannot hold/],
    ['a long subject', { sub: 'x'.repeat(256) }, 'sub', /sub of the token must be 1 to 255/],
    ['a subject with a null', { sub: 'a\u0000b' }, 'sub', /sub of the token must be/],
  ])('for %s', async (_, claims, claim, message) => {
    const { status, body } = await get(await issuer.signed({ ...BUYER, ...claims }))
    expect([status, body.error_code, body.error_message]).toEqual([403, 'FORBIDDEN', expect.stringMatching(message)])
    expect(body.details).toEqual(claim === undefined ? {} : { claim })
  })

  it('creates nothing', async () => {
    const { rows } = await market.owner().query(`select entity from tenants where entity = 'nobody'`)
    expect(rows).toEqual([])
  })
})

describe('the subject of a token', () => {
  it('is in the audit log, once as admitted and then with what it does', async () => {
    const token = await issuer.signed({ ...SELLER, sub: 'auditor' })
    expect((await market.request.put('/v1/me/buyers/zenith').auth(token, { type: 'bearer' }).send({ status: 'suspended' })).status).toBe(
      200,
    )
    expect((await market.request.put('/v1/me/buyers/zenith').auth(token, { type: 'bearer' }).send({ status: 'active' })).status).toBe(200)
    const { body } = await get(token, '/me/audit?limit=3')
    const [{ credential_id }] = body.items
    const common = { via: 'api', subject: 'auditor', credential_id, last_four: null, person: null }
    const entry = (more: object) => expect.objectContaining({ ...common, ...more })
    const admitted = entry({ action: 'subject.admitted', target: credential_id, after: { issuer: issuer.url, subject: 'auditor' } })
    expect(body.items).toHaveLength(3)
    // The two oldest come from one request and may share a millisecond, within which ids have no order.
    expect(body.items.slice(1)).toEqual(expect.arrayContaining([admitted, entry({ action: 'buyer.changed' })]))
    expect(body.items[0]).toEqual(entry({ action: 'buyer.changed' }))
    expect(credential_id).toMatch(/^sub_/)
  })

  it('is one subject for all of its tokens at a tenant, and a separate one at another tenant', async () => {
    const tokens = [BUYER, { ...BUYER, jti: 'second' }, { ...BUYER, tenant: 'zenith' }].map((said) =>
      issuer.signed({ ...said, sub: 'both' }),
    )
    await Promise.all(tokens.map(async (token) => expect((await get(await token)).status).toBe(200)))
    const both = (await listSubjects(market.deps.db)).filter(({ subject }) => subject === 'both')
    expect(both.map(({ entity }) => entity).sort()).toEqual(['acme', 'zenith'])
  })

  it('is admitted once when its first requests come at the same time', async () => {
    const tokens = await Promise.all(Array.from({ length: 8 }, (_, n) => issuer.signed({ ...BUYER, sub: 'crowd', jti: `${n}` })))
    expect((await Promise.all(tokens.map((token) => get(token)))).map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect((await listSubjects(market.deps.db)).filter(({ subject }) => subject === 'crowd')).toHaveLength(1)
  })

  it('is refused within five seconds of its revocation, with its webhooks, and accepted again when it is restored', async () => {
    const { oidc, db, refusedSignIns } = market.deps
    let at = Date.now()
    const authenticate = authenticator([oidcSignIn(db, oidc as NonNullable<typeof oidc>)], refusedSignIns, () => at)
    const token = await issuer.signed({ ...BUYER, sub: 'leaver' })
    const endpoint = await market.request
      .post('/v1/webhooks/endpoints')
      .auth(token, { type: 'bearer' })
      .send({ url: 'https://receiver.example/leaver' })
    expect([endpoint.status, endpoint.body.credential_id]).toEqual([201, expect.stringMatching(/^sub_/)])
    const bearing = { headers: { authorization: `Bearer ${token}` } } as Request
    expect(await authenticate(bearing)).toMatchObject({ entity: 'acme' })
    const subject = (await listSubjects(db)).find((one) => one.subject === 'leaver')?.subject_id ?? ''
    expect(await revokeSubject(db, subject)).toEqual({ stopped: 1 })
    expect(await revokeSubject(db, subject)).toBeUndefined()
    at += 5_000
    const message = 'The token is not valid: its subject was revoked.'
    await expect(authenticate(bearing)).rejects.toMatchObject({ code: 'UNAUTHENTICATED', message })
    const fresh = await issuer.signed({ ...BUYER, sub: 'leaver', jti: 'fresh' })
    const refused = await get(fresh)
    expect([refused.status, refused.body.error_message]).toEqual([401, message])
    await refusedSignIns.flush()
    const { body } = await get(market.tokens.buyers.acme, '/audit?action=sign_in.refused')
    expect(body.items[0]).toMatchObject({ subject: 'leaver', after: { reason: 'revoked' } })
    expect(await restoreSubject(db, subject)).toBe(true)
    expect((await get(fresh)).status).toBe(200)
  })

  it('outlives its token: what it has set up stays, and the token is refused even while it is remembered', async () => {
    const token = await issuer.signed({ ...BUYER, sub: 'brief', exp: now() + 60 })
    const { body } = await market.request
      .post('/v1/webhooks/endpoints')
      .auth(token, { type: 'bearer' })
      .send({ url: 'https://receiver.example/brief' })
    const { rows } = await market.owner().query('select authorized_until from webhook_endpoints where endpoint_id = $1', [body.endpoint_id])
    expect(rows).toEqual([{ authorized_until: null }])
    const { oidc, db, refusedSignIns } = market.deps
    let at = Date.now()
    const authenticate = authenticator([oidcSignIn(db, oidc as NonNullable<typeof oidc>)], refusedSignIns, () => at)
    const bearing = { headers: { authorization: `Bearer ${token}` } } as Request
    expect(await authenticate(bearing)).toMatchObject({ entity: 'acme', expires_at: null })
    at += 95_000
    await expect(authenticate(bearing)).rejects.toEqual(
      expect.objectContaining({ code: 'UNAUTHENTICATED', message: 'The token has expired.' }),
    )
  })
})

describe('OIDC_CREATE_TENANTS', () => {
  const open = useMarket(() => ({ signOn: settings({ OIDC_CREATE_TENANTS: 'true', OIDC_TENANT_CLAIM: 'https://market.example/org' }) }))
  const asNew = (tenant: string, side: Side) =>
    issuer.signed({ 'https://market.example/org': tenant, side, scope: SIDE_SCOPES[side].join(' ') })

  it('creates the tenant that a token names, with the rights of its side', async () => {
    const [buyer, seller] = [await asNew('new-agency', 'buyer'), await asNew('new-network', 'seller')]
    const send = (token: string, path: string) => open.request.get(`/v1${path}`).auth(token, { type: 'bearer' })
    expect((await send(buyer, '/orders')).status).toBe(200)
    expect((await send(seller, '/me/orders')).status).toBe(200)
    expect((await send(seller, '/me/capabilities')).status).toBe(200)
    const { body } = await send(buyer, '/sellers')
    expect(body.sellers.map((row: { seller: string }) => row.seller)).toContain('new-network')
    expect((await send(await asNew('new-agency', 'seller'), '/me/orders')).status).toBe(403)
    expect((await send(await asNew('new agency', 'buyer'), '/orders')).status).toBe(403)
  })
})
