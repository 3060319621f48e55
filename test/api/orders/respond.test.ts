import { describe, expect, it } from '@jest/globals'
import { lapse } from '../../../src/domain/order/lapse.ts'
import { applyStep } from '../../../src/operations/orders/applyCommand.ts'
import { lapseQuote } from '../../../src/operations/orders/lapseQuote.ts'
import { newId } from '../../../src/store/connection/newId.ts'
import { readSnapshot } from '../../../src/store/orders/orderReads.ts'
import { counterOrder, decideOrder } from '../../support/orders/decisions.ts'
import { inHours } from '../../support/orders/proposals.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

type Body = Record<string, unknown>
const respond = (orderId: string, body: Body) => market.acme.post(`/orders/${orderId}/respond`, body)

/** An order of two lines whose first is countered, for two hours. */
async function countered(): Promise<string> {
  const orderId = await market.parked({ line_items: [market.line(), market.line({ units: 4 })] })
  expect((await counterOrder(market, orderId, { unit_cost: 1100, quote_expires_at: inHours(2) })).status).toBe(202)
  return orderId
}
const quoteOf = async (orderId: string) => (await market.snapshot(orderId)).line_items.at(-1) as unknown as { locked_rate_id: string }

describe('POST /orders/{id}/respond: 202', () => {
  it('accepts: the counter is booked at its quote, the countered line is rejected, and the receipt covers what was accepted', async () => {
    const orderId = await countered()
    const reply = await respond(orderId, { action: 'accept', actor: 'Bea' })
    expect([reply.status, reply.body]).toEqual([
      202,
      { order_id: orderId, status: 'placed', last_seq: 5, units_accepted: 1, units_rejected: 1 },
    ])
    const snapshot = await market.snapshot(orderId)
    const event = (await market.events(orderId)).at(-1) ?? {}
    expect(event).toMatchObject({
      seq: 5,
      status: 'placed',
      prior_status: 'negotiating',
      decision_record: { gate: 'api', actor: 'Bea', decision: 'accept' },
      units: snapshot.line_items,
    })
    expect(snapshot).toMatchObject({
      totals: { gross: 16_002 },
      artifacts: [event.artifact],
      allowed_actions: ['cancel'],
      waiting_on: null,
    })
    expect(snapshot.line_items.map(({ status, num_accepted }) => [status, num_accepted])).toEqual([
      ['rejected', 0],
      ['accepted', 4],
      ['accepted', 10],
    ])
    const rows = snapshot.line_items.flatMap(({ unit_id, allocation }) => allocation.map((entry) => ({ unit_id, ...entry })))
    expect((event.artifact as { daylocks: unknown }).daylocks).toEqual(
      rows.sort((a, b) => (a.unit_id + a.date < b.unit_id + b.date ? -1 : 1)),
    )
    expect(snapshot.line_items[2]?.allocation.map(({ date }) => date)).toEqual(['2030-06-10', '2030-06-12', '2030-06-14'])
  })

  it('replays a second accept with any body at any time, even after a cancel', async () => {
    const orderId = await countered()
    const first = await respond(orderId, { action: 'accept' })
    expect((await respond(orderId, { action: 'accept', actor: 'Bea', as_of: inHours(9) })).text).toBe(first.text)
    await market.acme.post(`/orders/${orderId}/cancel`, {})
    expect((await respond(orderId, { action: 'accept' })).text).toBe(first.text)
    expect(await market.events(orderId)).toHaveLength(6)
  })

  it('withdraws: the block is the same on event, snapshot and a later cancel, and a second withdraw replays', async () => {
    const orderId = await countered()
    const reply = await respond(orderId, { action: 'withdraw', reason: 'Too expensive', actor: 'Bea' })
    expect([reply.status, reply.body]).toEqual([
      202,
      { order_id: orderId, status: 'canceled', last_seq: 5, units_accepted: 0, units_rejected: 2 },
    ])
    const { cancellation, line_items } = await market.snapshot(orderId)
    expect(cancellation).toEqual({ reason: 'Too expensive', actor: 'Bea', late_notice: 'not_applicable' })
    expect(line_items.map(({ status }) => status)).toEqual(['rejected', 'accepted', 'rejected'])
    expect((await market.events(orderId)).at(-1)).toMatchObject({ status: 'canceled', cancellation })
    expect((await respond(orderId, { action: 'withdraw' })).text).toBe(reply.text)
    expect((await market.acme.post(`/orders/${orderId}/cancel`, {})).body).toMatchObject({ last_seq: 5, cancellation })
    expect(await market.events(orderId)).toHaveLength(5)
  })

  it('withdraws with a default reason when none is sent', async () => {
    const orderId = await countered()
    await respond(orderId, { action: 'withdraw' })
    expect((await market.snapshot(orderId)).cancellation).toMatchObject({ reason: 'buyer_withdrew', actor: 'acme' })
  })

  it('lets one of accept, withdraw and approve win when they race', async () => {
    const orderId = await countered()
    const replies = await Promise.all([
      respond(orderId, { action: 'accept' }),
      respond(orderId, { action: 'withdraw' }),
      decideOrder(market, orderId, { decision: 'approve' }),
    ])
    expect(replies.map(({ status }) => status).sort()).toEqual([202, 409, 409])
    expect((await market.snapshot(orderId)).last_seq).toBe(5)
  })
})

