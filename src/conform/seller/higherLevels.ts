import { FixtureUnsatisfied, type Holds, NotApplicable, NotHeld, type Story } from '../story.ts'
import { expected, type WireReply } from '../wire.ts'
import { decides } from './levelZero.ts'
import { DECIDED, type SellerWorld } from './world.ts'

const LEVEL = 'docs/contract/levels.md#conformance-level'
const COUNTERS = 'docs/contract/negotiation.md#counters'
const NO_COUNTER = new FixtureUnsatisfied(
  'no product is named that the seller counters',
  'name one by --counters <product_id>, and have your program counter every order of it',
)

/** Levels 1 to 4: the API, live availability, negotiation, the last minute with holds. */
export const HIGHER: readonly Story<SellerWorld>[] = [
  {
    id: 'seller.in_time',
    level: 1,
    title: 'Decision latency is tracked against the declared sla.',
    link: 'docs/contract/levels.md#capability-profile',
    run: inTime,
  },
  {
    id: 'seller.endpoints',
    level: 1,
    title: 'Webhooks are acknowledged; a receiver that only fails is disabled.',
    link: 'docs/contract/events.md#delivery',
    run: endpoints,
  },
  {
    id: 'seller.live',
    level: 2,
    title: 'Live availability: the seller is asked while the order is validated, and its answer is on the lines.',
    link: LEVEL,
    run: live,
  },
  { id: 'seller.counters', level: 3, title: 'The seller counters, and an accept books its quote.', link: COUNTERS, run: counterAccepted },
  { id: 'seller.withdrawn', level: 3, title: 'A withdraw ends the order.', link: COUNTERS, run: counterWithdrawn },
  {
    id: 'seller.plans',
    level: 3,
    title: 'Seller posts a plan for a proposal order, with a buy_type on every line.',
    link: 'docs/contract/negotiation.md#plan-proposal',
    run: plans,
  },
  { id: 'seller.holds', level: 4, title: 'A last-minute lane with holds: inventory is kept and released.', link: LEVEL, run: holdsKept },
]

async function inTime(world: SellerWorld, holds: Holds): Promise<void> {
  const { order_id } = await decides(world, holds, { template: 'catalog', then: 'silent' })
  await holds('the decision was not overdue', async () => {
    const event = (await world.events(order_id)).find(({ decision_latency }) => decision_latency !== undefined)
    const { seconds, overdue } = event?.decision_latency ?? {}
    if (overdue !== false) throw new NotHeld(`it took ${seconds} s`, 'decide within sla.max_decision_latency_minutes, or declare more')
  })
}

async function endpoints({ wire }: SellerWorld, holds: Holds): Promise<void> {
  const { items = [] } = (await wire.get('/webhooks/endpoints')).body
  if (items.length === 0) throw new NotApplicable('no endpoint is registered; the seller follows the feed or a queue')
  await holds('every registered endpoint is active', () => {
    const disabled = items.find(({ status }: { status: string }) => status !== 'active')
    if (disabled === undefined) return
    throw new NotHeld(`${disabled.endpoint_id} is ${disabled.status}`, 'run conform webhook on it, then POST …/enable')
  })
}

async function live(world: SellerWorld, holds: Holds): Promise<void> {
  const order_id = await holds('the buyer of the sandbox can order', () => world.order({ template: 'catalog', then: 'silent' }))
  const order = await holds('the order is validated with the answer of the seller', () =>
    world.until(order_id, ['seller_review', ...DECIDED], 'run conform pull on your API: availability has to come within 3 s'),
  )
  await holds('each line says its state and basis', () => {
    for (const { unit_id, availability } of order.line_items) {
      if (availability?.state !== undefined) continue
      throw new NotHeld(`${unit_id} has no availability`, 'answer POST /availability for every line; run conform pull on your API')
    }
  })
}

