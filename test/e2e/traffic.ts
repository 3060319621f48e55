import { setTimeout as sleep } from 'node:timers/promises'
import type { OrderStatus } from '../../src/contract/vocabulary.ts'
import type { Operations } from '../../src/sdk/ownClient.ts'
import { evidenceOf } from './evidence.ts'
import { type Market, orderBody } from './market.ts'
import { finalReply } from './persistentClient.ts'

/** A client's intentions for an order, and the status to which each leads, whichever part dies in between. */
const INTENTS = {
  approve: 'placed',
  cancelAtOnce: 'canceled',
  reject: 'rejected',
  cancelPlaced: 'canceled',
  park: 'seller_review',
  race: 'canceled',
} as const satisfies Record<string, OrderStatus>
type Intent = keyof typeof INTENTS

/** An order that was answered with 201. */
export interface TrackedOrder {
  orderId: string
  buyer: string
  /** The request's bytes. */
  body: string
  /** The answer's bytes. */
  reply: string
  expected: OrderStatus
}

export interface Traffic {
  readonly orders: readonly TrackedOrder[]
  /** Answers that no client should ever get. */
  readonly faults: readonly string[]
  /** Creates no more orders, and follows every order to its end. */
  finish(): Promise<void>
}

export interface Parties {
  /** The directory in which to find the evidence if an order does not move on. */
  dataDir: string
  market: Market
  seller: Operations
  buyers: Readonly<Record<string, Operations>>
}

/** Starts clients that create, decide and cancel, each at its own pace, and resend the same bytes if no answer comes. */
export function startTraffic({ dataDir, market, seller, buyers }: Parties, { clients = 6, pauseMs = 150, name = 'storm' } = {}): Traffic {
  const orders: TrackedOrder[] = []
  const faults: string[] = []
  const stopping = new AbortController()
  const names = Object.keys(buyers)

  const work = async (client: number): Promise<void> => {
    const buyer = names[client % names.length] as string
    const asBuyer = buyers[buyer] as Operations
    const pending: { orderId: string; intent: Intent }[] = []
    const advanceOldest = async () => {
      const oldest = pending.shift()
      if (oldest !== undefined && !(await advance({ asBuyer, seller }, oldest, faults))) pending.push(oldest)
    }
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const intent = intentOf(client + turn)
      const body = orderBody(market, `${name}-${client}-${turn}`)
      const created = await create(asBuyer, body, faults)
      if (created !== undefined) {
        const { reply, orderId } = created
        orders.push({ orderId, buyer, body, reply, expected: INTENTS[intent] })
        pending.push({ orderId, intent })
        if (turn % 3 === 0) await replay(asBuyer, body, reply, faults)
      }
      await advanceOldest()
      await sleep(pauseMs * (0.5 + Math.random()), undefined, { signal: stopping.signal }).catch(() => undefined)
    }
    const deadline = Date.now() + DRAIN_MS
    while (pending.length > 0) {
      await advanceOldest()
      if (Date.now() > deadline) return void faults.push(await notValidated(pending.map(({ orderId }) => orderId)))
      await sleep(20)
    }
  }

  const notValidated = async (orderIds: string[]) =>
    `${orderIds.length} not validated in ${DRAIN_MS} ms:\n${await evidenceOf(dataDir, orderIds)}`
  const working = Array.from({ length: clients }, (_, client) => work(client).catch((error: Error) => void faults.push(error.message)))
  return {
    orders,
    faults,
    finish: async () => {
      stopping.abort()
      await Promise.all(working)
    },
  }
}

const DRAIN_MS = 60_000

function intentOf(turn: number): Intent {
  const intents = Object.keys(INTENTS) as Intent[]
  return intents[turn % intents.length] as Intent
}

async function create(asBuyer: Operations, body: string, faults: string[]): Promise<{ orderId: string; reply: string } | undefined> {
  const created = await finalReply(asBuyer.createOrder({ body }))
  if (created.status === 201 && 'body' in created) return { orderId: created.body.order_id, reply: created.text }
  faults.push(`POST /orders: ${created.status} ${created.text}`)
  return undefined
}

async function replay(asBuyer: Operations, body: string, first: string, faults: string[]): Promise<void> {
  const { status, text, headers } = await finalReply(asBuyer.createOrder({ body }))
  if (status !== 201 || text !== first || headers.get('x-idempotent-replay') !== 'true')
    faults.push(`replay of ${first}: ${status} ${headers.get('x-idempotent-replay')} ${text}`)
}

type Sides = { asBuyer: Operations; seller: Operations }

/** Carries out the intent for the order; returns false while the order has not reached the seller. */
async function advance(
  { asBuyer, seller }: Sides,
  { orderId, intent }: { orderId: string; intent: Intent },
  faults: string[],
): Promise<boolean> {
  const expect = ({ status, text }: { status: number; text: string }, ...allowed: number[]) => {
    if (!allowed.includes(status)) faults.push(`${intent} of ${orderId}: ${status} ${text}`)
  }
  const path = { order_id: orderId }
  const decide = (decision: 'approve' | 'reject') =>
    finalReply(seller.decideOrder({ path, body: { decision, actor: 'traffic desk', reason: intent } }))
  const cancel = () => finalReply(asBuyer.cancelOrder({ path, body: { actor: 'planner', reason: intent } }))

  if (intent === 'cancelAtOnce') {
    expect(await cancel(), 202)
    return true
  }
  const read = await finalReply(asBuyer.getOrder({ path }))
  expect(read, 200)
  if (!('body' in read)) return true
  if (read.body.status !== 'seller_review') return read.body.status !== 'submitted' && read.body.status !== 'validating'
  switch (intent) {
    case 'park':
      return true
    case 'approve':
    case 'reject':
      expect(await decide(intent), 202)
      return true
    case 'cancelPlaced':
      expect(await decide('approve'), 202)
      expect(await cancel(), 202)
      return true
    case 'race': {
      // Either call may be second: a placed order can be canceled, but a canceled order cannot be approved.
      const [decided, canceled] = await Promise.all([decide('approve'), cancel()])
      expect(decided, 202, 409)
      expect(canceled, 202)
      return true
    }
  }
}
