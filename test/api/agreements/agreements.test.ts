import { beforeAll, describe, expect, it } from '@jest/globals'
import { feedSettled } from '../../support/engines/feedSettled.ts'
import { aCard, aCatalog, anAvail, aProduct, aRate } from '../../support/orders/published.ts'
import { useApp } from '../../support/useApp.ts'

const ALWAYS = { start: '2020-01-01', end: '2099-12-31' }
const app = useApp()
beforeAll(async () => {
  await seller(
    'put',
    '/v1/me/catalog',
    aCatalog(
      aProduct('open', { grains: ['day', 'week'], buy_types: ['preemptible', 'non_preemptible'] }),
      aProduct('secret', { visibility: 'by_agreement' }),
      aProduct('quoted', { disclosure: { pricing_policy: 'quote', avails_policy: 'withheld' } }),
      aProduct('withheld', { disclosure: { avails_policy: 'withheld' } }),
    ),
  ).expect(200)
  const entries = [aRate('open'), aRate('open', { buy_type: 'non_preemptible' }), aRate('secret'), aRate('quoted'), aRate('withheld')]
  await seller('put', '/v1/me/rate-cards', aCard('open-1', entries)).expect(200)
  await seller('put', '/v1/me/avails', { avails: ['open', 'quoted', 'withheld'].map((id) => anAvail(id)) }).expect(200)
})

type Method = 'get' | 'put' | 'post'
const as = (token: () => string) => (method: Method, path: string, body?: object) => {
  const request = app.request[method](path).auth(token(), { type: 'bearer' })
  return body === undefined ? request : request.send(body)
}
const seller = as(() => app.tokens.sellers.cable)
const station = as(() => app.tokens.sellers.station)
const acme = as(() => app.tokens.buyers.acme)
const zenith = as(() => app.tokens.buyers.zenith)
const anAgreement = (more: object = {}) => ({ buyer_entity: 'acme', effective: ALWAYS, catalog_scope: [], ...more })
const grant = (id: string, more: object = {}) => seller('put', `/v1/me/agreements/${id}`, anAgreement(more))
const end = (...ids: string[]) => Promise.all(ids.map((id) => grant(id, { status: 'ended' }).expect(200)))

/** A line at the price that the avails read shows this buyer. */
async function orderOf(
  product_id: string,
  { buy_type = 'preemptible', period = { grain: 'week', start: '2026-W50' }, ...more }: Record<string, unknown> = {},
) {
  const { body } = await seller('get', '/v1/me/rate-cards/open-1').expect(200)
  const rate = body.entries.find(
    (entry: Record<string, unknown>) => entry.product_id === product_id && entry.week === '2026-W50' && entry.buy_type === buy_type,
  )
  const { locked_rate_id, market_class, advertiser_class, currency, gross_rate_unit: unit_cost } = rate
  const line = {
    product_id,
    period,
    units: 3,
    spot_length: 30,
    rate: { market_class, advertiser_class, buy_type, unit_cost, locked_rate_id, currency },
  }
  return {
    seller: 'cable',
    external_order_id: `x-${Math.random()}`,
    rate_version: 'open-1',
    buyer_metadata: { advertiser_id: 'adv' },
    line_items: [line],
    ...more,
  }
}
const productIds = (body: { products: { product_id: string }[] }) => body.products.map(({ product_id }) => product_id)

describe('PUT /me/agreements/{agreement_id}: 201, 200', () => {
  it('grants, then replaces whole', async () => {
    const granted = await grant('agr-whole', { commitment_gross: 1000 }).expect(201)
    expect(granted.body).toMatchObject({
      agreement_id: 'agr-whole',
      seller: 'cable',
      status: 'active',
      settlement_mode: 'direct',
      currency: 'USD',
    })
    const replaced = await grant('agr-whole', { status: 'ended' }).expect(200)
    expect(replaced.body).not.toHaveProperty('commitment_gross')
    expect((await seller('get', '/v1/me/agreements/agr-whole').expect(200)).body).toEqual(replaced.body)
  })
})

