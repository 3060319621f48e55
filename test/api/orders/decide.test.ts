import { describe, expect, it } from '@jest/globals'
import { unitIdsOf } from '../../support/orders/decisions.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

type Body = Record<string, unknown>
const approve = (more: Body = {}) => ({ decision: 'approve', actor: 'Ada', ...more })
const reject = (more: Body = {}) => ({ decision: 'reject', actor: 'Ada', ...more })
const decide = (orderId: string, body: unknown) => market.cable.post(`/me/orders/${orderId}/decide`, body)
const unitsOf = (orderId: string) => unitIdsOf(market, orderId)
const threeLines = () => ({ line_items: [10, 20, 30].map((units) => market.line({ units })) })

describe('POST /me/orders/{id}/decide: 202', () => {
  it('approves the whole order: the reply, the event, the receipt and the snapshot agree', async () => {
    const orderId = await market.parked({
      line_items: [
        market.line({ units: 7, include_mirror: true }),
        market.line({ units: 2, period: { grain: 'day', start: '2030-06-05' } }),
        market.line({ units: 16, period: { grain: 'month', start: '2030-06' } }),
      ],
    })
    const reply = await decide(orderId, approve({ reason: 'Welcome', seller_order_id: 'S-77' }))
    expect(reply.status).toBe(202)
    expect(reply.body).toEqual({
      order_id: orderId,
      status: 'placed',
      last_seq: 4,
      units_accepted: 3,
      units_countered: 0,
      units_rejected: 0,
    })
    const event = (await market.events(orderId)).at(-1) ?? {}
    const snapshot = await market.snapshot(orderId)
    expect(event).toMatchObject({
      status: 'placed',
      prior_status: 'seller_review',
      seq: 4,
      decision_record: { gate: 'api', actor: 'Ada', decision: 'approve', reason: 'Welcome' },
      units: snapshot.line_items,
    })
    expect(snapshot).toMatchObject({
      status: 'placed',
      last_seq: 4,
      allowed_actions: ['cancel'],
      waiting_on: null,
      artifacts: [event.artifact],
    })
    const [week, day, month] = snapshot.line_items
    const spread = ['2030-06-03', '2030-06-05', '2030-06-07'].map((date, n) => ({ date, units: n === 0 ? 3 : 2 }))
    expect(week).toMatchObject({ allocation: spread, mirror: { product_id: 'prime-west', allocation: spread } })
    expect(day?.allocation).toEqual([{ date: '2030-06-05', units: 2 }])
    expect(month?.allocation).toHaveLength(15)
    expect(month?.allocation[0]).toEqual({ date: '2030-05-27', units: 2 })
    expect(event.artifact).toMatchObject({ name: 'placement_receipt', seq: 4, seller_order_id: 'S-77', placed_at: event.occurred_at })
    const rows = snapshot.line_items.flatMap(({ unit_id, allocation }) => allocation.map((entry) => ({ unit_id, ...entry })))
    expect((event.artifact as { daylocks: unknown }).daylocks).toEqual(
      rows.sort((a, b) => (a.unit_id + a.date < b.unit_id + b.date ? -1 : 1)),
    )
  })

  it('rejects the whole order, with no receipt and nothing owed', async () => {
    const orderId = await market.parked(threeLines())
    const { body } = await decide(orderId, reject({ reason: 'Sold out' }))
    expect(body).toMatchObject({ status: 'rejected', units_accepted: 0, units_rejected: 3 })
    const snapshot = await market.snapshot(orderId)
    expect(snapshot).toMatchObject({ status: 'rejected', artifacts: [], totals: { gross: 0 }, allowed_actions: [] })
    for (const line of snapshot.line_items) expect(line).toMatchObject({ status: 'rejected', reason: 'Sold out', allocation: [] })
  })

  it('accepts fewer units of one line, rejects another, and takes the third as asked', async () => {
    const orderId = await market.parked(threeLines())
    const [first, second] = await unitsOf(orderId)
    const units = [
      { unit_id: first, action: 'accept', num_accepted: 1 },
      { unit_id: second, action: 'reject' },
    ]
    const { body } = await decide(orderId, approve({ units }))
    expect(body).toMatchObject({ status: 'placed', units_accepted: 2, units_rejected: 1 })
    const snapshot = await market.snapshot(orderId)
    expect(snapshot.line_items.map(({ status, units, num_accepted }) => [status, units, num_accepted])).toEqual([
      ['accepted', 10, 1],
      ['rejected', 20, 0],
      ['accepted', 30, 30],
    ])
    expect(snapshot.line_items[0]?.allocation).toEqual([{ date: '2030-06-03', units: 1 }])
    expect(snapshot.totals).toEqual({ gross: 38_765.5, currency: 'USD' })
    expect((snapshot.artifacts as { seller_order_id: string }[])[0]?.seller_order_id).toMatch(/^so_/)
  })

  it('is rejected when every line is, even if the decision says otherwise', async () => {
    const orderId = await market.parked()
    const [unit_id] = await unitsOf(orderId)
    expect((await decide(orderId, approve({ units: [{ unit_id, action: 'reject' }] }))).body).toMatchObject({
      status: 'rejected',
      units_rejected: 1,
    })
    expect(await market.snapshot(orderId)).toMatchObject({ status: 'rejected', artifacts: [] })
  })

  it('answers an exact repeat in any layout of the JSON with the stored outcome and no event', async () => {
    const orderId = await market.parked()
    const body = approve({ reason: 'Fine', seller_order_id: 'S-1' })
    const first = await decide(orderId, body)
    const second = await decide(orderId, `{ "seller_order_id": "S-1",\n"reason": "Fine", "actor": "Ada", "decision": "approve" }`)
    expect(second.status).toBe(202)
    expect(second.text).toBe(first.text)
    expect(await market.events(orderId)).toHaveLength(4)
  })

  it('recognizes a repeat by the members that it reads, and warns of the others', async () => {
    const orderId = await market.parked()
    const first = await decide(orderId, approve())
    const second = await decide(orderId, { ...approve(), unknown: 1 })
    expect(second.body).toEqual({ ...first.body, warnings: [{ code: 'UNKNOWN_MEMBER', pointer: '/unknown' }] })
    expect(await market.events(orderId)).toHaveLength(4)
  })

  it('answers a repeat with the stored outcome even when the order has been canceled since', async () => {
    const orderId = await market.parked()
    const first = await decide(orderId, approve())
    await market.acme.post(`/orders/${orderId}/cancel`, {})
    expect((await decide(orderId, approve())).text).toBe(first.text)
    expect((await market.snapshot(orderId)).status).toBe('canceled')
  })

  it('decides once when twenty send the same at the same time', async () => {
    const orderId = await market.parked()
    const replies = await Promise.all(Array.from({ length: 20 }, () => decide(orderId, approve())))
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(replies[0]?.status).toBe(202)
    expect(await market.events(orderId)).toHaveLength(4)
  })
})

