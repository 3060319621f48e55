import { describe, expect, it } from '@jest/globals'
import type { EndpointCreated } from '../../../src/contract/webhook.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

const URL_OF = 'https://hooks.acme.example/orders'
const registered = async (more: object = {}) =>
  (await market.acme.post('/webhooks/endpoints', { url: URL_OF, ...more })).body as EndpointCreated
const at = ({ endpoint_id }: { endpoint_id: string }, path = '') => `/webhooks/endpoints/${endpoint_id}${path}`
const change = async (endpoint: { endpoint_id: string }, body: unknown) => market.acme.patch(at(endpoint), body)
const sentTo = async (endpoint: { endpoint_id: string }) => {
  const { body } = await market.acme.get(at(endpoint, '/deliveries'))
  return body.items.map(({ event_id }: { event_id: string }) => event_id).reverse()
}

describe('PATCH /webhooks/endpoints/{id}: 200', () => {
  it('changes what is sent, keeps the rest, and takes null for everything', async () => {
    const { secret: _, ...endpoint } = await registered({ events: ['order.status_changed'], statuses: ['placed'] })
    const moved = await change(endpoint, { url: 'https://hooks.acme.example/v2' })
    expect([moved.status, moved.body]).toEqual([200, { ...endpoint, url: 'https://hooks.acme.example/v2' }])
    expect((await change(endpoint, { statuses: ['failed', 'failed'] })).body).toMatchObject({
      statuses: ['failed'],
      events: endpoint.events,
    })
    expect((await change(endpoint, { statuses: null, events: null })).body).toMatchObject({ statuses: null, events: null })
    expect((await market.acme.get(at(endpoint))).body).toEqual({
      ...endpoint,
      url: 'https://hooks.acme.example/v2',
      statuses: null,
      events: null,
    })
  })

  it('selects events that happen from then on by the new filters', async () => {
    const endpoint = await registered({ statuses: ['placed'], events: ['order.status_changed'] })
    const before = await market.parked()
    await change(endpoint, { statuses: ['seller_review'] })
    const after = await market.parked()
    expect(await sentTo(endpoint)).toEqual([`${after}:3`])
    expect(before).not.toBe(after)
  })

  it('is in the audit log with what changed, of the URL its host alone', async () => {
    const endpoint = await registered({ events: ['order.status_changed'] })
    await change(endpoint, { url: 'https://other.acme.example/secret-path' })
    const { body } = await market.acme.get('/audit?action=webhook_endpoint.changed&limit=1')
    expect(body.items).toEqual([
      expect.objectContaining({
        target: endpoint.endpoint_id,
        before: { host: 'hooks.acme.example' },
        after: { host: 'other.acme.example' },
      }),
    ])
  })
})

describe('PATCH /webhooks/endpoints/{id}: refused', () => {
  it.each([
    ['a URL that is not called', { url: 'http://169.254.169.254/' }, 'url'],
    ['no event at all', { events: [] }, 'events'],
    ['an unknown status', { statuses: ['shipped'] }, 'statuses.0'],
    ['a member that nothing knows', { secret: 'x' }, 'secret'],
  ])('422 for %s', async (_, body, field) => {
    const endpoint = await registered()
    const reply = await change(endpoint, body)
    expect([reply.status, reply.body.details.field]).toEqual([422, field])
    expect((await market.acme.get(at(endpoint))).body).toMatchObject({ url: URL_OF, events: null })
  })

  it('404 for that of another tenant and a deleted one', async () => {
    const endpoint = await registered()
    expect((await market.zenith.patch(at(endpoint), { statuses: null })).status).toBe(404)
    await market.acme.delete(at(endpoint))
    expect((await change(endpoint, { statuses: null })).status).toBe(404)
  })
})

describe('POST …/rotate-secret with expire_previous', () => {
  const previous = async ({ endpoint_id }: { endpoint_id: string }) =>
    (await market.owner().query('select previous_secrets from webhook_endpoints where endpoint_id = $1', [endpoint_id])).rows[0]
      .previous_secrets

  it('now: no earlier secret signs any more, however many there were', async () => {
    const endpoint = await registered()
    for (let times = 0; times < 5; times += 1) await market.acme.post(at(endpoint, '/rotate-secret'), undefined)
    expect(await previous(endpoint)).toHaveLength(5)
    expect((await market.acme.post(at(endpoint, '/rotate-secret'), {})).status).toBe(422)
    const { status, body } = await market.acme.post(at(endpoint, '/rotate-secret'), { expire_previous: 'now' })
    expect([status, Date.parse(body.previous_secret_valid_until) <= Date.now()]).toEqual([200, true])
    expect(await previous(endpoint)).toEqual([])
  })
})

describe('POST …/redeliver with skip_delivered', () => {
  it('leaves out what another delivery has brought since', async () => {
    const endpoint = await registered()
    const pings: { delivery_id: string; event_id: string }[] = []
    for (let sent = 0; sent < 3; sent += 1) pings.push((await market.acme.post(at(endpoint, '/test'), undefined)).body)
    const owner = market.owner()
    const ended = (status: string, which: string) =>
      owner.query(`update deliveries set status = $2, made = 1, attempts = $3 where endpoint_id = $1 and ${which}`, [
        endpoint.endpoint_id,
        status,
        JSON.stringify([{ at: new Date().toISOString(), latency_ms: 1, status_code: status === 'delivered' ? 200 : 500 }]),
      ])
    await ended('dropped', 'true')
    await market.acme.post(at(endpoint, `/deliveries/${pings[1]?.delivery_id}/redeliver`), undefined)
    await ended('delivered', 'redelivery_of is not null')
    const range = { from: '2020-01-01T00:00:00Z' }
    expect((await market.acme.post(at(endpoint, '/redeliver'), { ...range, skip_delivered: true })).body.redelivered).toBe(2)
    expect((await market.acme.post(at(endpoint, '/redeliver'), range)).body.redelivered).toBe(3)
    expect((await sentTo(endpoint)).filter((id: string) => id === pings[1]?.event_id)).toHaveLength(3)
  })
})
