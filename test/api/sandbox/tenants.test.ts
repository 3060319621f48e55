import { describe, expect, it } from '@jest/globals'
import { FRESH_PER_DAY } from '../../../src/contract/vocabulary/bounds.ts'
import { makeFreshTenant } from '../../../src/store/tenants/freshTenants.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

describe('POST /sandbox/tenants: 201', () => {
  it('makes a buyer that reads and a seller that publishes, each for a week', async () => {
    const buyer = await market.cable.post('/sandbox/tenants', { side: 'buyer' })
    const seller = await market.acme.post('/sandbox/tenants', { side: 'seller', name: 'Run 4711' })
    for (const { status, body } of [buyer, seller]) {
      expect(status).toBe(201)
      expect(Date.parse(body.expires_at) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
    }
    expect((await market.tenant(buyer.body.token).get('/orders')).body.orders).toEqual([])
    expect((await market.tenant(seller.body.token).get('/me/capabilities')).status).toBe(200)
    const { sellers } = (await market.acme.get('/sellers')).body
    expect(sellers.find(({ seller: id }: { seller: string }) => id === seller.body.tenant).name).toBe('Run 4711')
    expect((await market.tenant(seller.body.token).get('/me/audit')).status).not.toBe(500)
  })

  it('is gone from the list of sellers, and its token ends, after a week', async () => {
    const { tenant, token } = (await market.zenith.post('/sandbox/tenants', { side: 'seller' })).body
    await market.owner().query(`update fresh_tenants set expires_at = now() - interval '1 s' where entity = $1`, [tenant])
    await market.owner().query(`update credentials set expires_at = now() - interval '1 s' where entity = $1`, [tenant])
    const ids = (await market.acme.get('/sellers')).body.sellers.map(({ seller }: { seller: string }) => seller)
    expect(ids).toContain('cable')
    expect(ids).not.toContain(tenant)
    expect((await market.tenant(token).get('/me/capabilities')).status).toBe(401)
  })
})

describe('POST /sandbox/tenants: 422', () => {
  it.each([
    [{}, 'side'],
    [{ side: 'operator' }, 'side'],
    [{ side: 'buyer', name: '' }, 'name'],
  ])('%j', async (body, field) => {
    expect(await market.acme.post('/sandbox/tenants', body)).toMatchObject({ status: 422, body: { details: { field } } })
  })
})

describe('POST /sandbox/tenants: 429', () => {
  it(`is the answer after ${FRESH_PER_DAY} of a credential, also at once, and to nobody else`, async () => {
    const answers = await Promise.all(
      Array.from({ length: FRESH_PER_DAY + 3 }, () => market.station.post('/sandbox/tenants', { side: 'buyer' })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(FRESH_PER_DAY)
    expect(answers.find(({ status }) => status === 429)?.body).toMatchObject({
      error_code: 'RATE_LIMITED',
      details: { limit: 'fresh tenants', most: FRESH_PER_DAY, window_s: 86_400 },
    })
    expect((await market.acme.post('/sandbox/tenants', { side: 'buyer' })).status).toBe(201)
  })
})

describe('a database that is not marked as one of a sandbox', () => {
  it('makes no tenant, whatever the API believes to be', async () => {
    await market.owner().query('delete from sandbox')
    const ask = { tenant: 'fresh_none', side: 'buyer', name: 'None', made_by: 'cred_none' } as const
    await expect(makeFreshTenant(market.deps.db, ask)).rejects.toThrow('not one of a sandbox')
    await market.owner().query('insert into sandbox default values')
  })
})