describe('POST /me/orders/{id}/decide: 409', () => {
  it.each([
    ['another actor', approve({ actor: 'Bob' })],
    ['another reason', approve({ reason: 'x' })],
    ['the opposite', reject()],
  ])('refuses %s once the order is placed, with status and last_seq', async (_, other) => {
    const orderId = await market.placed()
    const reply = await decide(orderId, other)
    expect(reply.status).toBe(409)
    expect(reply.body).toMatchObject({ error_code: 'INVALID_STATE', details: { status: 'placed', last_seq: 4 } })
    expect(await market.events(orderId)).toHaveLength(4)
  })

  it('refuses an order that is not at its seller yet, and one that was canceled', async () => {
    const young = await market.created()
    expect((await decide(young, approve())).body).toMatchObject({
      error_code: 'INVALID_STATE',
      details: { status: 'submitted', last_seq: 1 },
    })
    const canceled = await market.parked()
    await market.acme.post(`/orders/${canceled}/cancel`, {})
    expect((await decide(canceled, approve())).body).toMatchObject({
      error_code: 'INVALID_STATE',
      details: { status: 'canceled', last_seq: 4 },
    })
  })

  it('lets one of several approvals and rejections win when they race, and the log shows one outcome', async () => {
    const orderId = await market.parked()
    const replies = await Promise.all([
      decide(orderId, approve()),
      decide(orderId, reject()),
      decide(orderId, approve({ actor: 'Bob' })),
      decide(orderId, reject({ actor: 'Bob' })),
    ])
    expect(replies.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409])
    const { status, last_seq } = await market.snapshot(orderId)
    expect(last_seq).toBe(4)
    expect(replies.find((reply) => reply.status === 202)?.body.status).toBe(status)
  })
})

