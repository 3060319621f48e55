import { describe, expect, it } from '@jest/globals'
import { SIDE_SCOPES } from '../../src/contract/vocabulary/access.ts'
import { forgedCredential } from '../support/access/accessWorld.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()

describe('GET /credential: 200', () => {
  it('says who the caller is, on every side', async () => {
    for (const [tenant, entity, side] of [
      [market.acme, 'acme', 'buyer'],
      [market.cable, 'cable', 'seller'],
      [market.operations, 'operations', 'operator'],
    ] as const) {
      const { status, body, text } = await tenant.get('/credential')
      expect([status, body]).toMatchObject([200, { entity, side, expires_at: null, person: null, mode: 'sandbox' }])
      expect(new Set(body.scopes)).toEqual(new Set(SIDE_SCOPES[side]))
      expect(Math.abs(Date.parse(body.server_time) - Date.now())).toBeLessThan(60_000)
      expect(text).not.toContain(tenant.token)
    }
  })

  it('needs no scope, and shows those that others imply', async () => {
    const end = '2999-01-01T00:00:00.000Z'
    const none = market.tenant(await forgedCredential(market, 'acme', 'buyer', { scopes: [], expires_at: end }))
    expect((await none.get('/credential')).body).toMatchObject({ scopes: [], expires_at: end })
    const writes = market.tenant(await forgedCredential(market, 'acme', 'buyer', { scopes: ['orders:write'] }))
    expect((await writes.get('/credential')).body.scopes).toEqual(['catalog:read', 'orders:read', 'orders:write'])
  })
})