describe('PUT /me/agreements/{agreement_id}: 422 of another buyer', () => {
  it('keeps an agreement with the buyer that it was granted to: its pacing and its cards are not for another', async () => {
    await grant('agr-kept', { commitment_gross: 10 }).expect(201)
    expect((await grant('agr-kept', { buyer_entity: 'zenith' }).expect(422)).body.details.field).toBe('buyer_entity')
    await zenith('get', '/v1/agreements/agr-kept/pacing').expect(404)
    await end('agr-kept')
  })
})

describe('PUT /me/agreements/{agreement_id}: what it says of itself', () => {
  const body = { buyer_entity: 'acme', effective: { start: '2020-01-01', end: '2020-12-31' } }
  const send = (more: object) =>
    app.request
      .put('/v1/me/agreements/agr-self')
      .auth(app.tokens.sellers.cable, { type: 'bearer' })
      .send({ ...body, ...more })

  it('accepts what a read returns', async () => {
    const first = await send({}).expect(201)
    expect((await send(first.body).expect(200)).body).toEqual(first.body)
  })

  it.each([
    ['agreement_id', { agreement_id: 'agr-other' }],
    ['seller', { seller: 'station' }],
    ['cancellation_terms.late_fee_pct', { cancellation_terms: { notice_days: 14, late_fee_pct: 250 } }],
    ['cancellation_terms.late_fee_pct', { cancellation_terms: { notice_days: 14, late_fee_pct: 100.01 } }],
  ])('is refused where it contradicts itself or nobody could pay it: %s', async (field, more) => {
    const reply = await send(more).expect(422)
    expect(reply.body).toMatchObject({ error_code: 'INVALID_INPUT', details: { field } })
  })
})

describe('PUT /me/agreements/{agreement_id}: 404', () => {
  it("is another seller's id, which reads as unknown as well", async () => {
    await station('put', '/v1/me/agreements/agr-theirs', anAgreement()).expect(201)
    await grant('agr-theirs').expect(404)
    await seller('get', '/v1/me/agreements/agr-theirs').expect(404)
  })
})

describe('PUT /me/agreements/{agreement_id}: 422', () => {
  it('DUPLICATE_EXTERNAL_REF names both relationships', async () => {
    await grant('agr-ref-1', { external_ref: 'REF', status: 'ended' }).expect(201)
    const { body } = await grant('agr-ref-2', { external_ref: 'REF' }).expect(422)
    expect(body).toMatchObject({
      error_code: 'DUPLICATE_EXTERNAL_REF',
      details: { external_ref: 'REF', agreement_ids: ['agr-ref-1', 'agr-ref-2'] },
    })
    await station('put', '/v1/me/agreements/agr-ref-3', anAgreement({ external_ref: 'REF', status: 'ended' })).expect(201)
  })
  it.each(['open', '*'])('DUPLICATE_DISCLOSURE_OVERRIDE when %s is listed twice', async (product_id) => {
    const { body } = await grant('agr-twice', { disclosure_overrides: [{ product_id }, { product_id, avails_policy: 'withheld' }] }).expect(
      422,
    )
    expect(body).toMatchObject({
      error_code: 'DUPLICATE_DISCLOSURE_OVERRIDE',
      details: { field: 'disclosure_overrides.1.product_id', product_id },
    })
    await seller('get', '/v1/me/agreements/agr-twice').expect(404)
  })
  it('names every fault of the body', async () => {
    const { body } = await seller('put', '/v1/me/agreements/agr-bad', { permitted_grains: ['hour'], catalog_scope: 7 }).expect(422)
    expect(body.details.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
      expect.arrayContaining(['/buyer_entity', '/effective', '/permitted_grains/0', '/catalog_scope']),
    )
  })
  it('knows all products by "*" alone: a list names products', async () => {
    const { body } = await grant('agr-stars', { catalog_scope: ['*'] }).expect(422)
    expect(body.details.field).toBe('catalog_scope.0')
  })
  it('bounds the id', async () => {
    const { body } = await grant('a'.repeat(201)).expect(422)
    expect(body.details.field).toBe('agreement_id')
  })
})

