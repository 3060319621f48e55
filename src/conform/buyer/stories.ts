import type { Suite } from '../runSuite.ts'
import { type Holds, NotHeld, type Story } from '../story.ts'
import type { WireReply } from '../wire.ts'
import { DELIVERIES } from './deliveries.ts'
import { catalogBrief, ended, oneOrder, only } from './steps.ts'
import type { BuyerWorld } from './world.ts'

const RESPOND = 'docs/contract/states.md#respond'
const CONFIRM = 'docs/contract/states.md#confirm'
const REPLAY = 'docs/contract/create.md#create-rules'

/**
 * Holds a buyer's program to the contract. It gets a brief for each story, as a planner would give it, orders from a seller that was made for this
 * run, and is judged by the log of its order as that seller reads it.
 */
export function buyerSuite(world: BuyerWorld): Suite<BuyerWorld> {
  return { name: 'buyer', target: world.buyer, stories: STORIES, world }
}

const STORIES: readonly Story<BuyerWorld>[] = [
  {
    id: 'buyer.catalog',
    title: 'A booked price is a price the seller published, cited by locked_rate_id.',
    link: 'docs/contract/what-it-does.md#price-clearance',
    run: ordersByCatalog,
  },
  {
    id: 'buyer.replay',
    title: 'Byte-identical resubmission of the same external_order_id replays the stored response.',
    link: REPLAY,
    run: (world, holds) => ordersOnce(world, holds, 'cut'),
  },
  {
    id: 'buyer.again',
    title: '429 and 5xx: retry, after Retry-After, with the same bytes.',
    link: 'docs/contract/errors.md#statuses',
    run: (world, holds) => ordersOnce(world, holds, '503'),
  },
  {
    id: 'buyer.accepts',
    title: 'Respond accept: countered lines become accepted at their quote.',
    link: RESPOND,
    run: (world, holds) => answersCounter(world, holds, 'accept'),
  },
  {
    id: 'buyer.withdraws',
    title: 'Respond withdraw: a cancellation block is recorded.',
    link: RESPOND,
    run: (world, holds) => answersCounter(world, holds, 'withdraw'),
  },
  { id: 'buyer.cancels', title: 'Buyers can cancel orders.', link: 'docs/contract/states.md#cancel', run: cancels },
  {
    id: 'buyer.proposal',
    title: 'Confirm with plan_id: the plan books in place, and exactly one order exists.',
    link: CONFIRM,
    run: (world, holds) => answersPlan(world, holds, 'confirm'),
  },
  {
    id: 'buyer.rejects',
    title: 'Confirm with action reject: a reason is required, persisted and surfaced to the seller.',
    link: CONFIRM,
    run: (world, holds) => answersPlan(world, holds, 'reject'),
  },
  { id: 'buyer.document', title: 'Document: parsing resumes at needs_confirmation.', link: CONFIRM, run: ordersByDocument },
  ...DELIVERIES,
]

async function ordersByCatalog(world: BuyerWorld, holds: Holds): Promise<void> {
  const { shop } = world
  const brief = catalogBrief(world, 'buyer.catalog', {})
  const { order_id, program } = await world.ordered(brief, holds)
  const order = await holds('it passes validation to seller_review', () =>
    world.until(order_id, ['seller_review'], 'cite what the avails read shows, unchanged', program),
  )
  await holds('it has the line, the units and the advertiser of the brief', () => {
    const [line] = order.line_items
    const asked = [line.product_id, line.period.start, line.units, order.buyer_metadata.advertiser_id]
    const wanted = [brief.product_id, brief.week, brief.units, brief.advertiser_id]
    if (asked.join() !== wanted.join()) throw new NotHeld(`it asks for ${asked.join(', ')}, not ${wanted.join(', ')}`, 'order the brief')
  })
  await holds('every line cites a published price', () => {
    for (const { rate } of order.line_items)
      if (!shop.published.includes(rate.locked_rate_id)) throw new NotHeld(`${rate.locked_rate_id} is none`, 'take it from GET …/avails')
  })
  await shop.approve(order_id)
  await ended(program, holds)
  await oneOrder(world, holds, brief)
}

async function ordersOnce(world: BuyerWorld, holds: Holds, fault: 'cut' | '503'): Promise<void> {
  const { shop, api } = world
  api.simulateNext('POST', '/orders', fault)
  const brief = catalogBrief(world, fault === 'cut' ? 'buyer.replay' : 'buyer.again', {})
  const { order_id, program } = await world.ordered(brief, holds)
  await holds('it passes validation to seller_review', () => world.until(order_id, ['seller_review'], 'cite what is published', program))
  await shop.approve(order_id)
  await ended(program, holds)
  await holds('the create was sent again with the same bytes', () => {
    const creates = api.calls.filter(
      ({ method, path, body }) => method === 'POST' && path === '/orders' && body.includes(brief.advertiser_id),
    )
    if (creates.length < 2) throw new NotHeld('it was not sent again', 'after no reply, 429 and 503 send the same bytes again')
    if (new Set(creates.map(({ body }) => body)).size > 1)
      throw new NotHeld('the bytes differ', 'keep the bytes of a create until it is answered, and send those')
  })
  await oneOrder(world, holds, brief)
}

