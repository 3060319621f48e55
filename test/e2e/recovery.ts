import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { postgresUrl } from '../../src/local/embedded/postgres.ts'
import { orderBody } from './market.ts'
import { type Product, WORKER_RUNNING } from './product.ts'
import type { Parties, TrackedOrder } from './traffic.ts'

/** The parts that die, the line that reports each one's return, and the time from then within which every order must have moved on. */
export const RECOVERIES = {
  worker: { line: WORKER_RUNNING, withinMs: 5_000 },
  postgres: { line: 'PostgreSQL is back.', withinMs: 10_000 },
} as const

export interface Recovery {
  part: keyof typeof RECOVERIES
  /** The time from the kill to the return. */
  awayMs: number
  /** The time from the return until all orders had moved on. */
  movedMs: number
  orders: TrackedOrder[]
}

/**
 * Kills a part while half of `count` orders are being validated and the other half are being finished. Measures how long it takes
 * until all have moved on. Requires that the product logs at `info`.
 */
export async function measureRecovery(
  product: Product,
  { market, seller, buyers }: Parties,
  { part, name, count = 150 }: { part: Recovery['part']; name: string; count?: number },
): Promise<Recovery> {
  const [[buyer, asBuyer] = []] = Object.entries(buyers)
  if (buyer === undefined || asBuyer === undefined) throw new Error('there is no buyer')
  const create = async (from: number, to: number) => {
    const bodies = Array.from({ length: to - from }, (_, index) => orderBody(market, `${name}-${from + index}`))
    return inLanes(bodies, async (body): Promise<TrackedOrder> => {
      const { text, body: reply } = await asBuyer.createOrder({ body })
      return { orderId: reply.order_id, buyer, body, reply: text, expected: 'seller_review' }
    })
  }
  const half = Math.floor(count / 2)
  const parked = await create(0, half)
  await allMoved(product.dataDir, 60_000)

  const { line } = RECOVERIES[part]
  const returns = () => product.said().split(line).length
  const before = returns()
  let answered = 0
  const decide = async (order: TrackedOrder): Promise<TrackedOrder> => {
    await seller.decideOrder({ path: { order_id: order.orderId }, body: { decision: 'approve', actor: 'traffic desk' } })
    answered += 1
    return { ...order, expected: 'placed' }
  }
  const clients = Promise.all([create(half, count), inLanes(parked, decide)])
  while (answered < half / 3) await sleep(1)
  if (!(await product.signal(part))) throw new Error(`there was no ${part} to kill`)
  const killed = Date.now()
  while (returns() === before) await sleep(5)
  const back = Date.now()
  const orders = (await clients).flat()
  await allMoved(product.dataDir, 120_000)
  return { part, awayMs: back - killed, movedMs: Date.now() - back, orders }
}

async function inLanes<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const queue = [...items.entries()]
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) results[next[0]] = await work(next[1])
  }
  await Promise.all(Array.from({ length: 8 }, lane))
  return results
}

/** Resolves when only people are waited for: no order is to be validated, and no ended order is to be closed. */
async function allMoved(dataDir: string, withinMs: number): Promise<void> {
  const client = new pg.Client(await postgresUrl(dataDir))
  client.on('error', () => undefined)
  await client.connect()
  try {
    for (const deadline = Date.now() + withinMs; ; await sleep(20)) {
      const { rows } = await client.query(STILL_TO_MOVE)
      if (rows[0].moving === 0) return
      if (Date.now() > deadline) throw new Error(`${rows[0].moving} orders have not moved within ${withinMs} ms`)
    }
  } finally {
    await client.end()
  }
}

const STILL_TO_MOVE = `select count(*)::int as moving from orders
  where status in ('submitted', 'validating', 'confirmed') or (not closed and status in ('placed', 'canceled', 'rejected', 'failed'))`
