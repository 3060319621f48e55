import { describe, expect, it } from '@jest/globals'
import type { SecurityEvent } from '../../src/contract/securityEvent.ts'
import { issueCredential, revokeCredential } from '../../src/store/tenants/credentials.ts'
import { newToken } from '../../src/store/tenants/token.ts'
import { A_MAPPING } from '../support/drops/mappings.ts'
import type { Tenant } from '../support/market.ts'
import { anAgreement } from '../support/orders/published.ts'
import { runProgram } from '../support/runProgram.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket({ trustedProxies: ['127.0.0.1'] })

type Events = SecurityEvent[]
const auditOf = async (tenant: Tenant, path: '/audit' | '/me/audit', query = ''): Promise<Events> => {
  const { status, body } = await tenant.get(`${path}${query}`)
  expect([status, body.next_cursor === null || typeof body.next_cursor === 'string']).toEqual([200, true])
  return body.items
}
const sellers = (query?: string) => auditOf(market.cable, '/me/audit', query)
const newest = async (query?: string) => (await sellers(query))[0] as SecurityEvent

describe('GET /me/audit: 200', () => {
  it('shows who changed what, when and from where, with the old and the new values', async () => {
    const began = new Date().toISOString()
    await market.cable.put('/me/capabilities', { negotiation: true })
    const { body } = await market.cable.get('/me/audit')
    const { credential_id, ...event } = body.items[0]
    expect(event).toEqual({
      event_id: expect.stringMatching(/^sec_/),
      occurred_at: expect.any(String),
      action: 'capabilities.changed',
      via: 'api',
      last_four: market.cable.token.slice(-4),
      subject: null,
      source_ip: '127.0.0.1',
      person: null,
      target: null,
      before: { negotiation: false },
      after: { negotiation: true },
      times: 1,
    })
    expect(credential_id).toMatch(/^cred_/)
    expect(event.occurred_at >= began).toBe(true)
  })

  it.each<[string, () => Promise<unknown>, Partial<SecurityEvent>]>([
    [
      'rules',
      () => market.cable.put('/me/approval-rules', { rules: [{ id: 'small', when: { max_gross: 5 }, then: 'approve' }] }),
      { action: 'approval_rules.changed', after: { order: ['small'], 'rule:small': { when: { max_gross: 5 }, then: 'approve' } } },
    ],
    [
      'a new agreement',
      () => market.cable.put('/me/agreements/agr-granted', anAgreement()),
      { action: 'agreement.granted', target: 'agr-granted', before: null },
    ],
    [
      'a changed one',
      async () => {
        await market.cable.put('/me/agreements/agr-changed', anAgreement())
        await market.cable.put('/me/agreements/agr-changed', anAgreement({ credit_limit: 10 }))
      },
      { action: 'agreement.changed', target: 'agr-changed', before: {}, after: { credit_limit: 10 } },
    ],
    [
      'a suspended buyer',
      () => market.cable.put('/me/buyers/zenith', { status: 'suspended' }),
      { action: 'buyer.changed', target: 'zenith', before: { status: 'active' }, after: { status: 'suspended' } },
    ],
    [
      'a secret',
      () => market.cable.put('/me/secrets/pull', { value: 'canary-value' }),
      { action: 'secret.set', target: 'pull', after: null },
    ],
    [
      'a mapping of files',
      () => market.cable.put('/me/files/mappings/audited', A_MAPPING),
      { action: 'mapping.changed', target: 'audited', before: null, after: A_MAPPING },
    ],
    [
      'a mapping that is deleted',
      async () => {
        await market.cable.put('/me/files/mappings/deleted', A_MAPPING)
        for (const _ of [1, 2]) await market.cable.delete('/me/files/mappings/deleted')
      },
      { action: 'mapping.deleted', target: 'deleted', after: null },
    ],
    [
      'a queue',
      () => market.cable.put('/events/queue', { statuses: ['placed'] }),
      { action: 'queue.changed', after: { events: null, statuses: ['placed'] } },
    ],
    [
      'a queue that is deleted',
      async () => {
        await market.cable.put('/events/queue', {})
        await market.cable.delete('/events/queue')
      },
      { action: 'queue.deleted' },
    ],
  ])('has %s', async (_, act, expected) => {
    await act()
    expect(await newest()).toMatchObject(expected)
  })

  it('has every act on an endpoint, and never a secret', async () => {
    const { body } = await market.cable.post('/webhooks/endpoints', { url: 'https://hooks.example.com/canary-path?token=canary' })
    const path = `/webhooks/endpoints/${body.endpoint_id}`
    const rotated = await market.cable.post(`${path}/rotate-secret`, undefined)
    await market.cable.delete(path)
    await market.cable.delete(path)
    const events = (await sellers()).filter(({ target }) => target === body.endpoint_id)
    expect(events.map(({ action }) => action)).toEqual([
      'webhook_endpoint.deleted',
      'webhook_endpoint.secret_rotated',
      'webhook_endpoint.registered',
    ])
    expect(events[2]?.after).toEqual({ host: 'hooks.example.com', events: null, statuses: null })
    const text = JSON.stringify(await sellers('?limit=200'))
    for (const secret of ['canary', body.secret, rotated.body.secret, market.cable.token]) expect(text).not.toContain(secret)
  })

  it('has no entry for a change that changes nothing, or that was refused', async () => {
    const put = () => market.cable.put('/me/buyers/acme', { allowlisted: true })
    await put()
    const last = await newest()
    await put()
    await market.cable.put('/me/capabilities', { approval: 'pull' })
    expect(await newest()).toEqual(last)
  })

  it('is filtered by action and time, and paged', async () => {
    const page = await market.cable.get('/me/audit?limit=2')
    const rest = await market.cable.get(`/me/audit?limit=200&cursor=${page.body.next_cursor}`)
    expect([...page.body.items, ...rest.body.items]).toEqual(await sellers('?limit=200'))
    for (const credit_limit of [5, 6]) await market.cable.put('/me/agreements/agr-filtered', anAgreement({ credit_limit }))
    await market.cable.put('/me/buyers/bolt', { status: 'suspended' })
    const agreements = await sellers('?action=agreement.granted,agreement.changed')
    const filtered = agreements.filter(({ target }) => target === 'agr-filtered')
    expect(filtered.map(({ action }) => action)).toEqual(['agreement.changed', 'agreement.granted'])
    expect(new Set(agreements.map(({ action }) => action.split('.')[0]))).toEqual(new Set(['agreement']))
    const [{ occurred_at = '' } = {}] = agreements
    expect((await sellers(`?from=${occurred_at}`)).at(-1)).toEqual(agreements[0])
    const earlier = await sellers(`?to=${occurred_at}&action=agreement.changed`)
    expect(earlier.map(({ target }) => target)).not.toContain('agr-filtered')
  })

  it("is its tenant's alone", async () => {
    await market.cable.put('/me/agreements/agr-own', anAgreement())
    expect((await newest()).target).toBe('agr-own')
    const text = JSON.stringify([await auditOf(market.station, '/me/audit'), await auditOf(market.acme, '/audit')])
    expect(text).not.toContain('agr-own')
    expect(text).not.toContain('agreement.granted')
  })
})

