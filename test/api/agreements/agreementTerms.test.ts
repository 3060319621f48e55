import { describe, expect, it } from '@jest/globals'
import { feedSettled } from '../../support/engines/feedSettled.ts'
import { aCard, aCatalog, aProduct, aRate } from '../../support/orders/published.ts'
import { productIds, useAgreements } from './useAgreements.ts'

const { app, seller, station, acme, zenith, anAgreement, grant, end, orderOf } = useAgreements()

describe('catalog_scope unlocks by_agreement products (contract, Agreement)', () => {
  it('shows the product to its buyer alone, by the catalog, the avails and the order', async () => {
    const hidden = await acme('post', '/v1/orders', await orderOf('secret')).expect(422)
    const unknown = await acme('post', '/v1/orders', {
      ...(await orderOf('secret')),
      line_items: [{ ...(await orderOf('secret')).line_items[0], product_id: 'nowhere' }],
    }).expect(422)
    expect(hidden.body.details.errors[0].message.replace('secret', 'nowhere')).toBe(unknown.body.details.errors[0].message)
    await grant('agr-scope', { catalog_scope: ['secret'] }).expect(201)
    expect(productIds((await acme('get', '/v1/sellers/cable/catalog').expect(200)).body)).toContain('secret')
    expect(productIds((await zenith('get', '/v1/sellers/cable/catalog').expect(200)).body)).not.toContain('secret')
    await acme('post', '/v1/orders', await orderOf('secret')).expect(201)
    await zenith('post', '/v1/orders', await orderOf('secret')).expect(422)
    await end('agr-scope')
    expect(productIds((await acme('get', '/v1/sellers/cable/catalog').expect(200)).body)).not.toContain('secret')
  })
})

describe('a mirror product by agreement', () => {
  it('is shown to those who can see it, and to nobody else on any path', async () => {
    await seller('put', '/v1/me/catalog', aCatalog(aProduct('with-mirror', { mirror_product_id: 'secret' }))).expect(200)
    const catalog = async (read: typeof acme) => JSON.stringify((await read('get', '/v1/sellers/cable/catalog').expect(200)).body)
    await grant('agr-mirror', { catalog_scope: ['secret'] }).expect(201)
    expect(await catalog(acme)).toContain('secret')
    expect(await catalog(zenith)).not.toContain('secret')
    expect(JSON.stringify((await zenith('get', '/v1/sellers/cable/avails').expect(200)).body)).not.toContain('secret')
    await feedSettled(app.deps.db)
    expect(JSON.stringify((await zenith('get', '/v1/events/feed?limit=500').expect(200)).body)).not.toContain('secret')
    await end('agr-mirror')
  })
})

describe('permitted sets (contract, Agreement)', () => {
  it('narrow what the product sells, combine across agreements, and list what is left only when an agreement excluded something', async () => {
    const day = { period: { grain: 'day', start: '2026-12-09' } }
    await grant('agr-week', { permitted_grains: ['week'], permitted_buy_types: ['preemptible'] }).expect(201)
    const excluded = await acme('post', '/v1/orders', await orderOf('open', day)).expect(422)
    expect(excluded.body).toMatchObject({ error_code: 'GRAIN_NOT_OFFERED', details: { permitted_grains: ['week'] } })
    const unsold = await acme('post', '/v1/orders', await orderOf('open', { period: { grain: 'month', start: '2026-12' } })).expect(422)
    expect(unsold.body.error_code).toBe('GRAIN_NOT_OFFERED')
    expect(unsold.body.details).not.toHaveProperty('permitted_grains')
    const buyType = await acme('post', '/v1/orders', await orderOf('open', { buy_type: 'non_preemptible' })).expect(422)
    expect(buyType.body.details).toMatchObject({ field: 'line_items.0.rate.buy_type', permitted_buy_types: ['preemptible'] })
    await zenith('post', '/v1/orders', await orderOf('open', day)).expect(201)
    await grant('agr-day', { permitted_grains: ['day'], permitted_buy_types: ['preemptible'] }).expect(201)
    await acme('post', '/v1/orders', await orderOf('open', day)).expect(201)
    await end('agr-week', 'agr-day')
  })
})

describe('disclosure overrides (contract, Agreement)', () => {
  it('open a quoted product’s rates and avails to the buyer whose agreement says so', async () => {
    const rows = async (read: typeof acme) =>
      (await read('get', '/v1/sellers/cable/avails?product_id=quoted&weeks=2026-W50').expect(200)).body.avails
    const [closed] = await rows(acme)
    expect(closed).toMatchObject({ avails_policy: 'withheld' })
    expect(closed?.rates ?? []).toEqual([])
    await grant('agr-open', {
      catalog_scope: ['quoted'],
      disclosure_overrides: [
        { product_id: '*', avails_policy: 'published' },
        { product_id: 'quoted', pricing_policy: 'published' },
      ],
    }).expect(201)
    const [opened] = await rows(acme)
    expect(opened).toMatchObject({ spots: { available: 12 } })
    expect(opened.rates).toHaveLength(1)
    expect((await rows(zenith))[0]).toMatchObject({ avails_policy: 'withheld' })
    await grant('agr-open', { disclosure_overrides: [{ product_id: 'quoted', avails_policy: 'published' }] }).expect(200)
    expect((await rows(acme))[0]).toMatchObject({ avails_policy: 'withheld' })
    await end('agr-open')
  })
})

describe('an order of a withheld product', () => {
  it('shows its availability to the buyer whose agreement discloses it, and to nobody else', async () => {
    const availability = async (read: typeof acme) => {
      const created = await read('post', '/v1/orders', await orderOf('withheld')).expect(201)
      return (await read('get', `/v1/orders/${created.body.order_id}`).expect(200)).body.line_items[0].availability
    }
    await grant('agr-shown', {
      catalog_scope: ['withheld'],
      disclosure_overrides: [{ product_id: 'withheld', avails_policy: 'published' }],
    }).expect(201)
    expect(await availability(acme)).toMatchObject({ state: 'available' })
    expect(await availability(zenith)).toBeNull()
    await end('agr-shown')
  })
})

describe('an agreement’s rate card (contract, Agreement cards)', () => {
  it('is seen only when the agreement is presented, and a foreign agreement is 404', async () => {
    await grant('agr-card').expect(201)
    await seller(
      'put',
      '/v1/me/rate-cards',
      aCard('scoped-1', [aRate('open', { gross_rate_unit: 900 })], { agreement_id: 'agr-card' }),
    ).expect(200)
    const costs = async (query: string) =>
      (await acme('get', `/v1/sellers/cable/avails?product_id=open&weeks=2026-W50${query}`).expect(200)).body.avails.flatMap(
        ({ rates }: { rates: { gross_rate_unit: number }[] }) => rates.map(({ gross_rate_unit }) => gross_rate_unit),
      )
    expect(await costs('')).not.toContain(900)
    expect(await costs('&agreement=agr-card')).toContain(900)
    await zenith('get', '/v1/sellers/cable/avails?agreement=agr-card').expect(404)
    await end('agr-card')
  })
  it('cannot be published for an agreement of another seller', async () => {
    await station('put', '/v1/me/agreements/agr-station', anAgreement()).expect(201)
    const { body } = await seller('put', '/v1/me/rate-cards', aCard('scoped-2', [aRate('open')], { agreement_id: 'agr-station' })).expect(
      422,
    )
    expect(body.details).toMatchObject({ agreement_id: 'agr-station' })
  })
})