describe('PUT /me/agreements/{agreement_id}: reconciliation', () => {
  it.each([{}, { window_minutes: 0 }, { window_minutes: 30, match_minutes: 30 }])(
    'is kept and shown to both sides: %j',
    async (reconciliation) => {
      expect((await grant('agr-minutes', { reconciliation })).body.reconciliation).toEqual(reconciliation)
      const { items } = (await acme('get', '/v1/agreements?limit=200').expect(200)).body
      expect(items.find((item: { agreement_id: string }) => item.agreement_id === 'agr-minutes').reconciliation).toEqual(reconciliation)
      await end('agr-minutes')
    },
  )

  it.each([
    ['window_minutes', 31],
    ['window_minutes', -1],
    ['match_minutes', 2.5],
    ['match_minutes', '5'],
    ['match_minutes', null],
  ])('422 for %s %j', async (member, minutes) => {
    const { body } = await grant('agr-bad-minutes', { reconciliation: { [member]: minutes } }).expect(422)
    expect(body).toMatchObject({ error_code: 'INVALID_INPUT', details: { field: `reconciliation.${member}` } })
  })
})

describe('GET /agreements: 200', () => {
  it('lists those in force to their buyer alone, without the seller’s reference', async () => {
    await grant('agr-list', { external_ref: 'SECRET-REF' }).expect(201)
    await grant('agr-future', { effective: { start: '2098-01-01', end: '2099-01-01' } }).expect(201)
    const { body } = await acme('get', '/v1/agreements').expect(200)
    const ids = body.items.map(({ agreement_id }: { agreement_id: string }) => agreement_id)
    expect(ids).toContain('agr-list')
    expect(ids).not.toContain('agr-future')
    expect(JSON.stringify(body)).not.toContain('SECRET-REF')
    expect((await zenith('get', '/v1/agreements').expect(200)).body).toEqual({ items: [], next_cursor: null })
    await end('agr-list')
  })
})

describe('GET /agreements: overrides', () => {
  it('names no product that is out of the buyer’s sight', async () => {
    const overrides = {
      disclosure_overrides: ['*', 'open', 'secret', 'nowhere'].map((product_id) => ({ product_id, avails_policy: 'published' })),
      posting_policy_overrides: ['*', 'secret'].map((product_id) => ({ product_id, posting_policy: 'c3' })),
    }
    const named = async () => {
      const { items } = (await acme('get', '/v1/agreements').expect(200)).body
      const own = items.find(({ agreement_id }: { agreement_id: string }) => agreement_id === 'agr-names')
      return [own.disclosure_overrides, own.posting_policy_overrides].map((list) =>
        list.map(({ product_id }: { product_id: string }) => product_id),
      )
    }
    await grant('agr-names', overrides).expect(201)
    expect(await named()).toEqual([['*', 'open'], ['*']])
    const { body } = await grant('agr-names', { ...overrides, catalog_scope: ['secret'] }).expect(200)
    expect(body.disclosure_overrides).toHaveLength(4)
    expect(await named()).toEqual([
      ['*', 'open', 'secret'],
      ['*', 'secret'],
    ])
    await end('agr-names')
  })
})

