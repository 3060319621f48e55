import { setTimeout as sleep } from 'node:timers/promises'
import type { FeedFollower } from './followFeed.ts'
import type { Stage } from './stage.ts'

export interface Carry {
  orders: number
  atOnce: number
  /** Of the creates and decisions. */
  headers?: Readonly<Record<string, string>>
}

type Carrying = Pick<Stage, 'buyer' | 'seller' | 'pool' | 'nextOrder'>

/** Whole orders: buyers create so many, so many at once; the seller follows its feed and approves; until the last one is settled. */
export async function carryOrders(stage: Carrying, feed: FeedFollower, { orders, atOnce, headers = {} }: Carry): Promise<void> {
  let left = orders
  const ids: string[] = []
  const work = async () => {
    while (left > 0) {
      left -= 1
      ids.push(await carryOne(stage, feed, headers))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  await allSettled(stage, ids)
}

async function carryOne(
  { buyer, seller, nextOrder }: Carrying,
  feed: FeedFollower,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const { order_id } = (await buyer.createOrder({ body: nextOrder(), headers })).body
  await feed.reviews(order_id)
  await seller.decideOrder({ path: { order_id }, headers, body: { decision: 'approve', actor: 'traffic desk' } })
  return order_id
}

/** Resolves when the runs of these orders have closed. */
export async function allSettled({ pool }: Pick<Stage, 'pool'>, ids: readonly string[]): Promise<void> {
  for (;;) {
    const { rows } = await pool.query('select from orders where order_id = any($1) and not closed limit 1', [ids])
    if (rows.length === 0) return
    await sleep(5)
  }
}
