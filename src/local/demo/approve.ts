import type { DecideOrder } from '../../contract/decideOrder.ts'
import type { Operations } from '../../sdk/ownClient.ts'
import { example } from './examples.ts'
import { amount, count, line, table } from './story.ts'

/** Approves an order as a person at the seller, who finds it in the queue. The body is from docs/examples unless another is given. */
export async function approve(orderId: string, asSeller: Operations, decision?: DecideOrder): Promise<void> {
  const { orders } = (await asSeller.listReceivedOrders({ query: { status: 'seller_review' } })).body
  line(`GET /v1/me/orders?status=seller_review   ${orders.length} waiting`)
  const rows = orders.map(({ order_id, buyer_entity, totals, waiting_on }) => [
    order_id,
    buyer_entity,
    amount(totals.gross, totals.currency),
    waiting_on?.due_by ?? '',
  ])
  table(['order_id', 'buyer_entity', 'gross', 'decide by'], rows, ['gross'])
  const { totals } = (await asSeller.getReceivedOrder({ path: { order_id: orderId } })).body
  const impressions = Object.entries(totals.impressions ?? {}).map(([code, number]) => `, ${count(number)} ${code} impressions guaranteed`)
  line(`GET /v1/me/orders/${orderId}   ${amount(totals.gross, totals.currency)}${impressions.join('')}`)

  const sent = decision ?? (JSON.parse(await example('decide')) as DecideOrder)
  const { status, body } = await asSeller.decideOrder({ path: { order_id: orderId }, body: sent })
  line(`POST /v1/me/orders/${orderId}/decide   ${sent.decision} by ${sent.actor}`)
  line(`   ${status}, ${body.status}: ${body.units_accepted} lines accepted, ${body.units_rejected} rejected, last_seq ${body.last_seq}`)
}