describe('GET /me/audit: 422', () => {
  it.each(['?action=nothing', '?from=yesterday', '?limit=0', '?cursor=x'])('refuses %s', async (query) => {
    expect((await market.cable.get(`/me/audit${query}`)).status).toBe(422)
  })
})

describe('tokens in the audit log', () => {
  it('has those issued and revoked, by the command line and by the platform', async () => {
    const run = (...args: string[]) => runProgram('src/cli/token', args, { DATABASE_URL: market.databaseUrl })
    const token = (await run('issue', '--tenant', 'station', '--side', 'seller', '--scopes', 'audit:read')).out.trim()
    expect((await run('revoke', token)).out).toBe('revoked\n')
    const [revoked, issued] = await auditOf(market.station, '/me/audit')
    expect(issued).toMatchObject({
      action: 'token.issued',
      via: 'command_line',
      credential_id: null,
      source_ip: null,
      person: null,
      after: { scopes: ['audit:read'], gate: 'api', last_four: token.slice(-4) },
    })
    expect(revoked).toMatchObject({ action: 'token.revoked', via: 'command_line', target: issued?.target })
    expect((await auditOf(market.station, '/me/audit')).at(-1)).toMatchObject({ action: 'token.issued', via: 'platform' })
  })
})

describe('refused sign-ins', () => {
  const use = (token: string, from = '203.0.113.7') =>
    market.request.get('/v1/orders').auth(token, { type: 'bearer' }).set('X-Forwarded-For', from)
  const refused = () => auditOf(market.zenith, '/audit', '?action=sign_in.refused&limit=200')

  it('are entries of the tenant whose credential was used: one immediately, and one for the rest of the minute', async () => {
    const { token, credential_id } = await issueCredential(market.deps.db, { entity: 'zenith', side: 'buyer', kind: 'test' })
    await revokeCredential(market.deps.db, credential_id)
    for (let n = 0; n < 20; n += 1) expect((await use(token)).status).toBe(401)
    await market.deps.refusedSignIns.flush()
    const events = await refused()
    expect(events.map(({ times }) => times).reduce((sum, times) => sum + times)).toBe(20)
    expect(events.length).toBe(2)
    expect(events[0]).toMatchObject({ credential_id, source_ip: '203.0.113.7', after: { reason: 'revoked' }, last_four: token.slice(-4) })
  })

  it('make few rows of a flood from many addresses, and none of unknown tokens', async () => {
    const before = new Set((await refused()).map(({ event_id }) => event_id))
    const { token } = await issueCredential(market.deps.db, { entity: 'zenith', side: 'buyer', kind: 'test', ttlSeconds: -1 })
    for (let n = 0; n < 60; n += 1) expect((await use(token, `198.51.100.${n}`)).status).toBe(401)
    for (let n = 0; n < 10; n += 1) expect((await use(newToken('test'))).status).toBe(401)
    await market.deps.refusedSignIns.flush()
    const events = (await refused()).filter(({ event_id }) => !before.has(event_id))
    expect(events.length).toBeLessThanOrEqual(7)
    expect(events.map(({ times }) => times).reduce((sum, times) => sum + times)).toBe(60)
    expect(events.some(({ source_ip }) => source_ip === null)).toBe(true)
  })
})