/** Orders what the seller counters; returns the order once its counter stands. */
async function countered(world: SellerWorld, holds: Holds, then: 'silent' | 'accepts' | 'withdraws'): Promise<WireReply['body']> {
  const { counters } = world
  if (counters === undefined) throw NO_COUNTER
  const order_id = await holds('the buyer of the sandbox can order it', () => world.order({ products: [counters], then }))
  const ends = then === 'silent' ? ['negotiating'] : ['placed', 'canceled']
  const fix = `counter every order of ${counters}`
  const order = await holds(`the order becomes ${ends.join(' or ')}`, () => world.until(order_id, ends, fix))
  const event = await holds('the event of the counter names the ask that it answers, and its quote', async () => {
    const found = (await world.events(order_id)).find(({ status }) => status === 'negotiating')
    const unit = found?.units?.find(({ counter }: { counter?: object }) => counter !== undefined)
    if (!unit?.in_response_to || !unit.locked_rate_id) throw new NotHeld('no unit of the event is a counter', fix)
    return unit
  })
  return { ...order, countered: event }
}

async function counterAccepted(world: SellerWorld, holds: Holds): Promise<void> {
  const { status, line_items, countered: unit } = await countered(world, holds, 'accepts')
  await holds('the countered line is accepted at its quote', () => {
    const line = line_items.find(({ unit_id }: { unit_id: string }) => unit_id === unit.unit_id)
    if (status === 'placed' && line?.status === 'accepted' && line.num_accepted > 0) return
    throw new NotHeld(`the order is ${status}, its counter ${line?.status}`, 'let quotes last longer than the buyer needs to answer')
  })
}

async function counterWithdrawn(world: SellerWorld, holds: Holds): Promise<void> {
  const { status } = await countered(world, holds, 'withdraws')
  await holds('the order is canceled', () => {
    if (status !== 'canceled') throw new NotHeld(`the order is ${status}`, 'decide nothing after the buyer has withdrawn')
  })
}

async function plans(world: SellerWorld, holds: Holds): Promise<void> {
  if (!world.profile.modes.proposal) throw new NotApplicable('modes.proposal is not declared')
  const order_id = await holds('the buyer of the sandbox can ask for a proposal', () =>
    world.order({ template: 'proposal', then: 'silent' }),
  )
  const order = await holds('the seller posts a plan', () =>
    world.until(order_id, ['needs_confirmation'], 'answer it by POST /me/orders/{order_id}/plan, or in the console'),
  )
  await holds('every line of the plan has a buy_type, and the plan an end', () => {
    const plan = order.artifacts.find(({ name }: { name: string }) => name === 'plan_proposal')
    const lines = plan?.line_items ?? []
    if (lines.length > 0 && plan.expires_at && lines.every(({ rate }: WireReply['body']) => rate.buy_type !== undefined)) return
    throw new NotHeld('the plan has no lines, or a line without a buy_type', 'send line_items priced off your card, or by quotes')
  })
}

async function holdsKept(world: SellerWorld, holds: Holds): Promise<void> {
  const { buyer, seller, wire } = world
  const line = await holds('a buyer finds something that is available', async () => {
    const { avails } = expected(await buyer.get(`/sellers/${seller}/avails?limit=200`), 200, 'publish avails')
    const found = avails.find(({ state, rates }: WireReply['body']) => state === 'available' && rates.length > 0)
    if (found === undefined) throw new NotHeld('nothing is available at a price', 'publish avails and a rate card for the weeks ahead')
    return { product_id: found.product_id, period: found.period, units: 1, spot_length: found.rates[0].spot_length }
  })
  const hold_id = await holds('it is held', async () => {
    const held = await buyer.post('/holds', { seller, lines: [line], ttl_minutes: 5 })
    return expected(held, 201, 'answer POST /holds with 2xx; run conform pull on your API').hold_id
  })
  await holds('the seller sees the hold', async () => {
    const { items } = expected(await wire.get('/me/holds'), 200, 'use a token with orders:read')
    if (!items.some((each: WireReply['body']) => each.hold_id === hold_id))
      throw new NotHeld('it is not in the list', 'tell the marketplace')
  })
  await holds('it is released, also a second time', async () => {
    for (let time = 0; time < 2; time += 1) {
      const { status } = await buyer.delete(`/holds/${hold_id}`)
      if (status >= 300) throw new NotHeld(`a release is answered ${status}`, 'answer 2xx or 404 to DELETE /holds/{hold_id}')
    }
  })
}
