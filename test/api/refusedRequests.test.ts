import { describe, expect, it } from '@jest/globals'
import { refusedLog } from '../../api/http/refusedLog.ts'
import { trimRefused } from '../../src/store/requests/refusedRequests.ts'
import type { Tenant } from '../support/market.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()

async function listed(tenant: Tenant, query = '') {
  await market.deps.refusedRequests.flush()
  const { status, body } = await tenant.get(`/requests${query}`)
  expect(status).toBe(200)
  return body.items as Record<string, unknown>[]
}

describe('GET /requests: 200', () => {
  it('names what was refused, with its codes and pointers, and nothing that was sent', async () => {
    const secret = 'a-name-that-nobody-else-has'
    const order = market.order({ seller: '', buyer_metadata: { advertiser_id: secret, nonsense: 1 } })
    const refused = await market.acme.post('/orders?dry_run=false', order)
    expect(refused.status).toBe(422)
    const [entry] = await listed(market.acme, '?limit=1')
    expect(entry).toEqual({
      at: expect.any(String),
      request_id: refused.headers['x-request-id'],
      operation: 'createOrder',
      method: 'POST',
      path: '/v1/orders',
      status: 422,
      error_code: 'INVALID_INPUT',
      pointers: ['/seller', '/buyer_metadata/nonsense'],
      credential_id: expect.stringMatching(/^cred_/),
    })
    const { rows } = await market.owner().query('select r::text as row from refused_requests r')
    for (const { row } of rows) for (const text of [secret, 'dry_run', market.acme.token]) expect(row).not.toContain(text)
  })

  it('filters by time, status and request_id, and pages', async () => {
    const missing = await market.zenith.get('/orders/ord_x')
    await market.zenith.get('/orders?limit=0')
    await market.zenith.get('/orders/ord_y')
    expect((await listed(market.zenith)).map(({ status }) => status)).toEqual([404, 422, 404])
    expect(await listed(market.zenith, '?status=422')).toHaveLength(1)
    expect(await listed(market.zenith, `?request_id=${missing.headers['x-request-id']}`)).toHaveLength(1)
    expect(await listed(market.zenith, '?since=2999-01-01T00:00:00Z')).toEqual([])
    const first = (await market.zenith.get('/requests?limit=2')).body
    const second = (await market.zenith.get(`/requests?limit=2&cursor=${first.next_cursor}`)).body
    expect([first.items.length, second.items.length, second.next_cursor]).toEqual([2, 1, null])
    expect((await market.zenith.get('/requests?status=200')).status).toBe(422)
  })

  it('has nothing of other tenants, of served requests, and of requests without a credential', async () => {
    await market.station.get('/me/orders')
    await market.request.get('/v1/me/orders')
    expect(await listed(market.station)).toEqual([])
  })
})

describe('the log of refused requests', () => {
  const entry = (tenant: string) => ({
    ...{ tenant, at: new Date().toISOString(), request_id: 'r', operation: 'getOrder', method: 'GET', path: '/v1/orders/x' },
    ...{ status: 404, error_code: 'NOT_FOUND', pointers: [], credential_id: 'cred_x' },
  })
  const countOf = async (tenant: string) =>
    Number((await market.owner().query('select count(*) from refused_requests where tenant = $1', [tenant])).rows[0].count)

  it('takes of a flood the first hundred and then one a second, of each tenant by itself', async () => {
    let at = 0
    const log = refusedLog(market.deps.db, { now: () => at })
    for (let sent = 0; sent < 1_000; sent += 1) log.note(entry('cable'))
    at = 3_000
    for (let sent = 0; sent < 10; sent += 1) log.note(entry('cable'))
    log.note(entry('station'))
    await log.close()
    expect([await countOf('cable'), await countOf('station')]).toEqual([103, 1])
  })

  it('keeps the newest of a tenant that has too many', async () => {
    expect(await trimRefused({ pool: market.owner() }, 50, 10)).toBe(50)
    expect(await trimRefused({ pool: market.owner() }, 5_000, 10)).toBeGreaterThan(0)
    expect([await countOf('cable'), await countOf('station')]).toEqual([10, 1])
  })
})
