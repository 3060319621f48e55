import { describe, expect, it } from '@jest/globals'
import { WEEKS } from '../../support/market.ts'
import { counterOrder, decideOrder } from '../../support/orders/decisions.ts'
import { proposalsOf } from '../../support/orders/proposals.ts'
import { aCard, aRate } from '../../support/orders/published.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

/** What the order failed with. */
const errorOf = async (orderId: string) => (await market.snapshot(orderId)).error

describe('a month line that cites a price that was replaced alike in all of its weeks', () => {
  it('is accepted, and fails with STALE_RATE_CARD and the drift, as a week line does', async () => {
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

describe('a quote that has ended', () => {
  const decide = (orderId: string, decision: string) => decideOrder(market, orderId, { decision })
  /** Counters the first line at a price, and answers the quote's id. */
  const countered = async (orderId: string, unit_cost: number) => {
    expect((await counterOrder(market, orderId, { unit_cost })).status).toBe(202)
    return String((await market.snapshot(orderId)).line_items.at(-1)?.locked_rate_id)
  }
  const citing = (locked_rate_id: string, unit_cost: number, start = '2030-W24') =>
    market.order({ line_items: [market.line({ units: 1_000, period: { grain: 'week', start } }, { locked_rate_id, unit_cost })] })
  const isOnCard = async (locked_rate_id: string, week = '2030-W24') =>
    (await market.acme.get(`/sellers/cable/avails?product_id=prime&weeks=${week}`)).text.includes(locked_rate_id)
  const isRefused = async (locked_rate_id: string, reason: string, body: object = citing(locked_rate_id, 0.01)) => {
    expect(await isOnCard(locked_rate_id)).toBe(false)
    for (const path of ['/orders', '/orders?dry_run=true']) {
      const reply = await market.acme.post(path, body)
      expect([reply.status, reply.body.error_code, reply.body.details]).toMatchObject([
        422,
        'INVALID_INPUT',
        { field: 'line_items.0.rate.locked_rate_id', locked_rate_id, reason },
      ])
    }
  }

  it('cannot be cited once its seller replaced or gave up its counter', async () => {
    const orderId = await market.parked()
    const first = await countered(orderId, 0.01)
    expect(await isOnCard(first)).toBe(true)
    const second = await countered(orderId, 900)
    await isRefused(first, 'replaced')
    expect(await isOnCard(second)).toBe(true)
    await decide(orderId, 'approve')
    await isRefused(second, 'rejected', citing(second, 900))
  })

  it('cannot be cited once its seller rejected the order, or its buyer left it', async () => {
    const orders = [await market.parked(), await market.parked(), await market.parked()]
    const [rejected = '', withdrawn = '', canceled = ''] = orders
    const quotes = [await countered(rejected, 0.01), await countered(withdrawn, 0.01), await countered(canceled, 0.01)]
    await decide(rejected, 'reject')
    await market.acme.post(`/orders/${withdrawn}/respond`, { action: 'withdraw' })
    await market.acme.post(`/orders/${canceled}/cancel`, {})
    await isRefused(quotes[0] ?? '', 'rejected')
    await isRefused(quotes[1] ?? '', 'withdrawn')
    await isRefused(quotes[2] ?? '', 'withdrawn')
  })

  it('fails an order that had already cited it, with a reason for every line', async () => {
    const orderId = await market.parked()
    const quote = await countered(orderId, 0.01)
    const late = (await market.acme.post('/orders', citing(quote, 0.01))).body.order_id
    await countered(orderId, 900)
    expect(await market.validate(late)).toBe('failed')
    const [line] = (await market.snapshot(late)).line_items
    const ended_quotes = [{ unit_id: line?.unit_id, locked_rate_id: quote, reason: 'replaced' }]
    expect(await errorOf(late)).toMatchObject({ error_code: 'STALE_RATE_CARD', details: { ended_quotes } })
  })

  it('remains a price once it was accepted', async () => {
    const orderId = await market.parked()
    const quote = await countered(orderId, 777)
    await market.acme.post(`/orders/${orderId}/respond`, { action: 'accept' })
    expect(await isOnCard(quote)).toBe(true)
    const revision = await market.acme.post('/orders', { ...citing(quote, 777), revision: { supersedes: orderId } })
    expect(await market.validate(revision.body.order_id)).toBe('seller_review')
  })

  it('of a plan ends in all of its weeks when a newer plan replaces it, and when the buyer rejects', async () => {
    const proposals = await proposalsOf(market)
    const orderId = await proposals.asked()
    const plan = async (unit_cost: number) => {
      await proposals.planned(orderId, { line_items: [proposals.quoted({ period: { grain: 'month', start: '2030-06' } }, { unit_cost })] })
      const { artifacts } = (await market.snapshot(orderId)) as unknown as {
        artifacts: { line_items: { rate: { locked_rate_id: string } }[] }[]
      }
      return artifacts[0]?.line_items[0]?.rate.locked_rate_id ?? ''
    }
    const pricesAt = async (unit_cost: number) => {
      const { body } = await market.acme.get(`/sellers/cable/avails?product_id=prime&weeks=${WEEKS.join(',')}`)
      return body.avails.flatMap(({ rates }: { rates: { gross_rate_unit: number }[] }) =>
        rates.filter((rate) => rate.gross_rate_unit === unit_cost),
      )
    }
    const first = await plan(0.01)
    expect((await pricesAt(0.01)).length).toBeGreaterThanOrEqual(WEEKS.length)
    const second = await plan(800)
    expect(await pricesAt(0.01)).toEqual([])
    await isRefused(first, 'replaced', citing(first, 0.01, '2030-W22'))
    await market.acme.post(`/orders/${orderId}/confirm`, { action: 'reject', actor: 'Bea', reason: 'too expensive' })
    await isRefused(second, 'rejected', citing(second, 800, '2030-W22'))
    expect(await pricesAt(800)).toEqual([])
  })
})