describe('the source of an act without trusted proxies', () => {
  const direct = useMarket()

  it('is the peer itself, with any X-Forwarded-For', async () => {
    await direct.request
      .put('/v1/me/buyers/acme')
      .auth(direct.cable.token, { type: 'bearer' })
      .set('X-Forwarded-For', '203.0.113.7')
      .send({ allowlisted: true })
    const [event] = await auditOf(direct.cable, '/me/audit')
    expect(event?.source_ip).toBe('127.0.0.1')
  })
})

describe('past the bound of a day', () => {
  it('an act is 429 and not done; the operator still revokes', async () => {
    await market.deps.db.pool.query(
      `insert into security_events (event_id, entity, side, action, via)
       select 'sec_zz' || n, 'station', 'seller', 'secret.set', 'api' from generate_series(1, 10000) n`,
    )
    const reply = await market.station.put('/me/buyers/acme', { status: 'suspended' })
    expect([reply.status, reply.body.details]).toEqual([
      429,
      { limit: 'audited acts', most: 10_000, window_s: 86_400, retry_after: expect.any(Number) },
    ])
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(86_000)
    expect((await market.station.get('/me/buyers/acme')).body.status).toBe('active')
    expect(await revokeCredential(market.deps.db, market.station.token)).toEqual({ stopped: 0 })
  })
})
