import { describe, expect, it } from '@jest/globals'
import { sellerPut } from '../../support/http/sellerPut.ts'
import { aCard, aCatalog, aProduct, aRate } from '../../support/orders/published.ts'
import { useApp } from '../../support/useApp.ts'

const app = useApp()

const put = (body: object, token = app.tokens.sellers.cable) => sellerPut(app)('catalog', body, token)
const read = (token = app.tokens.buyers.acme, seller = 'cable') =>
  app.request.get(`/v1/sellers/${seller}/catalog`).auth(token, { type: 'bearer' })
const own = () => app.request.get('/v1/me/catalog').auth(app.tokens.sellers.cable, { type: 'bearer' })
const idsOf = (body: { products: { product_id: string }[] }) => body.products.map(({ product_id }) => product_id)

describe('PUT /me/catalog: 200', () => {
  it('publishes the three types with their defaults', async () => {
    const reply = await put(
      aCatalog(
        aProduct('p-day'),
        aProduct('p-rot', { type: 'rotator', definition: { windows: [{ days: ['Sat'], start: '06:00', end: '02:00' }] } }),
        aProduct('p-prog', {
          type: 'program',
          definition: { title: 'Final', timezone: 'UTC', occurrences: [{ date: '2026-12-09', start: '20:00', end: '22:00' }] },
        }),
      ),
    )
    expect(reply.body).toMatchObject({ taxonomy_version: 'tax-1', accepted: 3, rejected: 0, errors: [] })
    const { body } = await read().expect(200)
    expect(body.taxonomy_version).toBe('tax-1')
    expect(body.products.find((p: { product_id: string }) => p.product_id === 'p-day')).toMatchObject({
      grains: ['week'],
      visibility: 'open',
      disclosure: { pricing_policy: 'published', avails_policy: 'published' },
      currencies: [],
    })
  })

  it('accepts what passes and names what does not, by index, code, field and value', async () => {
    const reply = await put(
      aCatalog(
        aProduct('p-ok'),
        aProduct('p-bad', { type: 'podcast' }),
        'nonsense',
        aProduct('p-ok'),
        aProduct('p-old', { package_id: 'x' }),
      ),
    )
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({ accepted: 1, rejected: 4 })
    expect(reply.body.errors).toEqual([
      expect.objectContaining({ index: 1, error_code: 'INVALID_ENTRY', field: 'type', value: 'podcast' }),
      expect.objectContaining({ index: 2, error_code: 'INVALID_ENTRY', value: 'nonsense' }),
      expect.objectContaining({ index: 3, error_code: 'INVALID_ENTRY', field: 'product_id', value: 'p-ok' }),
      expect.objectContaining({ index: 4, error_code: 'INVALID_ENTRY', field: 'package_id', value: 'x' }),
    ])
    expect(idsOf((await read()).body)).toContain('p-ok')
    expect(idsOf((await read()).body)).not.toContain('p-old')
  })

  it.each([
    ['product_id', { product_id: '*' }],
    ['currencies.0', { currencies: ['spots'] }],
    ['advertiser_classes', { advertiser_classes: Array.from({ length: 201 }, (_, i) => `c${i}`) }],
    ['network', { network: 'x'.repeat(501) }],
    ['reporting_dayparts.0', { reporting_dayparts: ['drive_time'] }],
    ['visibility', { visibility: 'secret' }],
    ['disclosure.pricing_policy', { disclosure: { pricing_policy: 'free' } }],
    ['disclosure.avails_policy', { disclosure: { avails_policy: 'open' } }],
    ['effective.end', { effective: { start: '2026-12-31', end: '2026-12-01' } }],
    ['grains.0', { grains: ['quarter'] }],
    ['external_ref', { external_ref: '' }],
    ['billboard', { billboard: 'text' }],
    ['definition.days.0', { definition: { ...aProduct('x').definition, days: ['Funday'] } }],
    ['definition.start', { definition: { ...aProduct('x').definition, start: '24:00' } }],
    ['definition.windows', { type: 'rotator', definition: { windows: [] } }],
    ['definition.occurrences', { type: 'program', definition: { title: 't', timezone: 'UTC', occurrences: [] } }],
  ])('names a wrong %s', async (field, more) => {
    const { body } = await put(aCatalog(aProduct('wrong', more)))
    expect(body).toMatchObject({ accepted: 0, rejected: 1, errors: [{ index: 0, error_code: 'INVALID_ENTRY', field }] })
  })

  it('names the first faults of an entry with many', async () => {
    const occurrences = (length: number) => ({
      type: 'program',
      definition: { title: 't', timezone: 'UTC', occurrences: Array.from({ length }, () => ({})) },
    })
    const { body } = await put(aCatalog(aProduct('many', occurrences(1_000)), aProduct('endless', occurrences(20_001))))
    expect(body.errors.filter(({ index }: { index: number }) => index === 0)).toHaveLength(20)
    expect(body.errors.slice(20)).toEqual([{ index: 1, error_code: 'INVALID_ENTRY', message: 'An entry holds at most 20000 values.' }])
  })

  it('merges by product_id and carries the definition forward when an update of it fails', async () => {
    await put(aCatalog(aProduct('p-merge', { name: 'first' })))
    await put({ ...aCatalog(aProduct('p-merge', { name: 'second', buy_types: [] }), aProduct('p-new')), taxonomy_version: 'tax-2' })
    const { body } = await read()
    expect(body.taxonomy_version).toBe('tax-2')
    expect(body.products.find((p: { product_id: string }) => p.product_id === 'p-merge').name).toBe('first')
    expect(idsOf(body)).toEqual(expect.arrayContaining(['p-new', 'p-merge']))
  })

  it('keeps the taxonomy version when nothing passed', async () => {
    await put(aCatalog(aProduct('p-tax')))
    await put({ taxonomy_version: 'tax-9', products: [{}] }).expect(200)
    expect((await read()).body.taxonomy_version).toBe('tax-1')
  })

  it('lets references move between products within one update', async () => {
    await put(aCatalog(aProduct('r-1', { external_ref: 'A' }), aProduct('r-2', { external_ref: 'B' })))
    const reply = await put(aCatalog(aProduct('r-1', { external_ref: 'B' }), aProduct('r-2', { external_ref: 'A' })))
    expect(reply.body).toMatchObject({ accepted: 2 })
  })

  it('refuses a mirror that does not exist, per entry', async () => {
    const reply = await put(aCatalog(aProduct('m-1', { mirror_product_id: 'm-2' }), aProduct('m-2', { mirror_product_id: 'nowhere' })))
    expect(reply.body.errors).toEqual([
      expect.objectContaining({ index: 0, error_code: 'UNKNOWN_PRODUCT_ID', field: 'mirror_product_id', value: 'm-2' }),
      expect.objectContaining({ index: 1, error_code: 'UNKNOWN_PRODUCT_ID', field: 'mirror_product_id', value: 'nowhere' }),
    ])
  })

  it('accepts concurrent updates of the same products of one seller', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) => put(aCatalog(aProduct(`c-${i % 2}`, { external_ref: `ref-${i % 2}` })))),
    )
    expect(replies.map(({ status, body }) => [status, body.accepted])).toEqual(Array(8).fill([200, 1]))
    const { products } = (await own().expect(200)).body
    const refs = products.flatMap(({ product_id, external_ref }: Record<string, string>) =>
      /^c-\d$/.test(String(product_id)) ? [`${product_id} ${external_ref}`] : [],
    )
    expect(refs.sort()).toEqual(['c-0 ref-0', 'c-1 ref-1'])
  })
})

