import { describe, expect, it } from '@jest/globals'
import { feedSettled } from '../../support/engines/feedSettled.ts'
import { sellerPut } from '../../support/http/sellerPut.ts'
import { aCard, aCatalog, aProduct, aRate } from '../../support/orders/published.ts'
import { useApp } from '../../support/useApp.ts'

const app = useApp()

const send = sellerPut(app)
const feed = async (token: string) => {
  await feedSettled(app.deps.db)
  const { body } = await app.request.get('/v1/events/feed?events=catalog.integrity_failed').auth(token, { type: 'bearer' }).expect(200)
  return body.events
}
const differing = [aRate('monthly', { week: '2026-W50' }), aRate('monthly', { week: '2026-W51', gross_rate_unit: 1 })]

describe('PUT /me/rate-cards: 409 GRAIN_CONFLICT', () => {
  it('refuses a month whose weeks differ in price, within the commit or with the current card, and leaves the name free', async () => {
    await send('catalog', aCatalog(aProduct('monthly', { grains: ['month'] }))).expect(200)
    const reply = await send('rate-cards', aCard('g-1', differing))
    expect(reply.status).toBe(409)
    expect(reply.body).toMatchObject({ error_code: 'GRAIN_CONFLICT', details: { product_id: 'monthly', month: '2026-12' } })
    await send('rate-cards', aCard('g-1', [aRate('monthly', { week: '2026-W50' })])).expect(200)
    await send('rate-cards', aCard('g-2', [aRate('monthly', { week: '2026-W51', gross_rate_unit: 1 })])).expect(409)
    await send('rate-cards', aCard('g-2', [aRate('monthly', { gross_rate_unit: 1 })])).expect(200)
  })
})

describe('PUT /me/catalog: 409 GRAIN_CONFLICT', () => {
  it('refuses to offer a month whose weeks differ in price, and changes nothing', async () => {
    await send('catalog', aCatalog(aProduct('weekly'))).expect(200)
    const entries = differing.map((entry) => ({ ...entry, product_id: 'weekly' }))
    await send('rate-cards', aCard('w-1', entries)).expect(200)
    const reply = await send('catalog', aCatalog(aProduct('weekly', { grains: ['week', 'month'] }), aProduct('bystander')))
    expect(reply.status).toBe(409)
    expect(reply.body).toMatchObject({ error_code: 'GRAIN_CONFLICT', details: { product_id: 'weekly' } })
    const { body } = await app.request.get('/v1/me/catalog').auth(app.tokens.sellers.cable, { type: 'bearer' })
    expect(JSON.stringify(body)).not.toContain('bystander')
  })
})

describe('catalog.integrity_failed', () => {
  it('is sent to the seller alone for each, with the conflict report', async () => {
    await send('catalog', aCatalog(aProduct('d-1', { external_ref: 'x' }), aProduct('d-2', { external_ref: 'x' }))).expect(422)
    const events = await feed(app.tokens.sellers.cable)
    expect(events.map((event: { data: { error_code: string } }) => event.data.error_code)).toEqual([
      'GRAIN_CONFLICT',
      'GRAIN_CONFLICT',
      'GRAIN_CONFLICT',
      'DUPLICATE_EXTERNAL_REF',
    ])
    expect(events[3]).toMatchObject({
      event_type: 'catalog.integrity_failed',
      event_id: expect.stringMatching(/^evt_/),
      seller: 'cable',
      data: { details: { product_ids: ['d-1', 'd-2'] } },
    })
    expect(await feed(app.tokens.sellers.station)).toEqual([])
    expect(await feed(app.tokens.buyers.acme)).toEqual([])
  })

  it('is not sent for other refusals', async () => {
    const before = (await feed(app.tokens.sellers.cable)).length
    await send('rate-cards', aCard('c', [{ ...aRate('weekly'), gross_rate_cpm: 1 }])).expect(422)
    expect(await feed(app.tokens.sellers.cable)).toHaveLength(before)
  })
})

describe('UNPRICED_DECLARATION', () => {
  const USD = { currency: 'USD' }

  it('warns a catalog and a commit of what is declared but not priced, with its effect, until it is priced', async () => {
    const declared = aProduct('u', { spot_lengths: [15, 30], currencies: ['HH'] })
    const catalog = await send('catalog', aCatalog(aProduct('other'), declared))
    expect(catalog.body.warnings).toEqual([
      expect.objectContaining({ index: 0, product_id: 'other', buy_type: 'preemptible' }),
      expect.objectContaining({ index: 1, code: 'UNPRICED_DECLARATION', buy_type: 'preemptible', effect: 'not_orderable' }),
      expect.objectContaining({ index: 1, spot_length: 15, effect: 'not_orderable' }),
      expect.objectContaining({ index: 1, spot_length: 30, effect: 'not_orderable' }),
      expect.objectContaining({ index: 1, currency: 'HH', effect: 'no_guarantee' }),
    ])
    const card = await send('rate-cards', aCard('u-1', [aRate('nowhere'), aRate('u', USD)]))
    expect(card.body.warnings).toEqual([
      expect.objectContaining({ index: 1, product_id: 'u', spot_length: 15 }),
      expect.objectContaining({ index: 1, product_id: 'u', currency: 'HH' }),
    ])
    const rest = await send('rate-cards', aCard('u-2', [aRate('u', { spot_length: 15, gross_rate_cpm: 3, audience_code: 'HH', ...USD })]))
    expect(rest.body.warnings).toEqual([])
    expect((await send('catalog', aCatalog(declared))).body.warnings).toEqual([])
  })
})