describe('POST /orders/{id}/respond: 409', () => {
  it('names the quote that has lapsed as of the given time, and leaves the order unchanged', async () => {
    const orderId = await countered()
    const { locked_rate_id } = await quoteOf(orderId)
    const reply = await respond(orderId, { action: 'accept', as_of: inHours(3) })
    expect([reply.status, reply.body.error_code]).toEqual([409, 'STALE_RATE_CARD'])
    expect(reply.body.details).toMatchObject({ locked_rate_id, locked_rate_ids: [locked_rate_id] })
    expect(await market.snapshot(orderId)).toMatchObject({ status: 'negotiating', last_seq: 4 })
    expect((await respond(orderId, { action: 'accept' })).status).toBe(202)
  })

  it.each(['accept', 'withdraw'])('refuses to %s where nothing was countered, with status and last_seq', async (action) => {
    for (const [orderId, details] of [
      [await market.created(), { status: 'submitted', last_seq: 1 }],
      [await market.parked(), { status: 'seller_review', last_seq: 3 }],
      [await market.placed(), { status: 'placed', last_seq: 4 }],
    ] as const) {
      const reply = await respond(orderId, { action })
      expect([reply.status, reply.body]).toMatchObject([409, { error_code: 'INVALID_STATE', details }])
    }
  })

  it.each([
    ['withdraw', 'accept', 'placed'],
    ['accept', 'withdraw', 'canceled'],
  ])('refuses to %s after %s', async (action, earlier, status) => {
    const orderId = await countered()
    await respond(orderId, { action: earlier })
    expect((await respond(orderId, { action })).body).toMatchObject({ error_code: 'INVALID_STATE', details: { status, last_seq: 5 } })
  })

  it('refuses to withdraw what was canceled', async () => {
    const orderId = await countered()
    await market.acme.post(`/orders/${orderId}/cancel`, {})
    expect((await respond(orderId, { action: 'withdraw' })).body).toMatchObject({
      error_code: 'INVALID_STATE',
      details: { status: 'canceled' },
    })
  })
})