describe('PUT /me/catalog: 403', () => {
  it('is the answer to buyers', () => put(aCatalog(aProduct('x')), app.tokens.buyers.acme).expect(403))
})

describe('PUT /me/catalog: 422', () => {
  it.each([
    ['products', { taxonomy_version: 't' }],
    ['products', { taxonomy_version: 't', products: [] }],
    ['taxonomy_version', { taxonomy_version: '', products: [aProduct('x')] }],
    ['packages', { taxonomy_version: 't', products: [aProduct('x')], packages: [] }],
  ])('refuses a body that is not the envelope: %s', async (field, body) => {
    const reply = await put(body)
    expect(reply.status).toBe(422)
    expect(reply.body).toMatchObject({ error_code: 'INVALID_INPUT', details: { field } })
  })

  it('refuses the whole update when a product shares an external_ref with another of the current catalog, naming both', async () => {
    await put(aCatalog(aProduct('d-1', { external_ref: 'taken' })))
    const reply = await put(aCatalog(aProduct('d-2', { external_ref: 'taken' }), aProduct('d-3')))
    expect(reply.status).toBe(422)
    expect(reply.body).toMatchObject({
      error_code: 'DUPLICATE_EXTERNAL_REF',
      details: { external_ref: 'taken', product_ids: ['d-1', 'd-2'], field: 'products.0.external_ref' },
    })
    expect(idsOf((await read()).body)).not.toContain('d-3')
  })
})

