import { describe, expect, it } from '@jest/globals'
import { anAgreement } from '../../support/orders/published.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

const path = '/me/agreements/agr-tried'
const tried = (body: object) => market.cable.put(`${path}?dry_run=true`, body)
const sees = async () => {
  const { body } = await market.acme.get('/sellers/cable/catalog')
  return (body.products as { product_id: string }[]).map(({ product_id }) => product_id).sort()
}

describe('PUT /me/agreements/{agreement_id}?dry_run=true', () => {
  it('says what the buyer would see before and after, as the grant then has it, and writes nothing', async () => {
    const seen = await sees()
    const overrides = [{ product_id: 'prime', pricing_policy: 'quote', avails_policy: 'withheld' }]
    const body = anAgreement({ catalog_scope: ['hidden', 'prime', 'nowhere'], disclosure_overrides: overrides })
    const { status, body: reply } = await tried(body)
    expect(status).toBe(200)
    expect(reply.effect).toMatchObject({
      new_buyer: true,
      unknown_products: ['nowhere'],
      before: { products: seen.length, priced: seen.length, with_avails: seen.length },
      after: { products: seen.length + 1, priced: seen.length, with_avails: seen.length },
      changed: 2,
      changes: [
        { product_id: 'hidden', product_title: 'Prime', before: null, after: { pricing_policy: 'published', avails_policy: 'published' } },
        { product_id: 'prime', before: { pricing_policy: 'published' }, after: { pricing_policy: 'quote', avails_policy: 'withheld' } },
      ],
    })
    expect(await sees()).toEqual(seen)
    expect((await market.cable.get(path)).status).toBe(404)
    expect((await market.cable.put(path, body)).status).toBe(201)
    expect(await sees()).toEqual([...seen, 'hidden'].sort())

    const ended = await tried({ ...body, status: 'ended' })
    expect(ended.body.effect).toMatchObject({ new_buyer: false, before: { products: seen.length + 1 }, after: { products: seen.length } })
    expect((await tried(body)).body.effect).toMatchObject({ changed: 0, changes: [] })
  })

  it('compares the first day of an agreement that begins later', async () => {
    const { body } = await tried(
      anAgreement({ buyer_entity: 'acme', catalog_scope: '*', effective: { start: '2040-01-01', end: '2040-12-31' } }),
    )
    expect(body.effect).toMatchObject({ as_of: '2040-01-01', after: { products: body.effect.before.products } })
  })

  it('refuses what the grant would', async () => {
    await market.cable.put('/me/agreements/agr-own', anAgreement({ external_ref: 'CRM-1' }))
    expect(await tried(anAgreement({ buyer_entity: 'acme', external_ref: 'CRM-1' }))).toMatchObject({
      status: 422,
      body: { error_code: 'DUPLICATE_EXTERNAL_REF' },
    })
    expect((await market.station.put('/me/agreements/agr-own?dry_run=true', anAgreement())).status).toBe(404)
    expect((await market.cable.put('/me/agreements/agr-own?dry_run=true', anAgreement({ buyer_entity: 'zenith' }))).status).toBe(422)
  })
})
