import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { EVENT_TYPES } from '../../../src/contract/vocabulary.ts'
import { announce, type Notice } from '../../../src/store/delivery/notices.ts'
import type { Tenant } from '../../support/market.ts'
import { aCatalog, aProduct } from '../../support/orders/published.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

type Event = Record<string, unknown> & { event_type: string; order_id?: string; seq?: number; status?: string }
interface Page {
  events: Event[]
  next_cursor: string
}

const page = async (reader: Tenant, query = '') => {
  const reply = await reader.get(`/events/feed?${query}`)
  expect(reply.status).toBe(200)
  return reply.body as Page
}

/** Reads the feed from a cursor until the condition holds. It waits, because the feed shows nothing newer than the oldest open transaction of the server, which other tests share. */
async function follow(
  reader: Tenant,
  { after, filter = '', until }: { after?: string | undefined; filter?: string; until(events: Event[]): boolean },
) {
  const events: Event[] = []
  let cursor = after
  const deadline = Date.now() + 10_000
  while (!until(events)) {
    if (Date.now() > deadline)
      throw new Error(`The feed did not reach the condition: ${JSON.stringify(events.map(({ order_id, seq }) => [order_id, seq]))}`)
    const next = await page(reader, `limit=3${filter}${cursor === undefined ? '' : `&after=${cursor}`}`)
    if (next.events.length === 0) await sleep(20)
    events.push(...next.events)
    cursor = next.next_cursor
  }
  return { events, cursor: cursor as string }
}

const reached = (orderId: string, seq: number) => (events: Event[]) =>
  events.some((event) => event.order_id === orderId && event.seq === seq)
/** The current end of a reader's feed. */
const now = async (reader: Tenant, filter = '') => {
  const orderId = await market.created()
  return (await follow(reader, { filter, until: reached(orderId, 1) })).cursor
}
const eventsOf = (events: Event[], orderId: string) => events.filter((event) => event.order_id === orderId)