async function answersCounter(world: BuyerWorld, holds: Holds, on_counter: 'accept' | 'withdraw'): Promise<void> {
  const brief = catalogBrief(world, `buyer.${on_counter === 'accept' ? 'accepts' : 'withdraws'}`, { on_counter })
  const { order_id, program } = await world.ordered(brief, holds)
  await holds('it waits for its seller', () => world.until(order_id, ['seller_review'], 'cite what is published', program))
  await world.shop.counter(order_id)
  const status = on_counter === 'accept' ? 'placed' : 'canceled'
  const order = await holds(`the counter is answered: the order is ${status}`, () =>
    world.until(order_id, [status], `send POST /orders/{order_id}/respond {"action": "${on_counter}"}`, program),
  )
  await holds('the log has one answer to the one counter', async () => {
    only(
      (await world.shop.events(order_id)).filter((event) => event.prior_status === 'negotiating'),
      'answer',
    )
  })
  await holds(on_counter === 'accept' ? 'the line is accepted at its quote' : 'the cancellation block says who and why', () => {
    if (on_counter === 'withdraw' ? order.cancellation?.actor : countered(order)?.status === 'accepted') return
    throw new NotHeld('the order does not say so', 'tell those who run the marketplace')
  })
  await ended(program, holds)
}

function countered({ line_items }: WireReply['body']): WireReply['body'] {
  return line_items.find(({ in_response_to }: { in_response_to?: string }) => in_response_to !== undefined)
}

async function cancels(world: BuyerWorld, holds: Holds): Promise<void> {
  const { order_id, program } = await world.ordered(catalogBrief(world, 'buyer.cancels', { then: 'cancel' }), holds)
  const { cancellation } = await holds('the order is canceled', () =>
    world.until(order_id, ['canceled'], 'send POST /orders/{order_id}/cancel once the order waits for its seller', program),
  )
  await holds('the event has the block of the snapshot', async () => {
    const event = only(
      (await world.shop.events(order_id)).filter(({ status }) => status === 'canceled'),
      'cancellation',
    )
    if (JSON.stringify(event.cancellation) === JSON.stringify(cancellation)) return
    throw new NotHeld('the blocks differ', 'tell those who run the marketplace')
  })
  await ended(program, holds)
}

async function answersPlan(world: BuyerWorld, holds: Holds, on_plan: 'confirm' | 'reject'): Promise<void> {
  const { shop, api } = world
  const story = on_plan === 'confirm' ? 'buyer.proposal' : 'buyer.rejects'
  const brief = world.brief(story, { workflow: 'proposal', budget_gross: 500, on_plan })
  const { order_id, program } = await world.ordered(brief, holds)
  await holds('the order waits for a plan', () => world.until(order_id, ['validating'], 'send a request, and no line_items', program))
  const plan_id = await shop.plan(order_id)
  const status = on_plan === 'confirm' ? 'seller_review' : 'canceled'
  await holds(`the plan is answered: the order is ${status}`, () =>
    world.until(order_id, [status], `send POST /orders/{order_id}/confirm {"action": "${on_plan}"}`, program),
  )
  await holds('the answer names the plan that was read', () => {
    const confirm = api.calls.find(({ path }) => path === `/orders/${order_id}/confirm`)
    if (JSON.parse(confirm?.body || '{}').plan_id === plan_id) return
    throw new NotHeld('plan_id is missing or another', 'send plan_id, so that a superseded plan cannot be confirmed')
  })
  await holds('the log has one answer, with its record', async () => {
    const event = only(
      (await shop.events(order_id)).filter((each) => each.prior_status === 'needs_confirmation'),
      'answer',
    )
    if (on_plan === 'reject' && !event.decision_record?.reason) throw new NotHeld('it has no reason', 'send a reason on reject')
  })
  if (on_plan === 'confirm') await shop.approve(order_id)
  await ended(program, holds)
  await oneOrder(world, holds, brief)
}

async function ordersByDocument(world: BuyerWorld, holds: Holds): Promise<void> {
  const brief = world.brief('buyer.document', { workflow: 'document', document: world.buysheetFile })
  const { order_id, program } = await world.ordered(brief, holds)
  await holds('what was read is confirmed, and the order goes to seller_review', () =>
    world.until(order_id, ['seller_review'], 'upload the file, order it, and confirm at needs_confirmation', program),
  )
  await holds('its lines are those of the document', async () => {
    const { line_items } = await world.shop.read(order_id)
    if (line_items.length === 1 && line_items[0].units === 4) return
    throw new NotHeld(`it has ${line_items.length} lines`, 'send the bytes of the file unchanged')
  })
  await world.shop.approve(order_id)
  await ended(program, holds)
}
