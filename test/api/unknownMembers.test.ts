import { describe, expect, it } from '@jest/globals'
import { aProduct } from '../support/orders/published.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()

describe('POST /orders: unknown members', () => {
  it('creates the order and warns of each with its pointer and the nearest name', async () => {
    const body = market.order({ line_items: [market.line({ doNotAir: ['2030-06-05'] }, { currancy: 'EUR' })], colour: 'red' })
    const { status, body: reply } = await market.acme.post('/orders', body)
    expect(status).toBe(201)
    expect(reply.warnings).toHaveLength(3)
    expect(reply.warnings).toEqual(
      expect.arrayContaining([
        { code: 'UNKNOWN_MEMBER', pointer: '/line_items/0/doNotAir', nearest: 'do_not_air' },
        { code: 'UNKNOWN_MEMBER', pointer: '/line_items/0/rate/currancy', nearest: 'currency' },
        { code: 'UNKNOWN_MEMBER', pointer: '/colour' },
      ]),
    )
  })

  it('replays the warnings with the stored reply', async () => {
    const body = market.order({ colour: 'red' })
    const first = await market.acme.post('/orders', body)
    const second = await market.acme.post('/orders', body)
    expect(second.headers['x-idempotent-replay']).toBe('true')
    expect(second.text).toBe(first.text)
    expect(second.body.warnings).toEqual([{ code: 'UNKNOWN_MEMBER', pointer: '/colour' }])
  })

  it('warns in a dry run', async () => {
    const { status, body } = await market.acme.post('/orders?dry_run=true', market.order({ flihgt: {} }))
    expect(status).toBe(200)
    expect(body.warnings).toEqual([{ code: 'UNKNOWN_MEMBER', pointer: '/flihgt', nearest: 'flight' }])
  })

  it('does not warn of what the specification ignores or keeps', async () => {
    const { body } = await market.acme.post('/orders', {
      ...market.order({ workflow: 'catalog', buyer_metadata: { advertiser_id: 'a', buyer_contact: { fax: '1' } } }),
    })
    expect(body.status).toBe('submitted')
    expect(body.warnings).toBeUndefined()
  })
})

describe('commands: unknown members', () => {
  it('cancels and warns', async () => {
    const { status, body } = await market.acme.post(`/orders/${await market.parked()}/cancel`, { raeson: 'budget' })
    expect(status).toBe(202)
    expect(body.cancellation.reason).toBe('buyer_canceled')
    expect(body.warnings).toEqual([{ code: 'UNKNOWN_MEMBER', pointer: '/raeson', nearest: 'reason' }])
  })

  it('decides and warns', async () => {
    const ask = { decision: 'approve', actor: 'Ada', unit: [] }
    const { status, body } = await market.cable.post(`/me/orders/${await market.parked()}/decide`, ask)
    expect(status).toBe(202)
    expect(body.warnings).toEqual([{ code: 'UNKNOWN_MEMBER', pointer: '/unit', nearest: 'units' }])
  })
})

describe('publishes: unknown members', () => {
  it('warns of those of an entry', async () => {
    const { status, body } = await market.station.put('/me/catalog', {
      taxonomy_version: 'tax-1',
      products: [aProduct('news', { grain: ['day'] })],
    })
    expect(status).toBe(200)
    expect(body.accepted).toBe(1)
    expect(body.warnings).toContainEqual({
      index: 0,
      code: 'UNKNOWN_MEMBER',
      pointer: '/products/0/grain',
      nearest: 'grains',
      message: 'grain is not a known member and was ignored; the nearest is grains.',
    })
  })

  it('refuses those beside the entries, since a misspelled agreement_id would publish a scoped card to everybody', async () => {
    const card = { commit: 'c', effective: { start: '2030-06-03', end: '2030-06-09' }, entries: [{}], agreementId: 'agr' }
    const { status, body } = await market.station.put('/me/rate-cards', card)
    expect(status).toBe(422)
    expect(body.details).toMatchObject({ field: 'agreementId' })
    expect(body.error_message).toBe('agreementId is not a known member; the nearest is agreement_id.')
  })
})