describe('GET /events/feed: 200', () => {
  it('shows both sides the same envelopes, which are those of the replay', async () => {
    const orderId = await market.placed()
    const feeds = await Promise.all(
      [market.acme, market.cable].map(async (reader) => eventsOf((await follow(reader, { until: reached(orderId, 4) })).events, orderId)),
    )
    const replayed = await market.events(orderId)
    expect(replayed).toHaveLength(4)
    expect(feeds).toEqual([replayed, replayed])
  })

  it('shows a stranger of either side no event of an order', async () => {
    const orderId = await market.placed()
    await follow(market.acme, { until: reached(orderId, 4) })
    for (const reader of [market.zenith, market.station]) {
      expect((await page(reader, 'limit=500')).events.filter((event) => event.order_id === orderId)).toEqual([])
    }
  })

  it('resumes where it stopped: every event once, each order in its own seq order, while orders arrive', async () => {
    const start = await now(market.cable)
    const writing = Promise.all(Array.from({ length: 6 }, () => market.placed()))
    const complete = (events: Event[]) => events.filter(({ status }) => status === 'placed').length === 6
    const { events } = await follow(market.cable, { after: start, until: complete })
    const orderIds = await writing
    expect(events).toHaveLength(24)
    for (const orderId of orderIds) expect(eventsOf(events, orderId).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  })

  it('returns the given cursor at the end, and that cursor continues', async () => {
    const cursor = await now(market.acme)
    const end = await page(market.acme, `after=${cursor}`)
    expect(end).toEqual({ events: [], next_cursor: cursor })
    const orderId = await market.created()
    const { events } = await follow(market.acme, { after: end.next_cursor, until: reached(orderId, 1) })
    expect(events.map(({ order_id }) => order_id)).toEqual([orderId])
  })

  it('filters by statuses', async () => {
    const filter = '&events=order.status_changed&statuses=seller_review,placed'
    const orderId = await market.placed()
    const { events } = await follow(market.acme, { filter, until: reached(orderId, 4) })
    expect(eventsOf(events, orderId).map(({ status }) => status)).toEqual(['seller_review', 'placed'])
    expect(new Set(events.map(({ status }) => status))).toEqual(new Set(['seller_review', 'placed']))
  })

  it('filters by event types, and statuses leave the other types alone', async () => {
    const products = ['duplicate-1', 'duplicate-2'].map((product_id) => aProduct(product_id, { external_ref: 'shared' }))
    expect((await market.cable.put('/me/catalog', aCatalog(...products))).status).toBe(422)
    const conflicts = '&events=catalog.integrity_failed&statuses=placed'
    const { events: found } = await follow(market.cable, { filter: conflicts, until: (seen) => seen.length > 0 })
    expect(found).toEqual([expect.objectContaining({ event_type: 'catalog.integrity_failed', seller: 'cable' })])
    const orderId = await market.created()
    const { events } = await follow(market.acme, { filter: '&events=order.status_changed', until: reached(orderId, 1) })
    expect(new Set(events.map(({ event_type }) => event_type))).toEqual(new Set(['order.status_changed']))
  })

  it('continues past a page that the filter left empty', async () => {
    const cursor = await now(market.acme, '&statuses=submitted,rejected')
    await market.placed()
    const orderId = await market.created()
    const { events } = await follow(market.acme, { after: cursor, filter: '&statuses=rejected,submitted', until: reached(orderId, 1) })
    expect(events.map(({ status }) => status)).toEqual(['submitted', 'submitted'])
  })
})

describe('GET /events/feed: every type', () => {
  const NOTICES: readonly Notice[] = [
    ['catalog.rate_card_published', { commit: 'june', effective: { start: '2030-06-01', end: '2030-06-30' }, product_ids: ['prime'] }],
    [
      'catalog.window_opened',
      {
        product_id: 'prime',
        week: '2030-W23',
        market_class: 'discounted',
        locked_rate_ids: ['lr_1'],
        opens: '2030-06-01T00:00:00.000Z',
        closes: '2030-06-02T00:00:00.000Z',
      },
    ],
    ['catalog.avails_answered', { request_id: 'req_1', product_id: 'prime', periods: [{ grain: 'week', start: '2030-W23' }] }],
    ['catalog.integrity_failed', { error_code: 'GRAIN_CONFLICT', details: {} }],
    ['settlement.invoice_issued', { invoice_id: 'inv_1', order_id: 'ord_1', gross: 100.5 }],
  ].map(([event_type, data]) => ({
    event_type: event_type as Notice['event_type'],
    seller: 'cable',
    occurred_at: '2030-06-01T00:00:00.000Z',
    shown: [{ to: ['zenith'], data: data as object }],
  }))

  // The invariants allow no feed event of an unknown invoice, and only a replica may delete from the feed.
  market.beforeStop(() =>
    market.owner().query(`set session_replication_role = replica;
      delete from feed using notices n where n.event_id = feed.event_id and n.body::json->'data'->>'invoice_id' = 'inv_1'`),
  )

  it('matches the contract, and is found by a filter for that type alone', async () => {
    await market.deps.db.sql.transaction().execute((tx) => announce(tx, NOTICES))
    for (const { event_type, shown } of NOTICES) {
      const ours = ({ data }: Event) => JSON.stringify(data) === JSON.stringify(shown[0]?.data)
      const { events } = await follow(market.zenith, { filter: `&events=${event_type}`, until: (seen) => seen.some(ours) })
      expect(new Set(events.map((event) => event.event_type))).toEqual(new Set([event_type]))
    }
    expect([...NOTICES.map(({ event_type }) => event_type), 'order.status_changed'].sort()).toEqual([...EVENT_TYPES].sort())
  })
})

describe('GET /events/feed: 422', () => {
  it('refuses a cursor of another tenant, of other filters or of another list, and one that was changed', async () => {
    const mine = await now(market.acme)
    const { next_cursor: filtered } = await page(market.acme, 'statuses=placed')
    const { next_cursor: listed } = (await market.acme.get('/orders?limit=1')).body
    expect(listed).not.toBeNull()
    for (const [reader, query] of [
      [market.zenith, `after=${mine}`],
      [market.cable, `after=${mine}`],
      [market.acme, `after=${mine}&statuses=placed`],
      [market.acme, `after=${filtered}`],
      [market.acme, `after=${filtered}&statuses=placed&events=order.status_changed`],
      [market.acme, `after=${listed}`],
      [market.acme, `after=A${mine}`],
      [market.acme, `after=${mine.split('.')[0]}`],
      [market.acme, 'after='],
    ] as [Tenant, string][]) {
      const reply = await reader.get(`/events/feed?${query}`)
      expect([query, reply.status]).toEqual([query, 422])
      expect(reply.body).toMatchObject({ error_code: 'INVALID_INPUT', details: { field: 'after' } })
    }
  })

  it.each([
    ['events', 'events=order.created'],
    ['statuses', 'statuses=lost'],
    ['limit', 'limit=501'],
    ['limit', 'limit=0'],
    ['cursor', 'cursor=x'],
  ])('refuses %s in ?%s', async (field, query) => {
    const reply = await market.acme.get(`/events/feed?${query}`)
    expect(reply.status).toBe(422)
    expect(reply.body).toMatchObject({ error_code: 'INVALID_INPUT', details: { field } })
  })
})
