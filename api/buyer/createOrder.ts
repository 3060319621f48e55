import type { CreateOrder } from '../../src/contract/createOrder.ts'
import { submitOrder } from '../../src/orders/submitOrder.ts'
import type { Handler } from '../endpoint.ts'

/** POST /orders: 201, or the stored reply of the same bytes with `X-Idempotent-Replay: true` (spec, Create rule 4). */
export const createOrder: Handler<CreateOrder> = async ({ orders, db }, { caller, body, raw }) => {
  const { reply, replayed } = await submitOrder(orders, db, caller.entity, body, raw)
  return { status: 201, body: reply, ...(replayed ? { headers: { 'X-Idempotent-Replay': 'true' } } : {}) }
}