describe('catalog_scope unlocks by_agreement products (spec, Agreement)', () => {
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

describe('a mirror that is by agreement', () => {
  it('is named to those who can see it, and to no other on any path', async () => {
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

describe('permitted sets (spec, Agreement)', () => {
  it('narrow what the product sells, unite across agreements, and say what is left only when a relationship excluded it', async () => {
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

describe('disclosure overrides (spec, Agreement)', () => {
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
  it('shows its availability to the buyer whose agreement discloses it, and to no other', async () => {
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

describe('an agreement’s rate card (spec, Authentication 6)', () => {
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

describe('an attached agreement', () => {
  it('freezes its terms on the order', async () => {
    const cancellation_terms = { notice_days: 14, late_fee_pct: 10 }
    await grant('agr-terms', {
      cancellation_terms,
      settlement_mode: 'cleared',
      posting_policy_overrides: [{ product_id: '*', posting_policy: 'c3' }],
    }).expect(201)
    const created = await acme('post', '/v1/orders', await orderOf('open', { agreement_id: 'agr-terms' })).expect(201)
    await end('agr-terms')
    const { body } = await acme('get', `/v1/orders/${created.body.order_id}`).expect(200)
    expect(body).toMatchObject({ agreement_id: 'agr-terms', settlement_mode: 'cleared', cancellation_terms })
    expect(body.line_items[0].posting_policy).toEqual({ policy: 'c3', source: 'agreement_all' })
  })
  it('must be one with this seller, and rules the settlement mode', async () => {
    const foreign = await acme('post', '/v1/orders', await orderOf('open', { agreement_id: 'agr-station' })).expect(422)
    expect(foreign.body).toMatchObject({ error_code: 'INVALID_INPUT', details: { agreement_id: 'agr-station' } })
    const contradicting = await acme('post', '/v1/orders', await orderOf('open', { settlement_mode: 'cleared' })).expect(422)
    expect(contradicting.body.details.field).toBe('settlement_mode')
    await acme('post', '/v1/orders', await orderOf('open', { settlement_mode: 'direct' })).expect(201)
  })
})

describe('GET /agreements/{id}/pacing', () => {
  it('is committed minus booked, to its buyer alone', async () => {
    await grant('agr-pace', { commitment_gross: 5000.25 }).expect(201)
    const { body } = await acme('get', '/v1/agreements/agr-pace/pacing').expect(200)
    expect(body).toMatchObject({ agreement_id: 'agr-pace', commitment_gross: 5000.25, booked_gross: 0, remaining: 5000.25 })
    await zenith('get', '/v1/agreements/agr-pace/pacing').expect(404)
    await acme('get', '/v1/agreements/nowhere/pacing').expect(404)
    await end('agr-pace')
  })
})

describe('PUT /me/buyers/{buyer_entity}', () => {
  it('suspends a buyer on create alone', async () => {
    const before = await orderOf('open')
    const created = await zenith('post', '/v1/orders', before).expect(201)
    await seller('put', '/v1/me/buyers/zenith', { status: 'suspended' }).expect(200)
    expect((await zenith('post', '/v1/orders', await orderOf('open')).expect(403)).body.error_code).toBe('FORBIDDEN')
    await zenith('post', '/v1/orders', before).expect(201)
    await zenith('get', `/v1/orders/${created.body.order_id}`).expect(200)
    await acme('post', '/v1/orders', await orderOf('open')).expect(201)
    await seller('put', '/v1/me/buyers/zenith', { status: 'active' }).expect(200)
    await zenith('post', '/v1/orders', await orderOf('open')).expect(201)
  })
  it('lets only the allowlisted order where access is by allowlist', async () => {
    await seller('put', '/v1/me/capabilities', { access: 'allowlist' }).expect(200)
    await acme('post', '/v1/orders', await orderOf('open')).expect(403)
    await seller('put', '/v1/me/buyers/acme', { allowlisted: true }).expect(200)
    await acme('post', '/v1/orders', await orderOf('open')).expect(201)
    await seller('put', '/v1/me/capabilities', {}).expect(200)
  })
  it('takes any name, and does not reveal whether it is a buyer', async () => {
    for (const name of ['acme-of-tomorrow', 'station', 'zenith']) {
      const unsaid = { buyer_entity: name, status: 'active', allowlisted: false }
      expect((await seller('get', `/v1/me/buyers/${name}`).expect(200)).body).toEqual(unsaid)
      expect((await seller('put', `/v1/me/buyers/${name}`, {}).expect(200)).body).toEqual(unsaid)
    }
    expect((await seller('get', `/v1/me/buyers/${'x'.repeat(201)}`).expect(422)).body.details.field).toBe('buyer_entity')
  })
})