describe('GET /sellers/{seller}/catalog: 200', () => {
  it('shows buyers no external_ref, and no product by agreement', async () => {
    await put(aCatalog(aProduct('v-open', { external_ref: 'v-ref' }), aProduct('v-hidden', { visibility: 'by_agreement' })))
    const { body } = await read()
    expect(idsOf(body)).not.toContain('v-hidden')
    expect(JSON.stringify(body)).not.toContain('v-ref')
    const mine = (await own().expect(200)).body
    expect(idsOf(mine)).toContain('v-hidden')
    expect(mine.products.find((p: { product_id: string }) => p.product_id === 'v-open').external_ref).toBe('v-ref')
  })

  it('derives unpriced[] with its effect, and the version, classes and buy types of what is priced', async () => {
    const station = app.tokens.sellers.station
    const declared = {
      buy_types: ['preemptible', 'audience_guaranteed'],
      spot_lengths: [15, 30],
      advertiser_classes: ['general'],
      currencies: ['A18-49'],
    }
    await put(aCatalog(aProduct('u-1', declared)), station).expect(200)
    await app.request
      .put('/v1/me/rate-cards')
      .auth(station, { type: 'bearer' })
      .send(aCard('u-card', [aRate('u-1')]))
      .expect(200)
    const { body } = await read(app.tokens.buyers.zenith, 'station')
    expect(body).toMatchObject({ rate_version: 'u-card', rate_classes: ['scatter'], buy_types: ['preemptible', 'audience_guaranteed'] })
    expect(body.products[0].unpriced).toEqual([
      { buy_type: 'audience_guaranteed', effect: 'not_orderable' },
      { spot_length: 15, effect: 'not_orderable' },
      { currency: 'A18-49', effect: 'no_guarantee' },
    ])
  })
})

describe('GET /sellers/{seller}/catalog: 404', () => {
  it('answers for an unknown seller, and for a buyer that is no seller', async () => {
    for (const seller of ['nobody', 'acme']) {
      expect((await read(undefined, seller)).body).toMatchObject({ error_code: 'NOT_FOUND' })
    }
  })

  it('answers for an agreement of another buyer', () =>
    app.request.get('/v1/sellers/cable/catalog?agreement=agr_x').auth(app.tokens.buyers.acme, { type: 'bearer' }).expect(404))
})

describe('GET /sellers: 200', () => {
  it('lists sellers with level, workflows and the grains that the buyer may see, page by page', async () => {
    await put(aCatalog(aProduct('g-1', { grains: ['day', 'week'] }), aProduct('g-2', { grains: ['month'], visibility: 'by_agreement' })))
    const list = (query: string) => app.request.get(`/v1/sellers${query}`).auth(app.tokens.buyers.acme, { type: 'bearer' })
    const first = (await list('?limit=1')).body
    expect(first.sellers).toEqual([
      { seller: 'cable', name: 'cable', level: 1, workflows: ['catalog'], grains: ['day', 'week'], realtime_availability: false },
    ])
    const second = (await list(`?limit=1&cursor=${first.next_cursor}`)).body
    expect(second).toMatchObject({ sellers: [{ seller: 'station' }], next_cursor: null })
  })
})

describe('GET /sellers: 422', () => {
  it.each(['limit=0', 'limit=201', 'limit=x', 'cursor=made.up', 'other=1', 'limit=1&limit=2'])('refuses ?%s', async (query) => {
    const reply = await app.request.get(`/v1/sellers?${query}`).auth(app.tokens.buyers.acme, { type: 'bearer' })
    expect(reply.status).toBe(422)
    expect(reply.body.error_code).toBe('INVALID_INPUT')
  })
})
