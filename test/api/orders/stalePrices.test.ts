import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Market, startMarket, WEEKS } from '../../support/market.ts'
import { aCard, aRate } from '../../support/published.ts'

let market: Market
beforeAll(async () => {
  market = await startMarket()
})
afterAll(() => market.stop())

/** What the order failed with. */
const errorOf = async (orderId: string) => (await market.snapshot(orderId)).error

describe('a month line that cites a price that was replaced alike in all of its weeks', () => {
  it('is taken, and fails with STALE_RATE_CARD and the drift, as a week line does', async () => {
    const key = { advertiser_class: 'replaced', gross_rate_unit: 400 }
    const effective = { start: '2030-05-27', end: '2030-06-30' }
    const publish = async (commit: string, entry: Record<string, unknown>) =>
      expect((await market.cable.put('/me/rate-cards', aCard(commit, [aRate('prime', entry)], { effective }))).body.rejected).toBe(0)
    await publish('replaced-1', key)
    const { entries } = (await market.cable.get('/me/rate-cards/replaced-1?limit=100')).body
    const cited = entries.find(({ week }: { week: string }) => week === WEEKS[1]).locked_rate_id
    await publish('replaced-2', { ...key, gross_rate_unit: 450 })
    const rate = { advertiser_class: 'replaced', unit_cost: 400, locked_rate_id: cited }
    const line_items = [market.line({ period: { grain: 'month', start: '2030-06' } }, rate), market.line({}, rate)]
    const orderId = await market.parked({ line_items })
    const drift = { locked_rate_id: cited, cited: 400, current: 450 }
    expect(await errorOf(orderId)).toMatchObject({ error_code: 'STALE_RATE_CARD', details: { rate_drift: [drift, drift] } })
  })
})
