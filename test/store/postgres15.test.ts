import { expect, it } from '@jest/globals'
import { migrate } from '../../src/store/migrations/migrate.ts'
import { emptyDatabase } from '../support/engines/database.ts'
import { feedSettled } from '../support/engines/feedSettled.ts'
import { describeOnPostgres15 } from '../support/engines/postgres15.ts'
import { counterOrder } from '../support/orders/decisions.ts'
import { aCard, aRate } from '../support/orders/published.ts'
import { aBilled, aLogged, bookedOrder, sendPosts } from '../support/settlement/sendPosts.ts'
import { useMarket } from '../support/useMarket.ts'

/** The whole suite runs on it with TEST_POSTGRES_URL (docs/build/development.md); this walks through each kind of statement. */
describeOnPostgres15('postgres15.test.ts', () => {
  const market = useMarket() // at its end the invariants are checked

  it('an empty database is migrated, once', async () => {
    const [version] = (await market.owner().query('show server_version')).rows
    expect(version.server_version).toMatch(/^15\./)
    const database = await emptyDatabase()
    try {
      expect(await migrate(database.url)).not.toEqual([])
      expect(await migrate(database.url)).toEqual([])
    } finally {
      await database.drop()
    }
  })

  it('a card is published', async () => {
    const card = aCard('july', [aRate('prime')], { effective: { start: '2030-07-01', end: '2030-07-28' } })
    expect((await market.cable.put('/me/rate-cards', card)).body.rejected).toBe(0)
    expect((await market.cable.get('/me/rate-cards/july')).body.entries.length).toBeGreaterThan(0)
  })

  it('an order goes from its create over a counter to placed, and the feeds of both parties say so', async () => {
    const orderId = await market.parked({ line_items: [market.line()] })
    expect((await counterOrder(market, orderId, { unit_cost: 1100 })).status).toBe(202)
    expect((await market.acme.post(`/orders/${orderId}/respond`, { action: 'accept' })).body.status).toBe('placed')
    await feedSettled(market.deps.db)
    const events = await market.events(orderId)
    expect(events.map(({ status }) => status)).toEqual(['submitted', 'validating', 'seller_review', 'negotiating', 'placed'])
    for (const party of [market.acme, market.cable]) {
      const feed: { order_id?: string; seq?: number }[] = (await party.get('/events/feed?limit=500')).body.events
      expect(feed.filter((event) => event.order_id === orderId).map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq))
    }
  })

  it('an order is approved, booked, and reconciled with what its seller sends', async () => {
    const orderId = await bookedOrder(market)
    await sendPosts(market, 'cable', [aLogged(orderId), aBilled(orderId, { rate: 1300 })])
    const { body } = await market.acme.get(`/orders/${orderId}/reconciliation?code=RATE_MISMATCH`)
    expect(body.lines).toMatchObject([{ air_date: '2030-06-03', aired_in_spec: 1, variances: [{ code: 'RATE_MISMATCH' }] }])
  })
})
