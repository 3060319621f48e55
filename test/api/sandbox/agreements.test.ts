import { beforeAll, describe, expect, it } from '@jest/globals'
import { inventoryOf } from '../../../src/local/sandbox/inventory.ts'
import { issueCredential } from '../../../src/store/tenants/credentials.ts'
import { sandboxParties } from '../../support/sandboxParties.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

describe('the first read of a buyer', () => {
  beforeAll(async () => {
    const parties = await sandboxParties(market, ['sandbox-tv', 'sandbox-pull', 'seller-suspends-you'])
    market.beforeStop(() => parties.stop())
    parties.act()
    for (const [entity, token] of Object.entries(parties.tokens)) {
      const { catalog, rateCard, avails } = inventoryOf(entity, new Date().toISOString().slice(0, 10))
      for (const [path, body] of Object.entries({ catalog, 'rate-cards': rateCard, avails }))
        await market.tenant(token).put(`/me/${path}`, body)
    }
  })

  it('grants one agreement of each kind, whatever it reads, and no more later', async () => {
    const { catalog } = { catalog: (await market.acme.get('/sellers/sandbox-tv/catalog')).body.products }
    expect(catalog.map(({ product_id }: { product_id: string }) => product_id)).toContain('sbx-by-agreement')
    for (let time = 0; time < 2; time += 1) {
      const { items } = (await market.acme.get('/agreements')).body
      expect(items.map(({ agreement_id }: { agreement_id: string }) => agreement_id)).toEqual([
        'sbx-cleared-acme',
        'sbx-direct-acme',
        'sbx-permitted-acme',
      ])
    }
    expect((await market.acme.get('/settlement/credit?agreement=sbx-cleared-acme')).body).toMatchObject({
      credit_limit: 50_000,
      available: 50_000,
    })
  })

  it('grants them once to reads that come together', async () => {
    const reads = await Promise.all(Array.from({ length: 8 }, () => market.zenith.get('/agreements')))
    for (const { body } of reads) expect(body.items).toHaveLength(3)
  })

  it('has one seller suspend the buyer', async () => {
    const { avails } = (await market.acme.get('/sellers/seller-suspends-you/avails')).body
    const [{ period, rates }] = avails.filter(({ rates }: { rates: unknown[] }) => rates.length > 0).slice(-1)
    const { gross_rate_unit: unit_cost, rate_basis: _, ...rate } = rates[0]
    const line = {
      product_id: 'suspended',
      period,
      units: 1,
      spot_length: rate.spot_length,
      rate: { ...rate, unit_cost, spot_length: undefined },
    }
    const order = market.order({ seller: 'seller-suspends-you', line_items: [line] })
    expect((await market.acme.post('/orders', order)).body).toMatchObject({ error_code: 'FORBIDDEN' })
  })
})

describe('the first read of a buyer in production', () => {
  const production = useMarket({ mode: 'production' })

  it('grants nothing', async () => {
    await issueCredential(production.deps.db, { entity: 'sandbox-tv', side: 'seller', kind: 'test' })
    expect((await production.acme.get('/agreements')).body.items).toEqual([])
  })
})