describe('POST /me/orders/{id}/decide: 422', () => {
  const entry = (more: Body) => (unit_id: string) => approve({ units: [{ unit_id, action: 'accept', ...more }] })
  it.each([
    ['no decision', () => ({ actor: 'Ada' }), 'decision'],
    ['an unknown decision', () => approve({ decision: 'maybe' }), 'decision'],
    ['no actor', () => ({ decision: 'approve' }), 'actor'],
    ['an empty actor', () => approve({ actor: '' }), 'actor'],
    ['an actor too long to display', () => approve({ actor: 'A'.repeat(201) }), 'actor'],
    ['a reason too long to be repeated on every line', () => reject({ reason: 'r'.repeat(1_001) }), 'reason'],
    ['a reason of a line that is too long', entry({ reason: 'r'.repeat(1_001) }), 'units.0.reason'],
    ['an unknown line', entry({ unit_id: 'unit_x' }), 'units.0.unit_id'],
    ['a line named twice', (unit_id: string) => approve({ units: [1, 2].map(() => ({ unit_id, action: 'accept' })) }), 'units.1.unit_id'],
    ['none accepted', entry({ num_accepted: 0 }), 'units.0.num_accepted'],
    ['fewer than none', entry({ num_accepted: -1 }), 'units.0.num_accepted'],
    ['more than asked', entry({ num_accepted: 11 }), 'units.0.num_accepted'],
    ['half a unit', entry({ num_accepted: 1.5 }), 'units.0.num_accepted'],
    ['a count on a rejection', entry({ action: 'reject', num_accepted: 1 }), 'units.0.num_accepted'],
    ['a counter under approve', entry({ action: 'counter', counter: { week: '2030-W24', unit_cost: 1 } }), 'units.0.action'],
    ['counter figures under accept', entry({ counter: { week: '2030-W24', unit_cost: 1 } }), 'units.0.counter'],
    ['an unknown action', entry({ action: 'keep' }), 'units.0.action'],
    ['an acceptance under reject', (unit_id: string) => reject({ units: [{ unit_id, action: 'accept' }] }), 'units.0.action'],
    ['units that are not a list', () => approve({ units: {} }), 'units'],
  ] as [string, (unitId: string) => Body, string][])('refuses %s', async (_, body, field) => {
    const orderId = await market.parked()
    const [unitId = ''] = await unitsOf(orderId)
    const reply = await decide(orderId, body(unitId))
    expect(reply.status).toBe(422)
    expect(reply.body).toMatchObject({ error_code: 'INVALID_INPUT', details: { field } })
    expect(reply.body.details.errors[0].pointer).toBe(`/${field.replaceAll('.', '/')}`)
    expect(await market.snapshot(orderId)).toMatchObject({ status: 'seller_review', last_seq: 3 })
  })

  it('lists every fault of the units', async () => {
    const orderId = await market.parked(threeLines())
    const [first, second] = await unitsOf(orderId)
    const units = [
      { unit_id: first, action: 'accept', num_accepted: 99 },
      { unit_id: 'unit_x', action: 'accept' },
      { unit_id: second, action: 'counter' },
      { unit_id: first, action: 'reject' },
    ]
    const { body } = await decide(orderId, approve({ units }))
    expect(body.details.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/units/0/num_accepted',
      '/units/1/unit_id',
      '/units/2/action',
      '/units/3/unit_id',
    ])
  })
})

describe('POST /me/orders/{id}/decide: 404', () => {
  it("answers another seller's order as an unknown one, for any body", async () => {
    const orderId = await market.parked()
    const foreign = await market.station.post(`/me/orders/${orderId}/decide`, approve())
    const unknown = await market.station.post('/me/orders/ord_x/decide', approve())
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
    expect((await market.snapshot(orderId)).status).toBe('seller_review')
  })
})
