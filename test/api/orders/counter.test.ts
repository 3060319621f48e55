import { describe, expect, it } from '@jest/globals'
import { LOG_CHARACTERS } from '../../../src/contract/vocabulary/bounds.ts'
import { decided } from '../../../src/domain/order/decision.ts'
import { applyCommand } from '../../../src/operations/orders/applyCommand.ts'
import type { Market } from '../../support/market.ts'
import { unitIdsOf } from '../../support/orders/decisions.ts'
import { inHours } from '../../support/orders/proposals.ts'
import { command, seqOf } from '../../support/orders/storedOrders.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

type Body = Record<string, unknown>
type Counter = { week: string; unit_cost?: number; cpm?: number; quote_expires_at?: string }
const counter = (unit_id: string, figures: Partial<Counter> = {}) => ({
  unit_id,
  action: 'counter',
  counter: { week: '2030-W24', unit_cost: 1100, ...figures },
})
const said = (units: unknown[], more: Body = {}) => ({ decision: 'counter', actor: 'Ada', units, ...more })
const decide = (orderId: string, body: unknown) => market.cable.post(`/me/orders/${orderId}/decide`, body)
const unitsOf = (orderId: string) => unitIdsOf(market, orderId)
const twoLines = () => ({ line_items: [market.line(), market.line({ units: 4 })] })

describe('POST /me/orders/{id}/decide with counters: 202', () => {
  it('shows both sides the same on reply, event, snapshot and card', async () => {
    const orderId = await market.parked(twoLines())
    const [first = ''] = await unitsOf(orderId)
    const quote_expires_at = inHours(5)
    const reply = await decide(orderId, said([counter(first, { quote_expires_at })], { reason: 'Sold out that week' }))
    expect([reply.status, reply.body]).toEqual([
      202,
      { order_id: orderId, status: 'negotiating', last_seq: 4, units_accepted: 1, units_countered: 2, units_rejected: 0 },
    ])
    const event = (await market.events(orderId)).at(-1) ?? {}
    const snapshot = await market.snapshot(orderId)
    expect(event).toMatchObject({
      status: 'negotiating',
      prior_status: 'seller_review',
      decision_record: { gate: 'api', actor: 'Ada', decision: 'counter', reason: 'Sold out that week' },
      units: snapshot.line_items,
    })
    expect(snapshot).toMatchObject({
      status: 'negotiating',
      totals: { gross: 5002, currency: 'USD' },
      artifacts: [],
      allowed_actions: ['respond', 'cancel'],
      waiting_on: { party: 'buyer', due_by: quote_expires_at, overdue: false },
      line_items: [
        { unit_id: first, status: 'countered', reason: 'Sold out that week' },
        { status: 'accepted', num_accepted: 4 },
        { status: 'countered', in_response_to: first, counter: { week: '2030-W24', unit_cost: 1100, quote_expires_at }, units: 10 },
      ],
    })
    const { locked_rate_id } = snapshot.line_items[2] as unknown as { locked_rate_id: string }
    const seen = (text: string) => text.includes(locked_rate_id)
    const card = async (tenant: Market['acme']) => (await tenant.get('/sellers/cable/avails?product_id=prime&weeks=2030-W24')).text
    expect([seen(await card(market.acme)), seen(await card(market.zenith))]).toEqual([true, false])
    const own = await market.cable.get(`/me/orders/${orderId}`)
    expect(own.body).toMatchObject({ line_items: snapshot.line_items, allowed_actions: ['decide'] })
  })

  it("keeps a quote valid for the seller's quote_ttl_minutes by default", async () => {
    const profile = { negotiation: true, quote_ttl_minutes: 30 }
    await market.station.put('/me/capabilities', profile)
    const line = market.line({ product_id: 'news' }, { locked_rate_id: market.price('news', '2030-W23') })
    const orderId = await market.parked({ seller: 'station', rate_version: 'june-local', line_items: [line] })
    const [first = ''] = await unitsOf(orderId)
    await market.station.post(`/me/orders/${orderId}/decide`, said([counter(first)]))
    const { waiting_on, updated_at } = (await market.snapshot(orderId)) as unknown as { waiting_on: { due_by: string }; updated_at: string }
    const minutes = (Date.parse(waiting_on.due_by) - Date.parse(updated_at)) / 60_000
    expect(minutes).toBeGreaterThan(29.9)
    expect(minutes).toBeLessThanOrEqual(30)
  })

  it('answers an exact repeat with the stored outcome, and treats the same body as a new round once the order has moved on', async () => {
    const orderId = await market.parked(twoLines())
    const [first = '', second = ''] = await unitsOf(orderId)
    const one = said([counter(first)])
    const reply = await decide(orderId, one)
    expect((await decide(orderId, one)).text).toBe(reply.text)
    expect(await market.events(orderId)).toHaveLength(4)
    await decide(orderId, said([counter(second, { unit_cost: 900 })]))
    expect((await decide(orderId, one)).body).toMatchObject({ status: 'negotiating', last_seq: 6, units_countered: 4, units_rejected: 1 })
  })

  it('goes through rounds until the seller agrees', async () => {
    const orderId = await market.parked(twoLines())
    const [first = ''] = await unitsOf(orderId)
    await decide(orderId, said([counter(first)], { seller_order_id: 'S-9' }))
    const current = (await unitsOf(orderId)).at(-1) ?? ''
    await decide(orderId, said([counter(current, { week: '2030-W23', unit_cost: 1200 })]))
    const { body } = await decide(orderId, { decision: 'approve', actor: 'Ada' })
    expect(body).toEqual({ order_id: orderId, status: 'placed', last_seq: 6, units_accepted: 2, units_countered: 0, units_rejected: 2 })
    const snapshot = await market.snapshot(orderId)
    expect(snapshot).toMatchObject({ totals: { gross: 17_507 }, artifacts: [{ seller_order_id: 'S-9' }], allowed_actions: ['cancel'] })
    expect(snapshot.line_items.slice(2)).toMatchObject([
      { in_response_to: first, status: 'rejected' },
      { in_response_to: first, status: 'rejected' },
    ])
  })

  it('ends when the seller rejects what it countered', async () => {
    const orderId = await market.parked(twoLines())
    const [first = ''] = await unitsOf(orderId)
    await decide(orderId, said([counter(first)]))
    const { body } = await decide(orderId, { decision: 'reject', actor: 'Ada' })
    expect(body).toMatchObject({ status: 'rejected', units_accepted: 0, units_rejected: 3 })
  })

  it('is canceled like an order without placed lines', async () => {
    const orderId = await market.parked()
    const [first = ''] = await unitsOf(orderId)
    await decide(orderId, said([counter(first)]))
    const { body } = await market.acme.post(`/orders/${orderId}/cancel`, {})
    expect(body).toMatchObject({
      status: 'canceled',
      last_seq: 5,
      cancellation: { late_notice: 'not_applicable', reason: 'buyer_canceled' },
    })
    expect((await market.acme.post(`/orders/${orderId}/respond`, { action: 'withdraw' })).body).toMatchObject({
      error_code: 'INVALID_STATE',
    })
  })
})

