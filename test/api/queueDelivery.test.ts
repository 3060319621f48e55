import { describe, expect, it } from '@jest/globals'
import { EVENT_TYPES } from '../../src/contract/vocabulary.ts'
import { checkReply } from '../support/http/contract.ts'
import { useApp } from '../support/useApp.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()

const remove = async (token: string) => {
  const reply = await market.request.delete('/v1/events/queue').auth(token, { type: 'bearer' })
  checkReply('delete', '/events/queue', reply)
  return reply
}

describe('PUT /events/queue: 200', () => {
  it('says where the events go and which filters it has; both sides may have one', async () => {
    const created = await market.acme.put('/events/queue', { events: ['order.status_changed'], statuses: ['placed'] })
    expect(created.status).toBe(200)
    expect(created.body).toEqual({
      exchange: 'marketplace.acme',
      queue: 'marketplace.acme',
      events: ['order.status_changed'],
      statuses: ['placed'],
      credential_id: expect.stringMatching(/^cred_/),
      readable_events: [...EVENT_TYPES],
      created_at: expect.any(String),
      up_to_date: true,
      failing: null,
    })
    expect((await market.acme.get('/events/queue')).body).toEqual(created.body)
    expect((await market.cable.put('/events/queue', {})).body).toMatchObject({ queue: 'marketplace.cable', events: null, statuses: null })
  })

  it('changes the filters on a repeat and continues; with a cursor of the feed it begins there', async () => {
    await market.placed()
    const { created_at } = (await market.acme.get('/events/queue')).body
    const { next_cursor } = (await market.acme.get('/events/feed?limit=1&wait_s=10')).body
    const changed = await market.acme.put('/events/queue', { events: null, statuses: null, after: next_cursor })
    expect(changed.body).toMatchObject({ events: null, statuses: null, created_at, up_to_date: false })
    expect((await market.acme.put('/events/queue', { events: ['order.status_changed'] })).body).toMatchObject({ up_to_date: false })
  })
})

describe('PUT /events/queue: 422', () => {
  it('refuses a cursor of other filters or another tenant', async () => {
    const { next_cursor } = (await market.acme.get('/events/feed?limit=1&wait_s=10')).body
    for (const [tenant, body] of [
      [market.acme, { statuses: ['placed'], after: next_cursor }],
      [market.zenith, { after: next_cursor }],
      [market.acme, { after: 'x' }],
    ] as const) {
      const reply = await tenant.put('/events/queue', body)
      expect(reply.status).toBe(422)
      expect(reply.body).toMatchObject({ error_code: 'INVALID_INPUT', details: { field: 'after' } })
    }
  })

  it.each([
    ['events.0', { events: ['order.created'] }],
    ['statuses.0', { statuses: ['lost'] }],
    ['events', { events: [] }],
  ])('refuses a filter that selects nothing known: %s', async (field, body) => {
    const reply = await market.acme.put('/events/queue', body)
    expect(reply.status).toBe(422)
    expect(reply.body).toMatchObject({ error_code: 'INVALID_INPUT', details: { field } })
  })
})

describe('PUT /events/queue without a message broker: 422', () => {
  const app = useApp({ broker: 'none' })

  it('names the alternatives', async () => {
    const reply = await app.request.put('/v1/events/queue').auth(app.tokens.buyers.acme, { type: 'bearer' }).send({})
    expect(reply.status).toBe(422)
    expect(reply.body).toMatchObject({
      error_code: 'INVALID_INPUT',
      error_message: 'This marketplace has no message broker: register a webhook, or read the feed.',
      details: { supported: ['POST /webhooks/endpoints', 'GET /events/feed'] },
    })
    checkReply('put', '/events/queue', reply)
  })
})

describe('DELETE /events/queue: 204', () => {
  it('removes the queue from reads', async () => {
    await market.cable.put('/events/queue', {})
    expect((await remove(market.cable.token)).status).toBe(204)
    expect((await market.cable.get('/events/queue')).status).toBe(404)
  })
})

describe('DELETE /events/queue: 404', () => {
  it('is the answer where no queue is set up, once deleted or never created', async () => {
    expect((await remove(market.cable.token)).status).toBe(404)
    expect((await remove(market.station.token)).status).toBe(404)
    expect((await market.station.get('/events/queue')).status).toBe(404)
  })
})