describe('a quote that lapses', () => {
  /** What the order's workflow does when the timer of its quote fires, on a machine whose clock is three hours ahead. */
  const lapsed = async (orderId: string) => {
    const step = { id: newId('cmd_'), wake: false }
    const { head } = await applyStep(market.deps.orders, orderId, step, (order) => lapse(order, inHours(3)))
    expect(head.substatus).toBe('quote_lapsed')
  }

  it('leaves only a withdrawal once its time has passed, whether or not its event has followed', async () => {
    const orderId = await countered()
    const read = (hours: number) => readSnapshot(market.deps.db, { entity: 'acme', side: 'buyer' }, orderId, inHours(hours))
    expect(JSON.parse((await read(1)) ?? '')).toMatchObject({ allowed_actions: ['respond', 'cancel'] })
    expect(JSON.parse((await read(3)) ?? '')).toMatchObject({ allowed_actions: ['withdraw', 'cancel'], waiting_on: { party: 'seller' } })
    await lapsed(orderId)
    expect((await respond(orderId, { action: 'withdraw' })).body).toMatchObject({ status: 'canceled', last_seq: 6 })
  })

  it('changes nothing before its time', async () => {
    const orderId = await countered()
    const head = await lapseQuote(market.deps.orders, orderId, newId('cmd_'))
    expect(head).toMatchObject({ status: 'negotiating', substatus: null, last_seq: 4 })
  })

  it('is reported to both sides once: the order waits for its seller; an accept as of then is refused, an earlier one is not', async () => {
    const orderId = await countered()
    await lapsed(orderId)
    await lapsed(orderId)
    const event = { seq: 5, status: 'negotiating', prior_status: 'negotiating', substatus: 'quote_lapsed' }
    expect((await market.events(orderId)).slice(4)).toEqual([expect.objectContaining(event)])
    expect((await market.cable.get(`/events?order=${orderId}&after_seq=4`)).body.events).toHaveLength(1)
    const snapshot = await market.snapshot(orderId)
    expect(snapshot).toMatchObject({
      substatus: 'quote_lapsed',
      allowed_actions: ['withdraw', 'cancel'],
      waiting_on: { party: 'seller', overdue: false },
    })
    expect(snapshot.waiting_on).not.toHaveProperty('due_by')
    expect((await respond(orderId, { action: 'accept', as_of: inHours(3) })).body).toMatchObject({ error_code: 'STALE_RATE_CARD' })
    expect((await respond(orderId, { action: 'accept', as_of: inHours(1) })).status).toBe(202)
  })

  it('can be followed by a newer one, which the buyer accepts', async () => {
    const orderId = await countered()
    await lapsed(orderId)
    const units = [
      {
        unit_id: (await market.snapshot(orderId)).line_items[0]?.unit_id,
        action: 'counter',
        counter: { week: '2030-W25', unit_cost: 1000 },
      },
    ]
    const { body } = await decideOrder(market, orderId, { decision: 'counter', units })
    expect(body).toMatchObject({ status: 'negotiating', last_seq: 6, units_accepted: 1, units_countered: 2, units_rejected: 1 })
    expect(await market.snapshot(orderId)).toMatchObject({ substatus: null, waiting_on: { party: 'buyer' } })
    expect((await respond(orderId, { action: 'accept' })).body).toMatchObject({ status: 'placed', units_accepted: 1, units_rejected: 1 })
    expect((await market.snapshot(orderId)).totals).toMatchObject({ gross: 15_002 })
  })
})

describe('POST /orders/{id}/respond: 422', () => {
  it.each([{}, { counter: { line_items: [], expires_at: 'whenever' } }, { counter: 7 }])(
    'names the supported actions when asked to counter: %j',
    async (more) => {
      const orderId = await countered()
      const reply = await respond(orderId, { action: 'counter', ...more })
      expect([reply.status, reply.body]).toMatchObject([
        422,
        { error_code: 'INVALID_INPUT', details: { supported: ['accept', 'withdraw'] } },
      ])
    },
  )

  it.each([
    ['no action', {}, 'action'],
    ['an unknown action', { action: 'maybe' }, 'action'],
    ['an empty actor', { action: 'accept', actor: '' }, 'actor'],
    ['a reason that is not a string', { action: 'withdraw', reason: 5 }, 'reason'],
    ['an as_of that is not a datetime', { action: 'accept', as_of: 'tomorrow' }, 'as_of'],
  ])('refuses %s', async (_, body, field) => {
    const orderId = await countered()
    const reply = await respond(orderId, body)
    expect([reply.status, reply.body]).toMatchObject([422, { error_code: 'INVALID_INPUT', details: { field } }])
    expect((await market.snapshot(orderId)).last_seq).toBe(4)
  })
})

describe('POST /orders/{id}/respond: 404', () => {
  it("answers another buyer's order as an unknown one", async () => {
    const orderId = await countered()
    const foreign = await market.zenith.post(`/orders/${orderId}/respond`, { action: 'accept' })
    const unknown = await market.zenith.post('/orders/ord_x/respond', { action: 'accept' })
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
  })
})
