import { describe, expect, it } from '@jest/globals'
import type { Tenant } from '../../support/market.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

type Event = Record<string, unknown> & { event_type: string; order_id: string; seq: number; status: string; occurred_at: string }
const replay = async (reader: Tenant, query: string) => {
  const reply = await reader.get(`/events?${query}`)
  expect(reply.status).toBe(200)
  return reply.body as { events: Event[]; last_seq: number }
}
const seqs = ({ events }: { events: Event[] }) => events.map(({ seq }) => seq)

describe('GET /events: 200', () => {
  it('replays an order from its first event to both sides, in seq order with increasing timestamps', async () => {
    const orderId = await market.placed()
    const mine = await market.acme.get(`/events?order=${orderId}`)
    expect((await market.cable.get(`/events?order=${orderId}`)).text).toBe(mine.text)
    const { events, last_seq } = mine.body as { events: Event[]; last_seq: number }
    expect(last_seq).toBe(4)
    expect(events.map(({ seq, prior_status, status }) => [seq, prior_status, status])).toEqual([
      [1, null, 'submitted'],
      [2, 'submitted', 'validating'],
      [3, 'validating', 'seller_review'],
      [4, 'seller_review', 'placed'],
    ])
    const stamps = events.map(({ occurred_at }) => occurred_at)
    expect(stamps).toEqual([...new Set(stamps)].sort())
    for (const event of events) {
      expect(event).toMatchObject({
        event_type: 'order.status_changed',
        event_id: `${orderId}:${event.seq}`,
        order_id: orderId,
        external_order_id: expect.any(String),
        substatus: null,
      })
    }
  })

  it('continues after a seq', async () => {
    const order = `order=${await market.placed()}`
    expect(seqs(await replay(market.acme, `${order}&after_seq=0`))).toEqual([1, 2, 3, 4])
    expect(seqs(await replay(market.acme, `${order}&after_seq=2`))).toEqual([3, 4])
    expect(await replay(market.acme, `${order}&after_seq=4`)).toEqual({ events: [], last_seq: 4 })
    expect(await replay(market.acme, `${order}&after_seq=999999999`)).toEqual({ events: [], last_seq: 4 })
  })

  it('pages by after_seq, with the last_seq of the order on every page', async () => {
    const order = `order=${await market.placed()}`
    const first = await replay(market.cable, `${order}&limit=3`)
    expect([seqs(first), first.last_seq]).toEqual([[1, 2, 3], 4])
    expect(seqs(await replay(market.cable, `${order}&limit=3&after_seq=3`))).toEqual([4])
  })

  it('is where events_url of the snapshot leads', async () => {
    const orderId = await market.parked()
    const { events_url } = await market.snapshot(orderId)
    expect((await market.acme.get(String(events_url).replace(/^\/v1/, ''))).body.last_seq).toBe(3)
  })
})

describe('GET /events: 404', () => {
  it('answers another tenant’s order like an unknown one, on both sides', async () => {
    const orderId = await market.created()
    const replies = await Promise.all([
      market.zenith.get(`/events?order=${orderId}`),
      market.station.get(`/events?order=${orderId}`),
      market.zenith.get('/events?order=ord_x'),
      market.cable.get('/events?order='),
    ])
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  })
})

describe('GET /events: 422', () => {
  it.each([
    ['order', ''],
    ['order', 'order=a&order=b'],
    ['after_seq', 'order=a&after_seq=-1'],
    ['after_seq', 'order=a&after_seq=1.5'],
    ['after_seq', 'order=a&after_seq=1e3'],
    ['after_seq', 'order=a&after_seq=9999999999'],
    ['limit', 'order=a&limit=0'],
    ['limit', 'order=a&limit=501'],
    ['since', 'order=a&since=1'],
  ])('refuses %s in ?%s', async (field, query) => {
    const reply = await market.acme.get(`/events?${query}`)
    expect(reply.status).toBe(422)
    expect(reply.body).toMatchObject({ error_code: 'INVALID_INPUT', details: { field } })
  })
})
