import { describe, expect, it } from '@jest/globals'
import { announce } from '../../../src/store/delivery/notices.ts'
import { feedSettled } from '../../support/engines/feedSettled.ts'
import type { Tenant } from '../../support/market.ts'
import { until } from '../../support/until.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

const read = async (reader: Tenant, query: string) => {
  const { status, body } = await reader.get(`/events/feed?${query}`)
  expect(status).toBe(200)
  return body as { events: Record<string, unknown>[]; next_cursor: string }
}
/** The first events after a cursor. The feed may hide them for as long as another transaction of the server is open. */
const firstAfter = async (reader: Tenant, cursor: string) => {
  let events: Record<string, unknown>[] = []
  await until(async () => {
    events = (await read(reader, `after=${cursor}`)).events
    return events.length > 0
  })
  return events
}

describe('GET /events/feed?after=now: 200', () => {
  it('returns a cursor without events and without waiting; what is committed later follows', async () => {
    await market.placed()
    await feedSettled(market.deps.db)
    const { events, next_cursor } = await read(market.acme, 'after=now&wait_s=30')
    expect(events).toEqual([])
    const orderId = await market.created()
    expect(await firstAfter(market.acme, next_cursor)).toMatchObject([{ order_id: orderId, seq: 1 }])
  })

  it('misses nothing that a transaction open at the time commits later', async () => {
    const card = { commit: 'late', effective: { start: '2030-06-01', end: '2030-06-30' }, product_ids: ['prime'] }
    await feedSettled(market.deps.db)
    const cursor = await market.deps.db.sql.transaction().execute(async (tx) => {
      const shown = [{ to: ['acme'], data: card }]
      await announce(tx, [{ event_type: 'catalog.rate_card_published', seller: 'cable', occurred_at: '2030-06-01T00:00:00.000Z', shown }])
      return (await read(market.acme, 'after=now')).next_cursor
    })
    expect(await firstAfter(market.acme, cursor)).toMatchObject([{ event_type: 'catalog.rate_card_published', data: card }])
  })

  it('returns a cursor for this reader and these filters only', async () => {
    const { next_cursor } = await read(market.acme, 'after=now&statuses=placed')
    expect((await market.acme.get(`/events/feed?after=${next_cursor}`)).status).toBe(422)
    expect((await market.zenith.get(`/events/feed?statuses=placed&after=${next_cursor}`)).status).toBe(422)
    expect((await read(market.acme, `statuses=placed&after=${next_cursor}`)).events).toEqual([])
  })
})
