import type { Market, TenantReply } from '../market.ts'

/** Decides an order as the seller `cable`. */
export function decideOrder(market: Market, orderId: string, body: object): Promise<TenantReply> {
  return market.cable.post(`/me/orders/${orderId}/decide`, { actor: 'Ada', ...body })
}

/** Returns the unit ids of an order's lines, in their order. */
export async function unitIdsOf(market: Market, orderId: string): Promise<string[]> {
  return (await market.snapshot(orderId)).line_items.map(({ unit_id }) => unit_id)
}

/** Counters one line of an order, in 2030-W24 unless `figures` name another week. */
export async function counterOrder(market: Market, orderId: string, figures: object, line = 0): Promise<TenantReply> {
  return decideOrder(market, orderId, await counterBody(market, orderId, figures, line))
}

/** Returns the body with which a seller counters one line of an order. */
export async function counterBody(market: Market, orderId: string, figures: object, line = 0) {
  const { line_items } = await market.snapshot(orderId)
  const counter = { week: '2030-W24', ...figures }
  return { decision: 'counter', actor: 'Ada', units: [{ unit_id: line_items[line]?.unit_id, action: 'counter', counter }] }
}
