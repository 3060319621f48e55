import { describe, expect, it } from '@jest/globals'
import { issueCredential } from '../../../src/store/tenants/credentials.ts'
import type { Market } from '../../support/market.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const production = useMarket({ mode: 'production' })

const EDI = { to: 'billing@agency.example' }
const grant = (edi: unknown, id = 'agr-edi', { cable }: Pick<Market, 'cable'> = market) =>
  cable.put(`/me/agreements/${id}`, { buyer_entity: 'acme', effective: { start: '2020-01-01', end: '2099-12-31' }, edi })

describe('PUT /me/agreements/{agreement_id} with edi: 200 and 201', () => {
  const mailing = useMarket(() => ({ mode: 'production', mail: market.deps.mail }))

  it('is kept, and both sides read it', async () => {
    const edi = { ...EDI, formats: ['scx', 'csv'], buy_type: 'weekly', nsi_id: 501, syscode: '7890', system_name: 'Cable One' }
    const granted = await grant(edi)
    expect([granted.status, granted.body.edi]).toEqual([201, edi])
    expect((await market.cable.get('/me/agreements/agr-edi')).body.edi).toEqual(edi)
    const { items } = (await market.acme.get('/agreements')).body
    expect(items).toEqual([expect.objectContaining({ agreement_id: 'agr-edi', edi })])
    expect((await market.zenith.get('/agreements')).body.items).toEqual([])
  })

  it('is removed by a PUT without it', async () => {
    expect((await grant(EDI)).body.edi).toEqual(EDI)
    expect((await grant(undefined)).body).not.toHaveProperty('edi')
  })

  it('is kept in production where mail is set up', async () => {
    expect((await grant(EDI, 'agr-live', mailing)).body.edi).toEqual(EDI)
  })
})

describe('PUT /me/agreements/{agreement_id} with edi: 403', () => {
  it('refuses a credential that may not decide orders, unless edi stays unchanged', async () => {
    const { token } = await issueCredential(market.deps.db, {
      entity: 'cable',
      side: 'seller',
      kind: 'test',
      scopes: ['catalog:write', 'orders:read'],
    })
    const narrow = { cable: market.tenant(token) }
    const refused = async (edi: unknown) => {
      const { status, body } = await grant(edi, 'agr-narrow', narrow)
      expect([status, body.error_code, body.details.required_scope]).toEqual([403, 'FORBIDDEN', 'orders:approve'])
    }
    await refused(EDI)
    expect((await market.cable.get('/me/agreements/agr-narrow')).status).toBe(404)
    await grant(EDI, 'agr-narrow')
    await refused({ to: 'other@agency.example' })
    await refused({ ...EDI, buy_type: 'weekly' })
    expect((await grant(EDI, 'agr-narrow', narrow)).body.edi).toEqual(EDI)
  })
})

describe('PUT /me/agreements/{agreement_id} with edi: 422', () => {
  it.each([
    'x@y>\r\nRCPT TO:<evil@x',
    'a@b.example\r\nBcc: evil@x.example',
    'a@b.example, c@d.example',
    '"a b"@c.example',
    'a@[127.0.0.1]',
    'a@münchen.example',
    'a@agency',
    'Billing <a@b.example>',
    'a%b@c.example',
    '',
  ])('refuses edi.to %j', async (to) => {
    const { status, body } = await grant({ to })
    expect([status, body.error_code, body.details.field]).toEqual([422, 'INVALID_INPUT', 'edi.to'])
  })

  it.each([
    ['edi.to', {}],
    ['edi.to', { to: ['a@b.example'] }],
    ['edi.formats', { ...EDI, formats: [] }],
    ['edi.formats', { ...EDI, formats: ['scx', 'scx'] }],
    ['edi.formats.0', { ...EDI, formats: ['pdf'] }],
    ['edi.buy_type', { ...EDI, buy_type: 'monthly' }],
    ['edi.nsi_id', { ...EDI, nsi_id: -1 }],
    ['edi.syscode', { ...EDI, syscode: '12' }],
    ['edi.system_name', { ...EDI, system_name: 'x'.repeat(256) }],
    ['edi.cc', { ...EDI, cc: 'c@d.example' }],
  ])('refuses %s of %j', async (field, edi) => {
    const { status, body } = await grant(edi)
    expect([status, body.details.field]).toEqual([422, field])
  })

  it('refuses edi where no mail is set up', async () => {
    const { status, body } = await grant(EDI, 'agr-live', production)
    expect([status, body.details.field]).toEqual([422, 'edi'])
    expect((await grant(undefined, 'agr-live', production)).status).toBe(201)
  })
})