describe('an endless negotiation', () => {
  it('takes no more counters once its log is long, and can still be answered', async () => {
    const orderId = await market.parked()
    const [first = ''] = await unitsOf(orderId)
    await decide(orderId, said([counter(first)]))
    const long = decided([{ status: 'negotiating', upload_ids: ['x'.repeat(LOG_CHARACTERS)] }], seqOf) // as hundreds of rounds make it
    await applyCommand(market.deps.orders, orderId, command(), () => long)
    const reply = await decide(orderId, said([counter(first, { unit_cost: 900 })]))
    expect([reply.status, reply.body.details]).toMatchObject([422, { field: 'units' }])
    expect((await market.snapshot(orderId)).status).toBe('negotiating')
    expect((await market.acme.post(`/orders/${orderId}/respond`, { action: 'accept' })).body).toMatchObject({ status: 'placed' })
  })
})

describe('POST /me/orders/{id}/decide with counters: 422', () => {
  it.each<[string, (unitId: string) => unknown[], string]>([
    ['no counter at all', () => [], 'units'],
    ['only acceptances', (unit_id) => [{ unit_id, action: 'accept' }], 'units'],
    ['a counter without figures', (unit_id) => [{ unit_id, action: 'counter' }], 'units.0.counter'],
    ['a counter without a week', (unit_id) => [{ unit_id, action: 'counter', counter: { unit_cost: 1 } }], 'units.0.counter.week'],
    ['a week in another format', (unit_id) => [counter(unit_id, { week: '2030-24' })], 'units.0.counter.week'],
    ['a week that the year does not have', (unit_id) => [counter(unit_id, { week: '2030-W53' })], 'units.0.counter.week'],
    ['a negative price', (unit_id) => [counter(unit_id, { unit_cost: -1 })], 'units.0.counter.unit_cost'],
    ['a cpm for units', (unit_id) => [{ unit_id, action: 'counter', counter: { week: '2030-W24', cpm: 20 } }], 'units.0.counter.cpm'],
    [
      'a quote that has lapsed',
      (unit_id) => [counter(unit_id, { quote_expires_at: '2020-01-01T00:00:00Z' })],
      'units.0.counter.quote_expires_at',
    ],
    ['an expiry that is not a date', (unit_id) => [counter(unit_id, { quote_expires_at: 'soon' })], 'units.0.counter.quote_expires_at'],
    ['a count of a counter', (unit_id) => [{ ...counter(unit_id), num_accepted: 1 }], 'units.0.num_accepted'],
    ['an unknown line', () => [counter('unit_x')], 'units.0.unit_id'],
  ])('refuses %s, and changes nothing', async (_, units, field) => {
    const orderId = await market.parked()
    const [first = ''] = await unitsOf(orderId)
    const reply = await decide(orderId, said(units(first)))
    expect(reply.status).toBe(422)
    expect(reply.body).toMatchObject({ error_code: 'INVALID_INPUT', details: { field } })
    expect(reply.body.details.errors[0].pointer).toBe(`/${field.replaceAll('.', '/')}`)
    expect(await market.snapshot(orderId)).toMatchObject({ status: 'seller_review', last_seq: 3 })
    const [newest] = (await market.cable.get('/me/rate-cards?limit=1')).body.items
    expect(newest.quote?.order_id).not.toBe(orderId)
  })
})
