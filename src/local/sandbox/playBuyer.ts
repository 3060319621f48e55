import type { OrderSnapshot } from '../../contract/order.ts'
import type { Operations } from '../../sdk/ownClient.ts'
import { type BuyerMove, nextBuyerMove, revisionOf } from './buyerMoves.ts'
import type { NextLook } from './plans.ts'
import { refusedByState } from './playSeller.ts'

const ACTOR = 'sandbox'

/** Does what is due for an order of the sandbox's buyer, through /v1 alone; as `playSeller`. */
export async function playBuyer(client: Operations, order_id: string, now: () => number = Date.now): Promise<NextLook> {
  const { body: order } = await client.getOrder({ path: { order_id } })
  const move = nextBuyerMove(order)
  if (move === undefined) return null
  if (move.at > now()) return move.at
  await make(client, order, move).catch(refusedByState)
  return null
}

async function make(client: Operations, order: OrderSnapshot, move: BuyerMove): Promise<void> {
  const path = { order_id: order.order_id }
  switch (move.does) {
    case 'respond':
      await client.respondOrder({ path, body: { action: move.action, actor: ACTOR } })
      return
    case 'confirm': {
      const plan = move.plan_id === undefined ? {} : { plan_id: move.plan_id }
      const reason = move.action === 'reject' ? { reason: 'The sandbox withdraws.' } : {}
      await client.confirmOrder({ path, body: { action: move.action, actor: ACTOR, ...plan, ...reason } })
      return
    }
    case 'cancel':
      await client.cancelOrder({ path, body: { actor: ACTOR, reason: 'sandbox' } })
      return
    case 'revise':
      await client.createOrder({ body: revisionOf(order) })
  }
}