describe.each([
  ['/me/capabilities', { aproval: 'pull' }, 'aproval', 'approval'],
  ['/me/capabilities', { sla: { min_lead_minute: 5 } }, 'sla.min_lead_minute', 'min_lead_minutes'],
  ['/me/buyers/acme', { state: 'suspended', stauts: 'suspended' }, 'state', undefined],
  ['/me/approval-rules', { rules: [{ id: 'r', when: { max_gros: 1 }, then: 'approve' }] }, 'rules.0.when.max_gros', 'max_gross'],
  [
    '/me/agreements/agr-9',
    { buyer_entity: 'acme', effective: { start: '2030-01-01', end: '2030-12-31' }, creditLimit: 5 },
    'creditLimit',
    'credit_limit',
  ],
])('PUT %s: 422 for an unknown member', (path, sent, field, nearest) => {
  it(`names ${field}${nearest === undefined ? '' : ` and ${nearest}`}`, async () => {
    const { status, body } = await market.cable.put(path, sent)
    expect(status).toBe(422)
    expect(body.details.field).toBe(field)
    expect(body.error_message).toBe(`${field} is not a known member${nearest === undefined ? '' : `; the nearest is ${nearest}`}.`)
  })
})

describe('a refusal with mistyped names', () => {
  it('names the nearest of each, also in the message of the member that is missing for it', async () => {
    const { units: _, ...line } = market.line({ unit: 10, rete: {} })
    const { status, body } = await market.acme.post('/orders', { ...market.order({ line_items: [line] }), flihgt: {} })
    expect([status, body.error_message]).toEqual([422, 'line_items.0.units is required, but what was sent is named unit'])
    expect(body.details.warnings).toEqual([
      { code: 'UNKNOWN_MEMBER', pointer: '/line_items/0/unit', nearest: 'units' },
      { code: 'UNKNOWN_MEMBER', pointer: '/line_items/0/rete', nearest: 'rate' },
      { code: 'UNKNOWN_MEMBER', pointer: '/flihgt', nearest: 'flight' },
    ])
  })

  it('names them where a rule refuses', async () => {
    const { status, body } = await market.acme.post('/orders', market.order({ rate_version: 'nowhere', flihgt: {} }))
    expect([status, body.details.field]).toEqual([422, 'rate_version'])
    expect(body.details.warnings).toEqual([{ code: 'UNKNOWN_MEMBER', pointer: '/flihgt', nearest: 'flight' }])
  })

  it('names them in a closed list, in a query and in an entry of a publish', async () => {
    const closed = await market.acme.post('/orders', market.order({ buyer_metadata: { advertiser_id: 'a', estimateId: '7' } }))
    expect(closed.body.error_message).toBe('buyer_metadata.estimateId is not known here; the nearest is estimate_id')
    const query = await market.acme.get('/orders?stauts=placed')
    expect([query.status, query.body.error_message]).toEqual([422, 'stauts is not known here; the nearest is status'])
    const { network: _, ...product } = aProduct('none')
    const { body } = await market.station.put('/me/catalog', { taxonomy_version: 'tax-1', products: [{ ...product, netwrok: 'X' }] })
    expect(body).toMatchObject({ rejected: 1, errors: [{ field: 'network' }] })
    expect(body.warnings).toContainEqual(expect.objectContaining({ pointer: '/products/0/netwrok', nearest: 'network' }))
  })
})

describe('PUT of what was read', () => {
  it.each(['/me/capabilities', '/me/approval-rules', '/me/buyers/acme'])('%s accepts its own reply', async (path) => {
    const read = await market.cable.get(path)
    expect(read.status).toBe(200)
    expect((await market.cable.put(path, read.body)).status).toBe(200)
  })
})
