import { describe, expect, it } from '@jest/globals'
import { aCatalog, aProduct } from '../../support/orders/published.ts'
import { useApp } from '../../support/useApp.ts'

const app = useApp()

const seller = (method: 'get' | 'put', path: string, body?: object) => {
  const request = app.request[method](path).auth(app.tokens.sellers.cable, { type: 'bearer' })
  return body === undefined ? request : request.send(body)
}
const pull = { transports: { pull: { base_url: 'https://seller.example/api', secret_ref: 'pull' } } }

describe('GET /me/capabilities: 200', () => {
  it('returns the defaults until the seller publishes a profile', async () => {
    const { body } = await seller('get', '/v1/me/capabilities').expect(200)
    expect(body).toMatchObject({
      modes: { catalog: true, proposal: false, document: false },
      approval: 'api',
      access: 'open',
      conformance_level: 0,
    })
    expect(body.next_level).toEqual({ level: 1, missing: ['publish a product', 'publish or decide over the API'] })
  })
})

describe('PUT /me/capabilities: 200', () => {
  it('replaces the profile and ignores a sent conformance_level, which is computed and published', async () => {
    await seller('put', '/v1/me/catalog', aCatalog(aProduct('p1'))).expect(200)
    const { body } = await seller('put', '/v1/me/capabilities', {
      ...pull,
      realtime_availability: true,
      negotiation: true,
      conformance_level: 0,
    }).expect(200)
    expect(body).toMatchObject({ conformance_level: 3, negotiation: true })
    const { body: list } = await app.request.get('/v1/sellers').auth(app.tokens.buyers.acme, { type: 'bearer' }).expect(200)
    expect(list.sellers.find((row: { seller: string }) => row.seller === 'cable')).toMatchObject({ level: 3, realtime_availability: true })
    expect((await seller('put', '/v1/me/capabilities', {}).expect(200)).body).toMatchObject({ conformance_level: 1, negotiation: false })
  })
})

describe('a profile whose secret is missing', () => {
  it('says so at the PUT and on the read until the secret is there', async () => {
    const missing = { warnings: [expect.objectContaining({ code: 'SECRET_MISSING', field: 'transports.pull.secret_ref' })] }
    const profile = { transports: { pull: { base_url: 'https://seller.example/api', secret_ref: 'later', max_concurrent: 4 } } }
    expect((await seller('put', '/v1/me/capabilities', profile).expect(200)).body).toMatchObject({ ...profile, ...missing })
    const { body: read } = await seller('get', '/v1/me/capabilities').expect(200)
    expect(read).toMatchObject(missing)
    expect((await seller('put', '/v1/me/capabilities', read).expect(200)).body).toEqual(read) // what was read may be sent back
    await seller('put', '/v1/me/secrets/later', { value: 'a secret' }).expect(200)
    expect((await seller('get', '/v1/me/capabilities').expect(200)).body).not.toHaveProperty('warnings')
    expect((await seller('put', '/v1/me/capabilities', {}).expect(200)).body).not.toHaveProperty('warnings')
  })
})

describe('PUT /me/capabilities: 422', () => {
  it.each([
    ['approval', { approval: 'pull' }],
    ['realtime_availability', { realtime_availability: true }],
    ['sla.max_decision_latency_minutes', { sla: { max_decision_latency_minutes: 0 } }],
    ['approval', { approval: 'oracle' }],
    ['transports.pull.max_concurrent', { transports: { pull: { ...pull.transports.pull, max_concurrent: 65 } } }],
  ])('names %s', async (field, profile) => {
    const { body } = await seller('put', '/v1/me/capabilities', profile).expect(422)
    expect(body).toMatchObject({ error_code: 'INVALID_INPUT', details: { field } })
  })
})
