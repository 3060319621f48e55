import { describe, expect, it } from '@jest/globals'
import { ENDPOINTS } from '../../src/contract/endpoints/groups.ts'
import { claimKey, deleteOldRequestKeys, KEYS_PER_TENANT } from '../../src/store/requests/requestKeys.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()

const post = async (path: string, body: unknown, key: string, tenant = market.acme) => {
  const headers = { 'idempotency-key': key }
  const reply = await market.request
    .post(`/v1${path}`)
    .auth(tenant.token, { type: 'bearer' })
    .set(headers)
    .send(body as object)
  return { status: reply.status, body: reply.body, text: reply.text, replayed: reply.headers['x-idempotent-replay'] }
}
const creative = { creative_code: 'C-1', name: 'Spot', length_seconds: 30 }
const count = async (table: string) => Number((await market.owner().query(`select count(*) from ${table}`)).rows[0].count)

describe('Idempotency-Key', () => {
  /** A POST that makes nothing twice without one, and why. */
  const WITHOUT: Readonly<Record<string, string>> = {
    createOrder: 'external_order_id is its key',
    previewOrder: 'makes nothing',
    confirmOrder: 'an exact repeat is recognized',
    cancelOrder: 'an order is canceled once',
    respondOrder: 'an order is answered once',
    decideOrder: 'an exact repeat is recognized',
    planOrder: 'plan_id is its key',
    requestAvails: 'the same question is one request',
    archiveCreative: 'a creative is archived once',
    registerDrop: 'the hashes of its files are its key',
    enableWebhookEndpoint: 'an active endpoint stays active',
    markInvoicePaid: 'an invoice is paid once',
    issueInvoicesAsOf: 'each month is invoiced once',
    wakeOrder: 'an order that is awake stays so',
    resendDelivery: 'operators look first',
    elapseDeadline: 'a deadline passes once',
    elapseHold: 'a hold ends once',
  }

  it('is taken by every POST that makes something', () => {
    const without = ENDPOINTS.filter(({ method, headers }) => method === 'post' && !('Idempotency-Key' in (headers?.shape ?? {})))
    expect(without.map(({ name }) => name).filter((name) => WITHOUT[name] === undefined)).toEqual([])
  })

  it.each([
    ['/creatives', creative, 'creatives', 201],
    ['/uploads', { filename: 'a.csv', format: 'csv', size_bytes: 10, sha256: 'a'.repeat(64) }, 'uploads', 201],
    ['/webhooks/endpoints', { url: 'https://hooks.acme.example/' }, 'webhook_endpoints', 201],
  ] as const)('makes a POST of %s once, and repeats its reply', async (path, body, table, status) => {
    const first = await post(path, body, 'k-1')
    expect([first.status, first.replayed]).toEqual([status, undefined])
    const before = await count(table)
    const again = await post(path, body, 'k-1')
    expect([again.status, again.text, again.replayed]).toEqual([status, first.text, 'true'])
    expect(await count(table)).toBe(before)
    expect((await post(path, body, 'k-2')).replayed).toBeUndefined()
    expect(await count(table)).toBe(before + 1)
  })

  it('makes one of many simultaneous requests', async () => {
    const before = await count('creatives')
    const replies = await Promise.all(Array.from({ length: 8 }, () => post('/creatives', creative, 'at-once')))
    expect(replies.filter(({ replayed, status }) => status === 201 && replayed === undefined)).toHaveLength(1)
    expect(replies.every(({ status, body }) => status === 201 || (status === 409 && /under way/.test(body.error_message)))).toBe(true)
    expect(await count('creatives')).toBe(before + 1)
  })

  it('is of one path and one body: others are 409, and other operations and tenants have their own', async () => {
    await post('/creatives', creative, 'one')
    const other = await post('/creatives', { ...creative, name: 'Other' }, 'one')
    expect([other.status, other.body.error_code, other.body.details.field]).toEqual([409, 'CONFLICT', 'Idempotency-Key'])
    expect((await post('/creatives', creative, 'one', market.zenith)).replayed).toBeUndefined()
    const [a, b] = [
      await post('/webhooks/endpoints', { url: 'https://a.example/' }, 'a'),
      await post('/webhooks/endpoints', { url: 'https://b.example/' }, 'b'),
    ]
    expect((await post(`/webhooks/endpoints/${a.body.endpoint_id}/test`, undefined, 'ping')).status).toBe(202)
    expect((await post(`/webhooks/endpoints/${b.body.endpoint_id}/test`, undefined, 'ping')).status).toBe(409)
  })

  it('is not used up by a refusal', async () => {
    expect((await post('/creatives', { ...creative, length_seconds: 0 }, 'refused')).status).toBe(422)
    expect((await post('/creatives', creative, 'refused')).status).toBe(201)
  })

  it('keeps no secret in the clear', async () => {
    const { body } = await post('/webhooks/endpoints', { url: 'https://secret.acme.example/' }, 'sealed')
    const { rows } = await market.owner().query('select encode(reply, $1) as reply from request_keys', ['escape'])
    expect(rows.some(({ reply }: { reply: string }) => reply.includes(body.secret))).toBe(false)
  })

  it('is free again after two minutes if its process died, and forgotten after two days', async () => {
    const { db, secrets } = market.deps
    const place = { tenant: 'acme', operation: 'createCreative' }
    const key = { key: 'died', body_hash: Buffer.alloc(32) }
    const sighted = db.as(['acme'])
    expect(await claimKey(sighted, secrets, place, key)).toBeUndefined()
    expect(await claimKey(sighted, secrets, place, key)).toBe('under_way')
    await market.owner().query(`update request_keys set created_at = now() - interval '3 minutes' where key = 'died'`)
    expect(await claimKey(sighted, secrets, place, key)).toBeUndefined()
    await market.owner().query(`update request_keys set created_at = now() - interval '3 days' where key = 'died'`)
    expect(await deleteOldRequestKeys({ pool: market.owner() }, 100)).toBe(1)
  })

  it('is bounded by tenant: 429 with the name of the bound', async () => {
    await market
      .owner()
      .query(
        `insert into request_keys (tenant, operation, key, body_hash) select 'zenith', 'o', n::text, '' from generate_series(1, $1::int) n`,
        [KEYS_PER_TENANT],
      )
    const { status, body } = await post('/creatives', creative, 'one too many', market.zenith)
    expect([status, body.details.limit ?? body.details.field]).toEqual([422, 'Idempotency-Key'])
    const beyond = await post('/creatives', creative, 'one-too-many', market.zenith)
    expect([beyond.status, beyond.body.details]).toEqual([
      429,
      expect.objectContaining({ limit: 'idempotency keys', most: KEYS_PER_TENANT }),
    ])
    expect((await post('/creatives', creative, 'fine')).status).toBe(201)
  })
})
