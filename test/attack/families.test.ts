import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { CreateOrder } from '../../src/contract/createOrder.ts'
import { decided } from '../../src/domain/order/decision.ts'
import { applyCommand } from '../../src/operations/orders/applyCommand.ts'
import { closeOrder } from '../../src/operations/orders/closeOrder.ts'
import { createOrder } from '../../src/operations/orders/createOrder.ts'
import { decideOrder } from '../support/orders/decisions.ts'
import { command, seqOf } from '../support/orders/storedOrders.ts'
import { useMarket } from '../support/useMarket.ts'
import { scale } from './support/scale.ts'
import { report } from './support/table.ts'

/**
 * An order and its revisions, of which several are approved, canceled and revised at once, over HTTP. No read may ever show two of them as placed,
 * and no order may be created that revises what a placed order has revised. FAMILIES says how many, PROPERTY_SEED which.
 */
const FAMILIES = Number(process.env.FAMILIES ?? scale(60, 3_000))

const market = useMarket()

/** The members of a family by the place of the order that each revises: A; B and C revise A; D revises B. */
const REVISED = [undefined, 0, 0, 1]
const place = fc.nat(REVISED.length - 1)
const contender = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('approve' as const), place }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('revise' as const), place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), place }) },
)
type Contender = { do: 'approve' | 'revise' | 'cancel'; place: number }
type Race = { first: 'placed' | 'parked'; contenders: Contender[] }
const race: fc.Arbitrary<Race> = fc.record({
  first: fc.constantFrom('placed' as const, 'parked' as const),
  contenders: fc.array(contender, { minLength: 2, maxLength: 6 }),
})

/** A family in seller_review, its first order perhaps placed. */
async function aFamily(first: 'placed' | 'parked'): Promise<string[]> {
  const members: string[] = []
  for (const revised of REVISED) {
    const revision = revised === undefined ? {} : { revision: { supersedes: members[revised] } }
    const ask = CreateOrder.parse(market.order(revision))
    const { reply } = await createOrder(market.deps.orders, market.deps.db, 'acme', ask, Buffer.from(JSON.stringify(ask)))
    const { order_id } = JSON.parse(reply) as { order_id: string }
    const parked = decided([{ status: 'validating' }, { status: 'seller_review' }], seqOf)
    await applyCommand(market.deps.orders, order_id, command(), () => parked)
    members.push(order_id)
    if (members.length === 1 && first === 'placed') await approve(order_id)
  }
  return members
}

type Reply = Awaited<ReturnType<typeof market.acme.post>>

/** Retries while the service is busy, as a client does. */
async function answered(send: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await send()
    if (reply.status !== 503) return reply
    await sleep(100)
  }
}

async function approve(orderId: string): Promise<number> {
  const { status } = await answered(() => decideOrder(market, orderId, { decision: 'approve' }))
  if (status === 202) await close(orderId)
  return status
}

/** What the workflow does when an order has closed. */
const close = (orderId: string) => closeOrder(market.deps.orders, market.deps.db, orderId)

/** Returns the id of the order that a revision created. */
async function contend(members: readonly string[], { do: what, place: at }: Contender): Promise<string | undefined> {
  const orderId = members[at] as string
  if (what === 'revise') {
    const revision = market.order({ revision: { supersedes: orderId } })
    const { status, body } = await answered(() => market.acme.post('/orders', revision))
    expect([201, 422]).toContain(status)
    return status === 201 ? body.order_id : undefined
  }
  const cancel = async () => (await answered(() => market.acme.post(`/orders/${orderId}/cancel`, {}))).status
  const status = what === 'approve' ? await approve(orderId) : await cancel()
  expect([202, 409]).toContain(status)
  return undefined
}

/**
 * Reads all families repeatedly, in one statement each time, until the work is done. Returns those of which two orders were placed at once.
 */
async function seenTwiceDuring(work: Promise<unknown>): Promise<Set<string>> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  const seen = new Set<string>()
  const look = async () => {
    while (!isDone) for (const root of await placedTwice()) seen.add(root)
  }
  await Promise.all([done, look()])
  return seen
}

async function placedTwice(): Promise<string[]> {
  const { rows } = await market.deps.db.pool.query<{ root: string }>(
    `select root from orders where status = 'placed' and root is not null group by root having count(*) > 1`,
  )
  return rows.map(({ root }) => root)
}

interface Shown {
  order_id: string
  seq: number
  status: string
  supersedes: string | null
}

/** The faults of the feed, read from its beginning: two orders placed at once, or an order that revises what a placed one has revised. */
async function faultsInFeed(members: readonly string[]): Promise<string[]> {
  const { rows } = await market.deps.db.pool.query<Shown>(
    `select order_id, f.seq, f.status, o.supersedes from feed f join orders o using (order_id)
     where tenant = 'acme' and order_id = any($1) order by f.txid, f.position`,
    [members],
  )
  const placed = new Set<string>()
  const priorOf = new Map(rows.map(({ order_id, supersedes }) => [order_id, supersedes]))
  const goesBackTo = (order_id: string, ancestor: string): boolean => {
    const prior = priorOf.get(order_id) ?? null
    return prior !== null && (prior === ancestor || goesBackTo(prior, ancestor))
  }
  return rows.flatMap(({ order_id, seq, status, supersedes }) => {
    if (status === 'placed') placed.add(order_id)
    else placed.delete(order_id)
    if (placed.size > 1) return [`${[...placed].join(' and ')} are placed`]
    const successor = seq === 1 && supersedes !== null ? [...placed].find((each) => goesBackTo(each, supersedes)) : undefined
    return successor === undefined ? [] : [`${order_id} revises ${supersedes}, which ${successor} has revised`]
  })
}

/** Returns whether the first order was placed and then replaced. */
async function contested({ first, contenders }: Race): Promise<boolean> {
  const members = await aFamily(first)
  const created = await Promise.all(contenders.map((each) => contend(members, each)))
  const family = [...members, ...created.filter((orderId) => orderId !== undefined)]
  await Promise.all(family.map(close))
  expect({ contenders, faults: await faultsInFeed(family) }).toEqual({ contenders, faults: [] })
  const statuses = await Promise.all(family.map(async (orderId) => (await market.snapshot(orderId)).status))
  const left = statuses.filter((status) => status === 'placed').length
  const mustRemain = first === 'placed' && contenders.every((each) => each.do !== 'cancel')
  expect(mustRemain ? [1] : [0, 1]).toContain(left)
  return first === 'placed' && left === 1 && statuses[0] === 'canceled'
}

const BATCH = 10

describe(`${FAMILIES} families`, () => {
  it(
    'never show two placed orders, and leave one',
    async () => {
      const races = fc.sample(race, FAMILIES)
      let replaced = 0
      for (let next = 0; next < races.length; next += BATCH) {
        const batch = Promise.all(races.slice(next, next + BATCH).map(contested))
        expect([...(await seenTwiceDuring(batch))]).toEqual([])
        replaced += (await batch).filter(Boolean).length
      }
      report('races in families of revisions', { families: FAMILIES, replaced, placed_twice: 0 })
      expect(replaced).toBeGreaterThan(FAMILIES / 10)
    },
    60_000 + FAMILIES * 2_000,
  )
})
