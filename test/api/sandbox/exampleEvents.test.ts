import { describe, expect, it } from '@jest/globals'
import { OrderEvent } from '../../../src/contract/event.ts'
import { NoticeEvent } from '../../../src/contract/noticeEvent.ts'
import { EVENT_TYPES } from '../../../src/contract/vocabulary.ts'
import type { Market } from '../../support/market.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const production = useMarket({ mode: 'production' })

async function endpointOf({ acme }: Pick<Market, 'acme'>): Promise<string> {
  const events = ['order.status_changed']
  return (await acme.post('/webhooks/endpoints', { url: 'https://hooks.example.com/sandbox', events })).body.endpoint_id
}

describe('POST /webhooks/endpoints/{id}/test: 202', () => {
  it.each(EVENT_TYPES)('queues a whole example of %s, which the log of deliveries calls a test', async (event_type) => {
    const { status, body } = await market.acme.post(`/webhooks/endpoints/${await endpointOf(market)}/test`, { event_type })
    expect([status, body.event_type]).toEqual([202, 'webhook.test'])
    const { rows } = await market.owner().query('select body from notices where event_id = $1', [body.event_id])
    const event = JSON.parse(rows[0].body)
    expect(event.event_type).toBe(event_type)
    expect((event_type === 'order.status_changed' ? OrderEvent : NoticeEvent).safeParse(event).error).toBeUndefined()
  })

  it('is a ping without a type, and appears on no feed', async () => {
    const { body } = await market.acme.post(`/webhooks/endpoints/${await endpointOf(market)}/test`, {})
    const { rows } = await market.owner().query('select body from notices where event_id = $1', [body.event_id])
    expect(JSON.parse(rows[0].body)).toMatchObject({ event_type: 'webhook.test', event_id: body.event_id })
    const { events } = (await market.acme.get('/events/feed')).body
    expect(events.filter(({ event_id }: { event_id?: string }) => event_id === body.event_id)).toEqual([])
  })
})

describe('POST /webhooks/endpoints/{id}/test: 404', () => {
  it('is the answer to strangers, whatever they send', async () => {
    const endpoint = await endpointOf(market)
    for (const body of [{}, { event_type: 'lunch' }])
      expect((await market.zenith.post(`/webhooks/endpoints/${endpoint}/test`, body)).status).toBe(404)
  })
})

describe('POST /webhooks/endpoints/{id}/test: 422', () => {
  it('is the answer to an unknown type, and in production to every type but the ping', async () => {
    const unknown = await market.acme.post(`/webhooks/endpoints/${await endpointOf(market)}/test`, { event_type: 'lunch' })
    const endpoint = await endpointOf(production)
    const real = await production.acme.post(`/webhooks/endpoints/${endpoint}/test`, { event_type: 'order.status_changed' })
    for (const { status, body } of [unknown, real]) expect([status, body.details.field]).toEqual([422, 'event_type'])
    expect((await production.acme.post(`/webhooks/endpoints/${endpoint}/test`, { event_type: 'webhook.test' })).status).toBe(202)
  })
})
