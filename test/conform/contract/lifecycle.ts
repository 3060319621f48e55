import { inHours } from '../../support/orders/proposals.ts'
import { type ContractStory, type ContractWorld, ok, parked, type Reply, refused, same, story } from './world.ts'

const RESPOND = 'states.md#respond'

/** Returns the log of an order, whose seq has to be 1..n. */
async function logOf({ acme }: ContractWorld, order_id: string): Promise<Reply['body'][]> {
  const { events } = ok(await acme.get(`/events?order=${order_id}`), 200)
  same(
    events.map(({ seq }: { seq: number }) => seq),
    events.map((_: unknown, at: number) => at + 1),
    'seq',
  )
  return events
}

async function countered(world: ContractWorld): Promise<string> {
  const { cable, acme } = world
  const order_id = await parked(world)
  const [{ unit_id }] = ok(await acme.get(`/orders/${order_id}`), 200).line_items
  const units = [{ unit_id, action: 'counter', counter: { week: '2030-W24', unit_cost: 1300 } }]
  ok(await cable.post(`/me/orders/${order_id}/decide`, { decision: 'counter', actor: 'Ada', units }), 202)
  return order_id
}

export const LIFECYCLE: readonly ContractStory[] = [
  story('decide', 'Approve places the order, with receipt, allocation and totals.', 'states.md#decide', async (world, holds) => {
    const { acme, cable } = world
    const order_id = await holds('an order waits in seller_review', () => parked(world))
    await holds('the seller reads it with its buyer', async () => {
      const read = ok(await cable.get(`/me/orders/${order_id}`), 200)
      same([read.status, read.buyer_entity, read.waiting_on?.party], ['seller_review', 'acme', 'seller'], 'the order')
    })
    await holds('approve is 202', async () => {
      const body = ok(await cable.post(`/me/orders/${order_id}/decide`, { decision: 'approve', actor: 'Ada' }), 202)
      same([body.status, body.units_accepted], ['placed', 1], 'the reply')
    })
    await holds('allocation sums to num_accepted, gross is of the locked rate, and the receipt projects the event', async () => {
      const { line_items, totals, artifacts, last_seq } = ok(await acme.get(`/orders/${order_id}`), 200)
      const [{ num_accepted, allocation, unit_id }] = line_items
      const sum = allocation.reduce((units: number, entry: { units: number }) => units + entry.units, 0)
      same([num_accepted, sum, totals.gross, totals.currency, last_seq], [10, 10, 12_505, 'USD', 4], 'the order')
      const receipt = artifacts.find(({ name }: { name: string }) => name === 'placement_receipt')
      same(
        receipt?.daylocks,
        allocation.map((entry: object) => ({ unit_id, ...entry })),
        'daylocks',
      )
    })
    await holds('the log tells it in four events, with the decision record on the last', async () => {
      const events = await logOf(world, order_id)
      same(
        events.map(({ status }) => status),
        ['submitted', 'validating', 'seller_review', 'placed'],
        'the log',
      )
      same(
        events.map(({ prior_status }) => prior_status ?? null),
        [null, 'submitted', 'validating', 'seller_review'],
        'prior_status',
      )
      const { gate, actor, decision } = events[3].decision_record ?? {}
      same([gate, actor, decision], ['api', 'Ada', 'approve'], 'decision_record')
    })
    await holds('what was decided cannot be decided otherwise: 409 with status and last_seq', async () => {
      const reply = await cable.post(`/me/orders/${order_id}/decide`, { decision: 'reject', actor: 'Ada', reason: 'no' })
      refused(reply, 409, 'INVALID_STATE', { status: 'placed', last_seq: 4 })
    })
  }),
  story('rejected', 'Reject ends the order; a reason is kept.', 'states.md#decide', async (world, holds) => {
    const order_id = await holds('an order waits in seller_review', () => parked(world))
    await holds('the order is rejected, and its line says why', async () => {
      const reply = await world.cable.post(`/me/orders/${order_id}/decide`, { decision: 'reject', actor: 'Ada', reason: 'sold out' })
      same(ok(reply, 202).status, 'rejected', 'the status')
      const { status, line_items } = ok(await world.acme.get(`/orders/${order_id}`), 200)
      same([status, line_items[0].status, line_items[0].reason], ['rejected', 'rejected', 'sold out'], 'the order')
    })
  }),
  story('accept', 'Accept books the counter at its quote; repeated, it replays without an event.', RESPOND, async (world, holds) => {
    const { acme } = world
    const order_id = await holds('a counter stands', () => countered(world))
    await holds('the event names the ask, the counter and its quote', async () => {
      const [, , , event] = await logOf(world, order_id)
      const unit = event.units.find((each: Reply['body']) => each.counter !== undefined)
      same(
        [event.status, unit?.counter?.unit_cost, typeof unit?.in_response_to, typeof unit?.locked_rate_id],
        ['negotiating', 1300, 'string', 'string'],
        'the event',
      )
    })
    await holds('counter is published and not served: 422 names what is', async () => {
      refused(await acme.post(`/orders/${order_id}/respond`, { action: 'counter' }), 422, 'INVALID_INPUT', {
        supported: ['accept', 'withdraw'],
      })
    })
    await holds('accept is 202 placed', async () => {
      const { status, units_accepted, units_rejected } = ok(await acme.post(`/orders/${order_id}/respond`, { action: 'accept' }), 202)
      same([status, units_accepted, units_rejected], ['placed', 1, 1], 'the reply')
    })
    await holds('gross is recomputed from what was accepted', async () => {
      same(ok(await acme.get(`/orders/${order_id}`), 200).totals.gross, 13_000, 'totals.gross')
    })
    await holds('the same answer again replays, without an event', async () => {
      same(ok(await acme.post(`/orders/${order_id}/respond`, { action: 'accept' }), 202).status, 'placed', 'the status')
      same((await logOf(world, order_id)).length, 5, 'the number of events')
    })
  }),
  story(
    'lapsed',
    'An accept past quote_expires_at is refused: 409 STALE_RATE_CARD, and the order stays.',
    RESPOND,
    async (world, holds) => {
      const { acme } = world
      const order_id = await holds('a counter stands', () => countered(world))
      await holds('accept as of a later time is 409 and names the lapsed quote', async () => {
        const reply = await acme.post(`/orders/${order_id}/respond`, { action: 'accept', as_of: '2099-01-01T00:00:00Z' })
        same(typeof JSON.stringify(refused(reply, 409, 'STALE_RATE_CARD')).match(/lr_\w+/)?.[0], 'string', 'the lapsed locked_rate_id')
        same(ok(await acme.get(`/orders/${order_id}`), 200).status, 'negotiating', 'the status')
      })
    },
  ),
  story('withdraw', 'Withdraw ends the order with a cancellation block.', RESPOND, async (world, holds) => {
    const { acme } = world
    const order_id = await holds('a counter stands', () => countered(world))
    await holds('withdraw is 202, and the block is the same on event and snapshot', async () => {
      same(ok(await acme.post(`/orders/${order_id}/respond`, { action: 'withdraw' }), 202).status, 'canceled', 'the status')
      const { cancellation } = ok(await acme.get(`/orders/${order_id}`), 200)
      same((await logOf(world, order_id)).at(-1).cancellation, cancellation, 'the block of the event')
    })
  }),
  story('cancel', 'Cancel is idempotent; one block on reply, event and snapshot.', 'orders.md#cancellation', async (world, holds) => {
    const { acme } = world
    const order_id = await holds('an order waits', () => parked(world))
    const body = { actor: 'Dana', reason: 'postponed' }
    const first = await holds('cancel is 202 with the block', async () => {
      const { cancellation, status } = ok(await acme.post(`/orders/${order_id}/cancel`, body), 202)
      same([status, cancellation.reason, cancellation.actor], ['canceled', 'postponed', 'Dana'], 'the reply')
      return cancellation
    })
    await holds('the snapshot and the event have the same block', async () => {
      same(ok(await acme.get(`/orders/${order_id}`), 200).cancellation, first, 'the block of the snapshot')
      same((await logOf(world, order_id)).at(-1).cancellation, first, 'the block of the event')
    })
    await holds('a second cancel changes nothing', async () => {
      same(ok(await acme.post(`/orders/${order_id}/cancel`, body), 202).cancellation, first, 'the block')
    })
    await holds('respond is refused there: 409 with status and last_seq', async () => {
      const details = { status: 'canceled', last_seq: (await logOf(world, order_id)).length }
      refused(await acme.post(`/orders/${order_id}/respond`, { action: 'accept' }), 409, 'INVALID_STATE', details)
    })
  }),
  story('proposal', 'A plan is confirmed in place: exactly one order exists.', 'states.md#confirm', async (world, holds) => {
    const { acme, cable, market } = world
    const order_id = await holds('a proposal waits for its plan', () => {
      return parked(world, { line_items: undefined, request: { request_type: 'specs', budget_gross: 100_000 } })
    })
    const plan = (more = {}) => ({
      actor: 'Ada',
      line_items: [market.line()],
      plan_totals: { gross: 12_505 },
      expires_at: inHours(24),
      ...more,
    })
    await holds('a plan that outlasts its quote is refused', async () => {
      const { locked_rate_id: _, unit_cost: __, ...rate } = market.line().rate as Record<string, unknown>
      const quoted = { ...market.line(), rate, quote: { unit_cost: 900, expires_at: inHours(2) } }
      refused(await cable.post(`/me/orders/${order_id}/plan`, plan({ line_items: [quoted] })), 422, 'INVALID_INPUT')
    })
    const { plan_id } = await holds('a plan is 202 and waits for its buyer', async () => {
      const body = ok(await cable.post(`/me/orders/${order_id}/plan`, plan()), 202)
      same(body.status, 'needs_confirmation', 'the status')
      return body
    })
    await holds('a reject needs a reason', async () => {
      refused(await acme.post(`/orders/${order_id}/confirm`, { action: 'reject', actor: 'Dana' }), 422, 'INVALID_INPUT')
    })
    await holds('a confirm books the plan into this order', async () => {
      const body = ok(await acme.post(`/orders/${order_id}/confirm`, { action: 'confirm', actor: 'Dana', plan_id }), 202)
      same([body.status, body.booked_orders], ['seller_review', [order_id]], 'the reply')
      const { line_items } = ok(await acme.get(`/orders/${order_id}`), 200)
      same(
        line_items.map(({ units }: { units: number }) => units),
        [10],
        'its lines',
      )
    })
  }),
  story(
    'failed',
    'Asynchronous failures surface as a failed event with the error envelope.',
    'errors.md#error-envelope',
    async (world, holds) => {
      const { market, acme } = world
      const order_id = await holds('what is not available fails', () => market.failed())
      await holds('the event and the snapshot have the envelope', async () => {
        const event = (await logOf(world, order_id)).at(-1)
        const { error } = ok(await acme.get(`/orders/${order_id}`), 200)
        same(
          [event.status, event.error?.error_code, error?.error_code],
          ['failed', 'INVENTORY_UNAVAILABLE', 'INVENTORY_UNAVAILABLE'],
          'the error',
        )
      })
    },
  ),
]
