import { createHash } from 'node:crypto'
import { MarketplaceError } from '../../../client/src/index.ts'
import type { OrderSnapshot } from '../../contract/order.ts'
import { dateOf } from '../../domain/calendar.ts'
import type { Operations } from '../../sdk/ownClient.ts'
import { wrongPosts } from './billedWrong.ts'
import { answeredAvails } from './inventory.ts'
import { type NextLook, PLANNED_PRODUCT, planFor, weekOfPlan } from './plans.ts'
import { preempt } from './preempt.ts'
import { nextSellerMove, type SellerMove } from './sellerMoves.ts'

/**
 * Does what is due for an order, as its seller, through /v1 alone. It may be killed anywhere and called again: each move follows from the order as it
 * is. A move that the platform refuses, since the buyer was faster, is over.
 */
export async function playSeller(client: Operations, order_id: string, now: () => number = Date.now): Promise<NextLook> {
  const { body: order } = await client.getReceivedOrder({ path: { order_id } })
  const move = nextSellerMove(order, new Date(now()).toISOString())
  if (move === undefined) return null
  if (move.at > now()) return move.at
  return make(client, order, move, now).catch(refusedByState)
}

/** Passes over what says that the order is not where it was seen: its event brings the next look. */
export function refusedByState(error: unknown): null {
  if (error instanceof MarketplaceError && error.status === 409) return null
  throw error
}

async function make(client: Operations, order: OrderSnapshot, move: SellerMove, now: () => number): Promise<NextLook> {
  const path = { order_id: order.order_id }
  switch (move.does) {
    case 'decide':
      await client.decideOrder({ path, body: move.decision })
      return null
    case 'plan': {
      const { rates } = (await client.getRates({ query: { product_id: PLANNED_PRODUCT, weeks: weekOfPlan(order) } })).body
      await client.planOrder({ path, body: planFor(order, move.habit, rates[0]?.locked_rate_id ?? '') })
      return null
    }
    case 'follow_up':
      await sendPosts(client, order)
      return preempt(client, order, now())
  }
}

/** Sends log and invoice as a drop of its own, once. */
async function sendPosts(client: Operations, order: OrderSnapshot): Promise<void> {
  const posts = wrongPosts(order, dateOf(new Date().toISOString()))
  if (posts === undefined) return
  const { drop_id } = posts
  const files = Object.entries(posts.rows).map(([name, rows]) => {
    return { filename: `${name}.json`, bytes: Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')) }
  })
  for (const { filename, bytes } of files) {
    await client.putDropFile({ path: { drop_id, filename }, body: new Uint8Array(bytes), contentType: 'application/json' })
  }
  const listed = files.map(({ filename, bytes }) => {
    return { filename, type: 'delivery_posts' as const, format: 'json' as const, sha256: createHash('sha256').update(bytes).digest('hex') }
  })
  await client.registerDrop({ body: { schema_version: '1.0', drop_id, files: listed } })
}

/** Answers every open request for avails. */
export async function answerAvails(client: Operations): Promise<void> {
  const { items } = (await client.listAvailsRequests()).body
  for (const { product_id, period } of items) await client.publishAvails({ body: answeredAvails(product_id, period) })
}
