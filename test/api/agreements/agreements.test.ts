import { describe, expect, it } from '@jest/globals'
import { useAgreements } from './useAgreements.ts'

const { seller, station, acme, zenith, anAgreement, grant, end, orderOf } = useAgreements()

describe('PUT /me/agreements/{agreement_id}: 201 and then 200', () => {
  it('grants, then replaces the whole agreement', async () => {
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

describe('PUT /me/agreements/{agreement_id}: 422 for another buyer', () => {
  it('keeps an agreement with the buyer that it was granted to, whose pacing and cards nobody else may see', async () => {
    await grant('agr-kept', { commitment_gross: 10 }).expect(201)
    expect((await grant('agr-kept', { buyer_entity: 'zenith' }).expect(422)).body.details.field).toBe('buyer_entity')
    await zenith('get', '/v1/agreements/agr-kept/pacing').expect(404)
    await end('agr-kept')
  })
})

describe('PUT /me/agreements/{agreement_id}: 200 for what a read returns', () => {
  it('changes nothing', async () => {
    const first = await grant('agr-self', { status: 'ended' }).expect(201)
    expect((await grant('agr-self', first.body).expect(200)).body).toEqual(first.body)
  })
})

describe('PUT /me/agreements/{agreement_id}: 422 for what contradicts itself', () => {
  it.each([
    ['agreement_id', { agreement_id: 'agr-other' }],
    ['seller', { seller: 'station' }],
    ['cancellation_terms.late_fee_pct', { cancellation_terms: { notice_days: 14, late_fee_pct: 250 } }],
    ['cancellation_terms.late_fee_pct', { cancellation_terms: { notice_days: 14, late_fee_pct: 100.01 } }],
  ])('names %s: %j', async (field, more) => {
    const reply = await grant('agr-self', more).expect(422)
    expect(reply.body).toMatchObject({ error_code: 'INVALID_INPUT', details: { field } })
  })
})

describe('PUT /me/agreements/{agreement_id}: 404', () => {
  it("is the answer to another seller's id, on a read as well", async () => {
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
  it('refuses "*" inside a list, which names products', async () => {
    const { body } = await grant('agr-stars', { catalog_scope: ['*'] }).expect(422)
    expect(body.details.field).toBe('catalog_scope.0')
  })
  it('bounds the id', async () => {
    const { body } = await grant('a'.repeat(201)).expect(422)
    expect(body.details.field).toBe('agreement_id')
  })
})

describe('PUT /me/agreements/{agreement_id}: 201 with reconciliation', () => {
  it.each([{}, { window_minutes: 0 }, { window_minutes: 30, match_minutes: 30 }])(
    'is kept and shown to both sides: %j',
    async (reconciliation) => {
      expect((await grant('agr-minutes', { reconciliation })).body.reconciliation).toEqual(reconciliation)
      const { items } = (await acme('get', '/v1/agreements?limit=200').expect(200)).body
      expect(items.find((item: { agreement_id: string }) => item.agreement_id === 'agr-minutes').reconciliation).toEqual(reconciliation)
      await end('agr-minutes')
    },
  )
})

describe('PUT /me/agreements/{agreement_id}: 422 for reconciliation', () => {
  it.each([
    ['window_minutes', 31],
    ['window_minutes', -1],
    ['match_minutes', 2.5],
    ['match_minutes', '5'],
  ])('names %s: %j', async (member, minutes) => {
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

describe('GET /agreements: 200, overrides', () => {
  it('names no product that the buyer may not see', async () => {
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
  it('must be one with this seller, and determines the settlement mode', async () => {
    await station('put', '/v1/me/agreements/agr-station', anAgreement()).expect(201)
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
  it('lets only allowlisted buyers order where access is by allowlist', async () => {
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
